package source_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/failproof/failproof/internal/memtest"
)

func TestMain(m *testing.M) {
	remove := memtest.UseMemory()
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) { remove(); os.Exit(code) }))
}
