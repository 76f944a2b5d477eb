package acceptance_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	_ "github.com/failproof/failproof/internal/cli" // so that a kept result of these tests is not believed when failproof changed
)

// binary is the path of the real failproof, built once for all tests.
var binary string

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

func buildAndRun(m *testing.M) int {
	// A run waits more than it works: a second between two writes, as GitHub asks, and up to a minute for a merge commit.
	if err := flag.Set("test.parallel", "16"); err != nil { // the command line's -parallel is read later and wins
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	dir, err := os.MkdirTemp("", "acceptance")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "failproof")
	build := exec.Command("go", "build", "-o", binary, "../..")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "build failproof:", err)
		return 1
	}
	return m.Run()
}
