package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/cli"
)

// downloaded puts files where a step before this one put them, below the workspace.
func (h *hub) downloaded(files map[string]string) {
	h.t.Helper()
	for name, text := range files {
		at := filepath.Join(h.workspace, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			h.t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o666); err != nil {
			h.t.Fatal(err)
		}
	}
}

const (
	rightRuns = `<testsuite><testcase name="late"/><testcase name="hours"/></testsuite>`
	wrongRuns = `<testsuite><testcase name="late"><failure message="says @octocat yes"/></testcase><testcase name="hours"/></testsuite>`
)

// The gate of a pull request reads the results of both sides, and all the rest is as for answers of its own.
func TestAnotherRunnersResultsAreGatedAsAPullRequest(t *testing.T) {
	config := "version: 1\nresults:\n  skills: { base: base, head: head, must_pass: [hours] }\n"
	loose := strings.Replace(config, "must_pass: [hours]", "mode: noisy", 1)
	readme := map[string]string{"README.md": "evals"}
	for _, c := range []struct {
		rule       string
		base, head map[string]string // of the repository
		files      map[string]string // of the workspace
		named      bool              // the workflow names the files
		code       int
		says       string
	}{
		{"a regression fails", readme, readme, map[string]string{"base/b.xml": rightRuns, "head/h.xml": wrongRuns}, true, cli.ExitFailed, "1 of 2 answers broke"},
		{"the same passes", readme, readme, map[string]string{"base/b.xml": rightRuns, "head/h.xml": rightRuns}, true, cli.ExitPassed, "All 2 answers are still right"},
		{"the configuration names them", map[string]string{"failproof.yml": config}, map[string]string{"failproof.yml": config},
			map[string]string{"base/b.xml": rightRuns, "head/h.xml": wrongRuns}, false, cli.ExitFailed, "1 of 2 answers broke"},
		{"the base's configuration judges", map[string]string{"failproof.yml": config}, map[string]string{"failproof.yml": loose},
			map[string]string{"base/b.xml": rightRuns, "head/h.xml": wrongRuns}, false, cli.ExitFailed, "results.skills"},
		{"a committed base is the base commit's", map[string]string{"failproof.yml": config, "base/b.xml": rightRuns}, map[string]string{"failproof.yml": config, "base/b.xml": wrongRuns},
			map[string]string{"base/b.xml": wrongRuns, "head/h.xml": wrongRuns}, false, cli.ExitFailed, "1 of 2 answers broke"},
		{"a base that the change brings is none", readme, map[string]string{"README.md": "evals", "base/b.xml": wrongRuns},
			map[string]string{"base/b.xml": wrongRuns, "head/h.xml": wrongRuns}, true, cli.ExitInput, "the change brings base of its own"},
		{"a job that failed left none", readme, readme, map[string]string{"base/b.xml": rightRuns}, true, cli.ExitInput, "there are no results in head"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := hubOf(t, c.base, c.head)
			h.downloaded(c.files)
			if c.named {
				h.env["INPUT_RESULTS-BASE"], h.env["INPUT_RESULTS-HEAD"] = "base", "head"
			}
			o := h.run()
			if o.code != c.code {
				t.Errorf("exit code %d, want %d\n%s", o.code, c.code, o.log)
			}
			holds(t, "the log", o.log, c.says)
			if strings.Contains(o.log, "@octocat yes") && strings.Contains(o.log, "::error") {
				t.Errorf("a text of the results is a command of the log:\n%s", o.log)
			}
		})
	}
}

func TestARunHasSuitesOrResults(t *testing.T) {
	h := newHub(t)
	h.env["INPUT_RESULTS-HEAD"], h.env["INPUT_SUITES"] = "head", "suites/*.yaml"
	if o := h.run(); o.code != cli.ExitInput || !strings.Contains(o.log, "a run has suites or results") {
		t.Errorf("exit code %d\n%s", o.code, o.log)
	}
}
