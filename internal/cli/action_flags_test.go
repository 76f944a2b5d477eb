package cli_test

import (
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/github/githubtest"
)

func TestActionInAStepOfItsOwn(t *testing.T) {
	step := func(t *testing.T) *hub {
		h := newHub(t)
		delete(h.env, "INPUT_TOKEN")
		h.env["GITHUB_TOKEN"] = githubtest.Token
		return h
	}
	t.Run("the token is GITHUB_TOKEN, and the run is that of the container", func(t *testing.T) {
		h := step(t)
		o := h.runIn(t.Context())
		h.expect(o, cli.ExitFailed, "failed")
		holds(t, "the log", o.log, "::add-mask::"+githubtest.Token)
		holds(t, "the comment", h.comment().Body, "angry-customer")
	})
	t.Run("flags are the inputs", func(t *testing.T) {
		h := step(t)
		h.expect(h.runIn(t.Context(), "--suites", "suites/support/triage.yaml", "--comment", "never", "--check=false", "--out", "results"), cli.ExitPassed, "passed")
		if n := len(h.Comments(pullNumber)); n != 0 || len(h.Checks()) != 0 {
			t.Errorf("%d comments and %d check runs, want none", n, len(h.Checks()))
		}
	})
	t.Run("a flag goes before the runner's variable", func(t *testing.T) {
		h := step(t)
		h.env["INPUT_SCOPE"] = "all"
		o := h.runIn(t.Context(), "--scope", "everything")
		h.expect(o, cli.ExitInput, "invalid")
		holds(t, "the log", o.log, `"everything"`)
	})
	t.Run("a page has an address", func(t *testing.T) {
		h := step(t)
		o := h.runIn(t.Context(), "--page-url", "http://x.example/#a")
		h.expect(o, cli.ExitInput, "invalid")
		holds(t, "the log", o.log, `input page-url is "http://x.example/#a"; expected the https address of report.html`)
	})
	t.Run("a token that is an input goes before GITHUB_TOKEN", func(t *testing.T) {
		h := step(t)
		h.env["INPUT_TOKEN"], h.env["GITHUB_TOKEN"] = githubtest.Token, "another"
		h.expect(h.runIn(t.Context()), cli.ExitFailed, "failed")
	})
}

func TestActionHasAFlagForEveryInputButTheToken(t *testing.T) {
	var action struct {
		Inputs map[string]any
	}
	if err := yaml.Unmarshal([]byte(read("../../action.yml")), &action); err != nil {
		t.Fatal(err)
	}
	for name := range action.Inputs {
		var out lockedBuffer
		code := mainOf(t.Context(), []string{"action", "--" + name}, cli.System{Stdout: &out, Stderr: &out, Getenv: func(string) string { return "" }})
		want := "flag needs an argument"
		if name == "token" {
			want = "unknown flag"
		}
		if code != cli.ExitInput {
			t.Errorf("--%s exits %d, want %d", name, code, cli.ExitInput)
		}
		holds(t, "--"+name, out.String(), want)
	}
}
