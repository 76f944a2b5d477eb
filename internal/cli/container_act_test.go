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
	for name, content := range exampleFiles(t, "warmer-tone") {
		broken["examples/repository/main/"+name] = content
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

// act runs the repository's workflow on a runner stand-in, with the action as a release has it: action.yml names the
// image under test. It returns the exit code and the log.
func (h *hub) act(t *testing.T, files map[string]string) (int, string) {
	t.Helper()
	own := "  image: Dockerfile\n"
	if !strings.Contains(files["action.yml"], own) {
		t.Fatalf("action.yml has no line %q", own)
	}
	files = with(files, "action.yml", strings.Replace(files["action.yml"], own, "  image: docker://"+image(t)+"\n", 1))
	code, log := h.runAct(t, files, "-W", ".github/workflows/gate.yml", "-P", "ubuntu-latest="+needed(t, "FAILPROOF_RUNNER"))
	if !strings.Contains(log, "docker run image="+image(t)) || strings.Contains(log, "docker build") {
		t.Errorf("act did not run the image under test:\n%s", log)
	}
	return code, log
}

// needed is a variable that .ci/run sets.
func needed(t *testing.T, name string) string {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		t.Fatalf("%s is not set; .ci/run sets it and runs these tests", name)
	}
	return value
}

// runAct runs act, which is GitHub's runner without GitHub, on the hub's event in a repository of the files.
func (h *hub) runAct(t *testing.T, files map[string]string, args ...string) (int, string) {
	t.Helper()
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
	cmd := exec.Command(needed(t, "FAILPROOF_ACT"), append([]string{"pull_request", "-e", event, "--pull=false", "--action-offline-mode", "--rm",
		"--env", "GITHUB_API_URL=" + h.env["GITHUB_API_URL"], "-s", "GITHUB_TOKEN=" + githubtest.Token, "--no-cache-server",
		"--container-daemon-socket", "-", "--rebuild=false"}, args...)...)
	cmd.Dir, cmd.WaitDelay = dir, time.Minute
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}
