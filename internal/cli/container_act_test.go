//go:build container

package cli_test

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/config"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/github/githubtest"
)

// TestContainerWorkflow runs this repository's own workflow, .github/workflows/gate.yml, from its event to the comment.
func TestContainerWorkflow(t *testing.T) {
	base := ownFiles(t)
	broken := maps.Clone(base)
	for name, content := range exampleFiles(t, "change") {
		broken["examples/support/base/"+name] = content
	}
	for _, c := range []struct {
		rule     string
		head     map[string]string
		code     int
		comments int
	}{
		{"a change that breaks two cases fails the job and is commented", broken, cli.ExitFailed, 1},
		{"a change of no prompt passes in silence", with(base, "NOTES.md", "Nothing to judge.\n"), cli.ExitPassed, 0},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := hubOf(t, base, c.head)
			code, log := h.act(t, c.head)
			if code != c.code {
				t.Errorf("the workflow ends with %d, want %d:\n%s", code, c.code, log)
			}
			if n := len(h.Comments(pullNumber)); n != c.comments {
				t.Errorf("%d comments, want %d:\n%s", n, c.comments, log)
			}
			if checks := h.Checks(); len(checks) != 1 || (checks[0].Conclusion == "success") != (c.code == cli.ExitPassed) {
				t.Errorf("check runs: %+v", checks)
			}
		})
	}
}

func with(files map[string]string, name, content string) map[string]string {
	files = maps.Clone(files)
	files[name] = content
	return files
}

// ownFiles are the files of this repository, as they are in the working tree.
func ownFiles(t *testing.T) map[string]string {
	t.Helper()
	list := exec.Command("git", "ls-files", "-z")
	list.Dir = "../.."
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for name := range strings.SplitSeq(strings.Trim(string(out), "\x00"), "\x00") {
		if data, err := os.ReadFile(filepath.Join("../..", name)); err == nil {
			files[name] = string(data)
		}
	}
	return files
}

// ownAction is what act calls the image of `uses: ./`.
const ownAction = "act-dockeraction:latest"

// act runs the workflow on the runner stand-in named by FAILPROOF_RUNNER, with the image under test in the place of the one
// that the action's Dockerfile would make, and returns the exit code and the log.
func (h *hub) act(t *testing.T, files map[string]string) (int, string) {
	t.Helper()
	act, runner := os.Getenv("FAILPROOF_ACT"), os.Getenv("FAILPROOF_RUNNER")
	if act == "" || runner == "" {
		t.Fatal("FAILPROOF_ACT names the program act and FAILPROOF_RUNNER the image for ubuntu-latest; .ci/run sets both")
	}
	docker(t, "", "tag", image(t), ownAction)
	dir := t.TempDir()
	repo, err := git.PlainInit(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := repo.CreateRemote(&config.RemoteConfig{Name: "origin", URLs: []string{"https://github.com/octo/prompts"}}); err != nil {
		t.Fatal(err)
	}
	commitAll(t, repo, dir, files)
	payload, err := json.Marshal(h.event)
	if err != nil {
		t.Fatal(err)
	}
	event := filepath.Join(t.TempDir(), "event.json")
	write(t, event, string(payload))
	cmd := exec.Command(act, "pull_request", "-W", ".github/workflows/gate.yml", "-e", event, "-P", "ubuntu-latest="+runner,
		"--pull=false", "--action-offline-mode", "--rm", "--env", "GITHUB_API_URL="+h.env["GITHUB_API_URL"], "-s", "GITHUB_TOKEN="+githubtest.Token,
		"--no-cache-server", "--container-daemon-socket", "-", "--rebuild=false")
	cmd.Dir, cmd.WaitDelay = dir, time.Minute
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(out), "docker run image="+ownAction) || strings.Contains(string(out), "docker build") {
		t.Errorf("act did not run the image under test:\n%s", out)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}
