//go:build unix

package acceptance_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/cli"
)

var exitCodes = regexp.MustCompile(`exit code \d`)

// passingLine and passingTest are results of another runner.
const (
	passingLine = `{"case": "late refund", "passed": true}`
	passingTest = `<testsuite><testcase name="test[late-1]"/></testsuite>`
)

// TestEveryShellBlockRuns runs the `sh` blocks of each page, one after the other in one folder, which is the demo's
// repository. Who would be asked elsewhere has a stand-in that knows what is asked of it: testdata/standins.
func TestEveryShellBlockRuns(t *testing.T) {
	t.Parallel()
	standins, err := filepath.Abs("testdata/standins")
	if err != nil {
		t.Fatal(err)
	}
	home, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for path, page := range pages(t) {
		shown := blocks(page, "sh")
		if len(shown) == 0 {
			continue
		}
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			dir, _ := demo(t)
			lays(t, dir, map[string]string{".git/refs/remotes/origin/main": read(t, filepath.Join(dir, ".git/refs/heads/main")), "models/mine/config.json": "{}", "models/mine/model.safetensors": "", "models/mine/tokenizer.json": "{}",
				"base.json": passingLine, "head.json": passingLine, "out/base/r.xml": passingTest, "out/head/r.xml": passingTest, "home/.local/bin/none": "", ".ci/run": "#!/bin/sh\n"})
			if err := os.Chmod(filepath.Join(dir, ".ci/run"), 0o777); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(filepath.Join(home, ".ci/run")); err != nil {
				t.Error(err)
			}
			if path == "docs/tutorial.md" { // whose steps go on where the last one ended
				shown = []string{strings.Join(shown, "")}
			}
			for _, block := range shown {
				script := strings.Replace(block, "\nfailproof demo ", "\n! failproof demo ", 1) // its change is blocked
				cmd := exec.Command("bash", "-euo", "pipefail", "-c", script)
				cmd.Dir = dir
				cmd.Env = []string{"PATH=" + standins + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + filepath.Join(dir, "home"), "TMPDIR=" + t.TempDir(),
					"ROOT=" + home, "BINARY=" + binary,
					"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com"}
				out, _ := cmd.CombinedOutput()
				want := cli.ExitPassed
				if strings.HasPrefix(block, "docker run") || strings.Contains(block, "\nfailproof merge --base") || strings.Contains(block, "exit \"${code:-0}\"") {
					want = cli.ExitFailed // the demo's change is blocked
				}
				if code := cmd.ProcessState.ExitCode(); code != want {
					t.Errorf("exit code %d, want %d, of\n%s\n%s", code, want, block, out)
				}
				if said := strings.Join(exitCodes.FindAllString(string(out), -1), ", "); path == "docs/tutorial.md" && said != "exit code 3, exit code 1" {
					t.Errorf("the steps say %q, and the page that the change is undecided first, then red\n%s", said, out)
				}
			}
		})
		ran += len(shown)
	}
	if ran < 8 {
		t.Errorf("only %d blocks were found", ran)
	}
}
