package cli_test

import (
	"os"
	"runtime/debug"
	"testing"

	"github.com/failproof/failproof/internal/memtest"
)

// TestMain lets the heap grow further between collections: hundreds of small runs in one process collect what no run of a process would.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	remove := memtest.Use()
	code := m.Run()
	remove()
	os.Exit(code)
}
