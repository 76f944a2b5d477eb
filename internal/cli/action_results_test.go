package cli_test

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/github/githubtest"
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
		{"the same passes", readme, readme, map[string]string{"base/b.xml": rightRuns, "head/h.xml": rightRuns}, true, cli.ExitPassed, "Both answers are still right"},
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

func TestResultsStayInTheWorkspace(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "r.xml")
	if err := os.WriteFile(outside, []byte(rightRuns), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, named := range []string{"../r.xml", outside, "link/r.xml", "link.xml"} {
		h := hubOf(t, map[string]string{"README.md": "evals"}, map[string]string{"README.md": "evals!"})
		for link, to := range map[string]string{"link": filepath.Dir(outside), "link.xml": outside} {
			if err := os.Symlink(to, filepath.Join(h.workspace, link)); err != nil {
				t.Fatal(err)
			}
		}
		h.env["INPUT_RESULTS-HEAD"] = named
		if o := h.run(); o.code != cli.ExitInput || strings.Contains(o.log, "still right") {
			t.Errorf("%s: exit code %d\n%s", named, o.code, o.log)
		}
	}
}

func TestARunHasSuitesOrResults(t *testing.T) {
	h := newHub(t)
	h.env["INPUT_RESULTS-HEAD"], h.env["INPUT_SUITES"] = "head", "suites/*.yaml"
	if o := h.run(); o.code != cli.ExitInput || !strings.Contains(o.log, "a run has suites or results") {
		t.Errorf("exit code %d\n%s", o.code, o.log)
	}
}

// A link of the change could make the base's results the head's.
func TestNoLinkLeadsToResults(t *testing.T) {
	for _, named := range []string{"head", "head.xml", "out/head"} {
		h := hubOf(t, map[string]string{"README.md": "evals"}, map[string]string{"README.md": "evals!"})
		h.downloaded(map[string]string{"base/b.xml": rightRuns, "real/head/b.xml": rightRuns})
		for link, to := range map[string]string{"head": "base", "head.xml": "base/b.xml", "out": "real"} {
			if err := os.Symlink(to, filepath.Join(h.workspace, link)); err != nil {
				t.Fatal(err)
			}
		}
		h.env["INPUT_RESULTS-BASE"], h.env["INPUT_RESULTS-HEAD"] = "base", named
		o := h.run()
		if o.code != cli.ExitInput {
			t.Errorf("%s: exit code %d\n%s", named, o.code, o.log)
		}
		holds(t, "the log", o.log, "is a link")
	}
}

// In the same workflow, an artifact is one of the run itself, and the base's that of the last push to main.
func TestArtifactsOfTheSameRunAreJudged(t *testing.T) {
	h := hubOf(t, map[string]string{"README.md": "evals"}, map[string]string{"README.md": "evals!"})
	h.ServeArtifacts(t)
	h.AddRun(githubtest.WorkflowRun{ID: 60, Workflow: 7, Event: "push", Branch: "main", Head: h.base, Artifacts: map[string][]byte{"evals": zipped(t, map[string]string{"r.xml": rightRuns})}})
	h.AddRun(githubtest.WorkflowRun{ID: 100, Workflow: 7, Event: "pull_request", Branch: "change", Head: h.head, Artifacts: map[string][]byte{"evals": zipped(t, map[string]string{"r.xml": wrongRuns})}})
	h.env["INPUT_RESULTS-BASE"], h.env["INPUT_RESULTS-HEAD"] = "artifact:evals@main", "artifact:evals"
	o := h.run()
	if o.code != cli.ExitFailed || len(h.Comments(pullNumber)) != 1 {
		t.Errorf("exit code %d and %d comments\n%s", o.code, len(h.Comments(pullNumber)), o.log)
	}
	holds(t, "the log", o.log, "1 of 2 answers broke")
	holds(t, "the log", o.log, "the base's results were made at 2026-01-01T00:00:00Z by a run of main")
}

// Who reads that the base is of another day also reads what either side asked.
func TestABaseOfAnotherDayNamesTheProvidersOfBothSides(t *testing.T) {
	h := hubOf(t, map[string]string{"README.md": "evals"}, map[string]string{"README.md": "evals!"})
	h.ServeArtifacts(t)
	asked := func(provider string) map[string][]byte {
		row := `{"provider":"` + provider + `","promptIdx":0,"prompt":{"label":"x"},"vars":{"q":"1"},"success":true,"score":1}`
		return map[string][]byte{"evals": zipped(t, map[string]string{"r.jsonl": row})}
	}
	h.AddRun(githubtest.WorkflowRun{ID: 60, Workflow: 7, Event: "push", Branch: "main", Head: h.base, Artifacts: asked("openai:old")})
	h.AddRun(githubtest.WorkflowRun{ID: 100, Workflow: 7, Event: "pull_request", Branch: "change", Head: h.head, Artifacts: asked("openai:new")})
	h.env["INPUT_RESULTS-BASE"], h.env["INPUT_RESULTS-HEAD"] = "artifact:evals@main", "artifact:evals"
	o := h.run()
	holds(t, "the log", strings.Join(strings.Fields(o.log), " "), "asked on the base: openai:old; here: openai:new")
}

// ends makes the event of a pull request's workflow that ended.
func (h *hub) ends(head string) {
	h.on("workflow_run", map[string]any{"action": "completed", "repository": repository(1000), "workflow_run": map[string]any{
		"id": 70, "workflow_id": 7, "event": "pull_request", "head_sha": head, "head_branch": "change",
		"head_repository": map[string]any{"full_name": "octo/prompts"}, "pull_requests": []any{map[string]any{"number": 99}},
	}})
}

// zipped is a zip of files; a name that begins with > is a link.
func zipped(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, text := range files {
		head := &zip.FileHeader{Name: strings.TrimPrefix(name, ">"), Method: zip.Deflate}
		if strings.HasPrefix(name, ">") {
			head.SetMode(fs.ModeSymlink | 0o777)
		}
		w, err := z.CreateHeader(head)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A run that ended brings the results of a pull request, and main's last run those of the base.
func TestArtifactsOfARunThatEndedAreJudged(t *testing.T) {
	right, wrong := map[string]string{"r.xml": rightRuns}, map[string]string{"r.xml": wrongRuns}
	for _, c := range []struct {
		rule       string
		head, base map[string]string // nil: the run has no such artifact
		change     func(h *hub)
		code       int
		says       string
		posted     int
	}{
		{"a regression", wrong, right, nil, cli.ExitFailed, "1 of 2 answers broke", 1},
		{"no regression", right, right, nil, cli.ExitPassed, "Both answers are still right", 0},
		{"no base", wrong, nil, nil, cli.ExitPassed, "there is no base to compare with", 1},
		{"no head", nil, right, nil, cli.ExitInput, "there is no artifact", 0},
		{"another commit is no head of a pull request", wrong, right, func(h *hub) { h.ends(h.base) }, cli.ExitPassed, "nothing is judged or posted", 0},
		{"nor is one of another repository", wrong, right, func(h *hub) {
			h.event["workflow_run"].(map[string]any)["head_repository"] = map[string]any{"full_name": "mallory/prompts"}
		}, cli.ExitPassed, "nothing is judged or posted", 0},
		{"a run on a push is none of a pull request", wrong, right, func(h *hub) { h.event["workflow_run"].(map[string]any)["event"] = "push" }, cli.ExitInput, "expected pull_request", 0},
		{"a path that leads out", map[string]string{"../r.xml": rightRuns}, right, nil, cli.ExitInput, "leads out of it", 0},
		{"an absolute path", map[string]string{"/r.xml": rightRuns}, right, nil, cli.ExitInput, "leads out of it", 0},
		{"a link", map[string]string{">r.xml": "/etc/passwd"}, right, nil, cli.ExitInput, "no regular file", 0},
		{"a branch without a name", wrong, right, func(h *hub) { h.env["INPUT_RESULTS-BASE"] = "artifact:evals@" }, cli.ExitInput, "artifact:evals@ is no artifact; expected artifact:NAME or artifact:NAME@BRANCH", 0},
		{"a branch of another run", wrong, right, func(h *hub) { h.env["INPUT_RESULTS-BASE"] = "artifact:evals@release" }, cli.ExitPassed, "no run of this workflow on a push to release", 1},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := hubOf(t, map[string]string{"README.md": "evals"}, map[string]string{"README.md": "evals!"})
			h.ServeArtifacts(t)
			if h.ends(h.head); c.change != nil {
				c.change(h)
			}
			ended := githubtest.WorkflowRun{ID: 70, Workflow: 7, Event: "pull_request", Branch: "change", Head: h.head}
			main := githubtest.WorkflowRun{ID: 60, Workflow: 7, Event: "push", Branch: "main", Head: h.base}
			if c.head != nil {
				ended.Artifacts = map[string][]byte{"evals": zipped(t, c.head)}
			}
			if c.base != nil {
				main.Artifacts = map[string][]byte{"evals": zipped(t, c.base)}
			}
			h.AddRun(main)
			h.AddRun(githubtest.WorkflowRun{ID: 65, Workflow: 7, Event: "pull_request", Branch: "main", Head: h.head, Fork: true, Artifacts: map[string][]byte{"evals": zipped(t, wrong)}})
			h.AddRun(ended)
			h.env["INPUT_RESULTS-HEAD"] = "artifact:evals"
			if h.env["INPUT_RESULTS-BASE"] == "" {
				h.env["INPUT_RESULTS-BASE"] = "artifact:evals@main"
			}
			o := h.run()
			if n := len(h.Comments(pullNumber)); o.code != c.code || n != c.posted {
				t.Errorf("exit code %d and %d comments, want %d and %d\n%s", o.code, n, c.code, c.posted, o.log)
			}
			holds(t, "the log", o.log, c.says)
			for _, check := range h.Checks() {
				if check.HeadSHA != h.head {
					t.Errorf("a check run stands at %s, want the head's %s", check.HeadSHA, h.head)
				}
			}
		})
	}
}
