//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/model/modeltest"
)

// TestNoPipeAmongTheFilesOfARunHoldsACommandUp waits for ever if one does.
func TestNoPipeAmongTheFilesOfARunHoldsACommandUp(t *testing.T) {
	for _, c := range []struct {
		file string
		args []string
		says string
	}{
		{"before/report.json", []string{"diff", "before", "now"}, "before/report.json: is not a regular file"},
		{"before/results.jsonl", []string{"diff", "before", "now"}, "before/results.jsonl: is not a regular file"},
		{"now/base.jsonl", []string{"render", "now"}, "now/base.jsonl: is not a regular file"},
		{"shards/1/shard.jsonl", []string{"merge", "--base", "./base", "--scope", "all", "shards"}, "shards/1/shard.jsonl: is not a regular file"},
		{"shards/1/shard.jsonl", []string{"merge", "--base", "./base", "--scope", "all", "shards/1/shard.jsonl"}, "shards/1/shard.jsonl: is not a regular file"},
	} {
		r := newRepo(t, 1, modeltest.JSON(modeltest.Completion("yes")))
		r.asBase()
		for _, args := range [][]string{{"run", "--out", "before"}, {"run", "--base", "./base", "--out", "now"}, {"run", "--base", "./base", "--shard", "1/1", "--out", "shards/1"}} {
			if code, _, out := r.told(append(args, "--scope", "all", "--no-cache", "--quiet", "--yes")...); code != cli.ExitPassed {
				t.Fatalf("%v: exit code %d\n%s", args, code, out)
			}
		}
		at := filepath.Join(r.dir, c.file)
		if err := os.Remove(at); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(at, 0o600); err != nil {
			t.Fatal(err)
		}
		if code, _, out := r.told(c.args...); code != cli.ExitInput || !strings.Contains(out, c.says) {
			t.Errorf("%s: exit code %d, want %d and %q\n%s", c.file, code, cli.ExitInput, c.says, out)
		}
	}
}
