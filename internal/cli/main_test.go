package cli_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"testing"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/memtest"
	"github.com/failproof/failproof/internal/schematest"
)

// mainOf is cli.Main; what it writes keeps to the schemas.
func mainOf(ctx context.Context, args []string, sys cli.System) int {
	return schematest.Run(sys.Dir, args, func() int { return cli.Main(ctx, args, sys) })
}

// TestMain lets the heap grow further between collections: hundreds of small runs in one process collect what no run of
// a process would. Tests that wait for seconds stand beside those that work as long.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "16"); err != nil { // the command line's -parallel is read later and wins
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	debug.SetGCPercent(300)
	remove := memtest.UseMemory()
	code := schematest.ReportFaults(m.Run())
	remove()
	os.Exit(code)
}
