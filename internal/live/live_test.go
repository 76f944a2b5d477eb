package live

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/redact"
)

func TestAKeyIsNotReadFromTheRepository(t *testing.T) {
	root := t.TempDir()
	repository, outside := filepath.Join(root, "work", "repository"), filepath.Join(root, "secrets")
	below := filepath.Join(repository, "packages", "shop")
	for _, dir := range []string{below, outside, filepath.Join(repository, ".git")} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for from, to := range map[string]string{filepath.Join(outside, "link"): filepath.Join(repository, "token"), filepath.Join(repository, "out"): filepath.Join(outside, "token"),
		filepath.Join(root, "checkout"): repository} {
		if err := os.Symlink(to, from); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	for _, name := range []string{filepath.Join(outside, "token"), filepath.Join(repository, "token")} {
		if err := os.WriteFile(name, []byte("key-canary"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		rule, dir, file string
		inside          bool
	}{
		{"a file elsewhere", repository, filepath.Join(outside, "token"), false},
		{"one that is not there yet", repository, filepath.Join(outside, "later"), false},
		{"a file in it", repository, filepath.Join(repository, "token"), true},
		{"one that is not there yet, in it", repository, filepath.Join(repository, "later", "token"), true},
		{"a file above the folder that is judged, and in the repository", below, filepath.Join(repository, "token"), true},
		{"a link from outside into it", repository, filepath.Join(outside, "link"), true},
		{"a link in it that leads outside", repository, filepath.Join(repository, "out"), true},
		{"a repository that is reached by a link", filepath.Join(root, "checkout"), filepath.Join(repository, "token"), true},
		{"a folder that is in no repository", outside, filepath.Join(outside, "token"), true},
	} {
		if got := InRepository(c.dir, c.file); got != c.inside {
			t.Errorf("%s: %v, want %v", c.rule, got, c.inside)
		}
		l := &Targets{options: Options{Getenv: func(string) string { return "" }, Dir: c.dir}, LearnedKeys: &redact.Learned{}}
		client, err := l.UnscheduledClient(config.Target{Name: "t", Provider: "openai", APIKeyFile: c.file})
		if (err != nil) != c.inside || err != nil && (client != nil || !strings.Contains(err.Error(), "lies in the repository")) {
			t.Errorf("%s: a client %v, %v", c.rule, client, err)
		}
	}
}

func TestAVariableOfAHeaderThatIsEmptyIsNamed(t *testing.T) {
	values := map[string]string{"KEY": "key-canary"}
	l := &Targets{options: Options{Getenv: func(name string) string { return values[name] }, Dir: t.TempDir()}, LearnedKeys: &redact.Learned{}}
	target := config.Target{Name: "t", Provider: "openai", APIKeyEnv: "KEY", Headers: []config.Header{{Name: "X-Tenant", Env: "TENANT"}}}
	client, err := l.UnscheduledClient(target)
	if empty, ok := client.(failingClient); err != nil || !ok || !strings.HasPrefix(empty.why, "the variable TENANT is empty; ") {
		t.Errorf("once = %v, %v, want that TENANT is empty", client, err)
	}
	target.Headers[0].Env = "RUNNER_TOKEN"
	if _, err := l.UnscheduledClient(target); err == nil || !strings.Contains(err.Error(), "a variable of the runner") {
		t.Errorf("a variable of the runner: %v", err)
	}
}

func TestARunThatACommentAsksForExecutesNoCommand(t *testing.T) {
	target := config.Target{Name: "t", Provider: "exec", Command: []string{os.Args[0]}}
	l := &Targets{options: Options{Getenv: func(string) string { return "" }, Dir: t.TempDir(), NoCommands: true}, LearnedKeys: &redact.Learned{}}
	client, err := l.UnscheduledClient(target)
	if none, ok := client.(failingClient); err != nil || !ok || !strings.Contains(none.why, "executes no commands") {
		t.Errorf("once = %v, %v, want a target that is not asked", client, err)
	}
	l.options.NoCommands = false
	if client, err = l.UnscheduledClient(target); err != nil {
		t.Fatal(err)
	}
	if _, is := client.(failingClient); is {
		t.Error("a run that nothing but its event asks for asks no command")
	}
}
