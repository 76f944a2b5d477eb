package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/config"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/github/githubtest"
)

// The doctor knows the inputs of the action, and asks the action what it says of their values.
func TestDoctorReadsInputsAsTheActionDoes(t *testing.T) {
	dir := t.TempDir()
	doctor := func(args ...string) string {
		var out bytes.Buffer
		mainOf(t.Context(), args, cli.System{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Dir: dir,
			Getenv: func(string) string { return "" }, Now: time.Now})
		return strings.Join(strings.Fields(out.String()), " ")
	}
	doctor("init")
	workflow := filepath.Join(dir, ".github/workflows/failproof.yml")
	sound, err := os.ReadFile(workflow)
	if err != nil {
		t.Fatal(err)
	}
	for with, want := range map[string]string{
		"suite: a.yaml":              `→ remove it, or write "suites"`,
		"trials: '0'":                `The step's inputs are not valid: input trials is "0"`,
		"comment: sometimes":         `The step's inputs are not valid: input comment is "sometimes"`,
		"suites: 'suites/none.yaml'": `"suites" leaves out 1 suite file`,
	} {
		text := strings.TrimRight(string(sound), "\n") + "\n        with: { " + with + " }\n"
		if err := os.WriteFile(workflow, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if out := doctor("doctor", "--offline"); !strings.Contains(strings.ReplaceAll(out, "`", `"`), want) {
			t.Errorf("%s: want %q:\n%s", with, want, out)
		}
	}
	if err := os.WriteFile(workflow, sound, 0o666); err != nil {
		t.Fatal(err)
	}
	if out := doctor("doctor", "--offline"); strings.Contains(out, "[input]") || strings.Contains(out, "[suite-unjudged]") {
		t.Errorf("the workflow of init: %s", out)
	}
}

// The doctor finds the repository by the remote that it was cloned from, asks GitHub for the rules of its default
// branch, and reads only.
func TestDoctorAsksGitHub(t *testing.T) {
	s := githubtest.New("octo", "prompts")
	s.SetBranch("main", s.Commit(map[string]string{"a": "a"}))
	env := map[string]string{"GITHUB_API_URL": s.Start(t), "GH_TOKEN": githubtest.Token}
	dir := t.TempDir()
	repository, err := git.PlainInit(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	doctor := func(args ...string) (int, string) {
		var out bytes.Buffer
		code := mainOf(t.Context(), args, cli.System{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Dir: dir,
			Getenv: func(name string) string { return env[name] }, Now: time.Now})
		return code, out.String()
	}
	if code, out := doctor("init"); code != cli.ExitPassed {
		t.Fatal(out)
	}
	if err := os.WriteFile(filepath.Join(dir, ".github/CODEOWNERS"), []byte("/.github/ @octo/owners\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"https://github.com/octo/prompts.git", "https://x:secret@github.com/octo/prompts", "git@github.com:octo/prompts.git", "ssh://git@github.com/octo/prompts/"} {
		if _, err := repository.CreateRemote(&config.RemoteConfig{Name: "origin", URLs: []string{address}}); err != nil {
			t.Fatal(err)
		}
		s.SetRules("main")
		code, out := doctor("doctor")
		if code != cli.ExitFailed || !strings.Contains(out, "open  [not-required]") || !strings.Contains(out, "2 open, 1 note.") || strings.Contains(out, "secret") {
			t.Errorf("%s: exit code %d:\n%s", address, code, out)
		}
		s.SetRules("main", map[string]any{"type": "pull_request", "parameters": map[string]any{"require_code_owner_review": true}},
			map[string]any{"type": "required_status_checks", "parameters": map[string]any{
				"required_status_checks": []map[string]any{{"context": "prompt gate", "integration_id": 15368}}}})
		if code, out := doctor("doctor"); code != cli.ExitPassed || !strings.Contains(out, "0 open, 1 note.\nNothing is open: every change is judged, and merged only if the gate passes.\n") {
			t.Errorf("%s: exit code %d:\n%s", address, code, out)
		}
		if n := s.TakeWrites(); n != 0 {
			t.Errorf("%d requests wanted to change something", n)
		}
		if err := repository.DeleteRemote("origin"); err != nil {
			t.Fatal(err)
		}
	}
	for _, address := range []string{"https://gitlab.com/octo/prompts", "https://github.com.evil.example/octo/prompts", "https://github.community/prompts", "/srv/prompts.git", "https://github.com/octo"} {
		if _, err := repository.CreateRemote(&config.RemoteConfig{Name: "origin", URLs: []string{address}}); err != nil {
			t.Fatal(err)
		}
		if _, out := doctor("doctor"); !strings.Contains(out, "the remote origin is not a repository on github.com") {
			t.Errorf("%s:\n%s", address, out)
		}
		if n := len(s.TakeRequests()); n != 0 {
			t.Errorf("%s: %d requests", address, n)
		}
		if err := repository.DeleteRemote("origin"); err != nil {
			t.Fatal(err)
		}
	}
}
