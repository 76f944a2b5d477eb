package acceptance_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"testing"

	_ "github.com/failproof/failproof/internal/cli" // so that a kept result of these tests is not believed when failproof changed
	"github.com/failproof/failproof/internal/memtest"
	"github.com/failproof/failproof/internal/schematest"
)

// binary is the path of the real failproof, built once for all tests; it is on the PATH as well.
var binary string

// root is the repository's, from here.
const root = "../.."

// underRace reports whether the tests were built with the race detector; then failproof is too.
func underRace() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

func buildAndRun(m *testing.M) int {
	if os.Getenv(alone) != "" {
		return m.Run()
	}
	// A run waits more than it works: a second between two writes, as GitHub asks, and up to a minute for a merge
	// commit.
	if err := flag.Set("test.parallel", "16"); err != nil { // the command line's -parallel is read later and wins
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	debug.SetGCPercent(400) // hundreds of small runs in one process collect what no run of a process would
	defer memtest.UseMemory()()
	dir, err := os.MkdirTemp("", "acceptance")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "failproof")
	args := []string{"build", "-ldflags=-s -w", "-buildvcs=false", "-o", binary} // reports name the version, which is another at each commit
	if underRace() {
		args = append(args, "-race")
	}
	build := exec.Command("go", append(args, root)...)
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "build failproof:", err)
		return 1
	}
	if err := os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return schematest.ReportFaults(m.Run())
}
