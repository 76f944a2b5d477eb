//go:build unix

package acceptance_test

import (
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/fulltest"
)

// projectIn makes a project in a new folder of that name.
func projectIn(t *testing.T, name string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), name)
	lays(t, dir, map[string]string{
		"failproof.yml": "version: 1\nsuites: ['suites/**/*.yaml']\ndefault_target: replay\ntargets:\n" +
			"  replay: { provider: recorded, path: 'recordings/{suite}.jsonl' }\n",
		"live.yml": "version: 1\nsuites: ['suites/**/*.yaml']\ndefault_target: own\ntargets:\n" +
			"  own: { provider: exec, command: [sh, answer.sh] }\n  replay: { provider: recorded, path: 'recordings/{suite}.jsonl' }\n",
		"answer.sh":          "read -r line\necho '{\"text\": \"yes\"}'\n",
		"suites/s.yaml":      "version: 1\nmessages: [{ role: user, content: 'Is it?' }]\ncases:\n  - { id: a, expected_response: 'yes' }\n",
		"recordings/s.jsonl": `{"suite_id": "s", "case_id": "a", "trial": 1, "raw_response": "yes", "latency_ms": 1}` + "\n",
	})
	repository, err := git.PlainInitWithOptions(dir, &git.PlainInitOptions{
		InitOptions: git.InitOptions{DefaultBranch: plumbing.NewBranchReferenceName("main")}})
	if err != nil {
		t.Fatal(err)
	}
	w, err := repository.Worktree()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.AddWithOptions(&git.AddOptions{All: true}); err != nil {
		t.Fatal(err)
	}
	by := &object.Signature{Name: "Ada", Email: "ada@example.com", When: time.Unix(1767600000, 0).UTC()}
	if _, err := w.Commit("start", &git.CommitOptions{Author: by}); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestEveryCommandWorksInAFolderOfAnyName(t *testing.T) {
	t.Parallel()
	names := []string{`-[x]{a,b}&;:\n'"$HOME 50%23 größe ☃`, "C#", "100%", "50%23 what? größe ☃", `-[x]{a,b}&;:\n'"$HOME`}
	if !fulltest.All() {
		names = names[:1]
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := projectIn(t, name)
			for _, command := range [][]string{
				{"validate"},
				{"run", "--base", "main"},
				{"run", "--head", "main", "--base", "main", "--out", "out/" + name},
				{"run", "--config", "live.yml", "--cache", "cache/" + name},
				{"run", "--config", "live.yml", "--dry-run"},
				{"record", "--config", "live.yml"},
				{"diff", "out/" + name, ".failproof/out"},
				{"render", "--format", "html", "out/" + name},
				{"demo", "--dir", "demo"},
				{"init"},
			} {
				run := exec.Command("failproof", command...)
				run.Dir = dir
				want := cli.ExitPassed
				if command[0] == "demo" {
					want = cli.ExitFailed // what it shows is a gate that fails
				}
				if out, err := run.CombinedOutput(); run.ProcessState.ExitCode() != want {
					t.Errorf("failproof %q: %v, want exit code %d\n%s", command, err, want, out)
				}
			}
		})
	}
}
