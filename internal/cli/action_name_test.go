package cli_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5"

	"github.com/failproof/failproof/internal/cli"
)

// names are what the check runs so far are called.
func (h *hub) names() (out []string) {
	for _, c := range h.Checks() {
		out = append(out, c.Name)
	}
	return out
}

func TestActionNamesItsCheckRun(t *testing.T) {
	into := func(branch string) func(h *hub) {
		return func(h *hub) {
			h.SetBranch(branch, h.base)
			h.Retarget(pullNumber, branch)
			h.pull()["base"].(map[string]any)["ref"] = branch
		}
	}
	for _, c := range []struct {
		rule  string
		event func(h *hub)
		input string
		want  string
	}{
		{"a pull request into the default branch", func(*hub) {}, "", "failproof"},
		{"a merge group", func(h *hub) { h.queue(false, pullNumber) }, "", "failproof"},
		{"a pull request into another branch", into("release/1"), "", "failproof (into release/1)"},
		{"a push to the default branch", func(h *hub) {
			h.on("push", map[string]any{"ref": "refs/heads/main", "before": h.base, "after": h.head})
		}, "", "failproof (push)"},
		{"a first push of the same commit", func(h *hub) {
			h.on("push", map[string]any{"ref": "refs/heads/change", "before": noCommit, "after": h.head})
		}, "", "failproof (push)"},
		{"a run by hand", func(h *hub) { h.byHand() }, "", "failproof (workflow_dispatch)"},
		{"a name", func(*hub) {}, "prompts of the shop", "failproof (prompts of the shop)"},
		{"a name and another branch", into("next"), "shop", "failproof (shop, into next)"},
		{"a name and another event", func(h *hub) { h.byHand() }, "shop", "failproof (shop, workflow_dispatch)"},
		{"a default branch that only the API knows", func(h *hub) { delete(h.event["repository"].(map[string]any), "default_branch") }, "", "failproof"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := newHub(t)
			c.event(h)
			h.env["INPUT_NAME"] = c.input
			h.run()
			if got := h.names(); !slices.Equal(got, []string{c.want}) {
				t.Errorf("check runs %q, want %q", got, c.want)
			}
		})
	}
}

func TestActionRefusesNamesThatLookLikeAnother(t *testing.T) {
	for _, name := range []string{"push", "pull_request", "Workflow_Dispatch", "into main", "report only", "a, push", "a (b)", "a\nb", strings.Repeat("x", 200)} {
		h := newHub(t)
		h.env["INPUT_NAME"] = name
		h.expect(h.run(), cli.ExitInput, "invalid")
		if n := len(h.TakeRequests()); n != 0 {
			t.Errorf("%q: %d requests, want none", name, n)
		}
	}
}

// Two runs of one pull request have a comment and a check run each, with a name or with what they work on.
func TestActionKeepsItsRunsApart(t *testing.T) {
	for _, c := range []struct{ input, one, other, called string }{
		{"NAME", "first", "second", "first"},
		{"SUITES", "suites/support/refund.yaml", "suites/support/triage.yaml, suites/support/refund.yaml", "suites/support/refund.yaml"},
		{"CONFIG", ".github/failproof.yml", "other.yml", ".github/failproof.yml"},
	} {
		t.Run(c.input, func(t *testing.T) {
			before, after := exampleFiles(t, "main"), exampleFiles(t, "main", "warmer-tone")
			before["other.yml"], after["other.yml"] = before[".github/failproof.yml"], before[".github/failproof.yml"]
			h := hubOf(t, before, after)
			for range 2 {
				for _, value := range []string{c.one, c.other} {
					h.env["INPUT_"+c.input] = value
					h.run()
				}
			}
			if n := len(h.Comments(pullNumber)); n != 2 {
				t.Errorf("%d comments, want one of each", n)
			}
			if got := h.names(); len(got) != 4 || got[0] != "failproof ("+c.called+")" || got[0] == got[1] || got[0] != got[2] {
				t.Errorf("check runs %q", got)
			}
		})
	}
}

// below puts files into a folder.
func below(folder string, files map[string]string) map[string]string {
	out := map[string]string{}
	for name, text := range files {
		out[folder+"/"+name] = text
	}
	return out
}

func TestActionWorksInAFolderOfTheRepository(t *testing.T) {
	all := func(edits ...string) map[string]string {
		files := below("apps/shop", shop(t, edits...))
		maps.Copy(files, below("apps/desk", shop(t)))
		return files
	}
	h := hubOf(t, all(), all("From nine", "From ten"))
	h.env["INPUT_WORKING-DIRECTORY"] = "apps/shop/"
	h.expect(h.run(), cli.ExitFailed, "failed")
	holds(t, "the comment", h.comment().Body, "/apps/shop/suites/shop.yaml#L5", "1 suite that the change does not touch was not run")
	c := h.Checks()[0]
	if len(c.Annotations) != 1 || c.Annotations[0].Path != "apps/shop/suites/shop.yaml" || c.Name != "failproof (apps/shop)" {
		t.Errorf("check run %s with annotations %+v, want one in the folder", c.Name, c.Annotations)
	}

	h.env["INPUT_WORKING-DIRECTORY"] = "apps/desk"
	h.expect(h.run(), cli.ExitPassed, "passed")
	if n := len(h.Comments(pullNumber)); n != 1 {
		t.Errorf("%d comments, want only that of the folder with news", n)
	}

	h.env["INPUT_WORKING-DIRECTORY"] = "apps/none"
	h.expect(h.run(), cli.ExitInput, "invalid")
	comments := h.Comments(pullNumber)
	holds(t, "the comment", comments[len(comments)-1].Body, "apps/none/.github/failproof.yml", "no configuration")
	for _, bad := range []string{"../elsewhere", "/tmp", "a/../../b", `a\b`} {
		h.env["INPUT_WORKING-DIRECTORY"] = bad
		h.expect(h.run(), cli.ExitInput, "invalid")
	}
}

// A step that runs the program itself says the folder by where it runs.
func TestActionWorksWhereItsStepRuns(t *testing.T) {
	h := hubOf(t, below("apps/shop", shop(t)), below("apps/shop", shop(t, "From nine", "From ten")))
	if _, err := git.PlainInit(h.workspace, false); err != nil {
		t.Fatal(err)
	}
	h.workspace = filepath.Join(h.workspace, "apps", "shop")
	if err := os.MkdirAll(h.workspace, 0o777); err != nil {
		t.Fatal(err)
	}
	h.expect(h.run(), cli.ExitFailed, "failed")
	holds(t, "the comment", h.comment().Body, "/apps/shop/suites/shop.yaml#L5")
	if got := h.names(); !slices.Equal(got, []string{"failproof (apps/shop)"}) {
		t.Errorf("check runs %q", got)
	}
	if read(filepath.Join(h.workspace, ".failproof", "out", "report.json")) == "" {
		t.Error("the report is not below the folder that the step runs in")
	}
}
