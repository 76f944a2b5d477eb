package cli_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/github/githubtest"
	"github.com/failproof/failproof/internal/sharedtest"
)

const noCommit = "0000000000000000000000000000000000000000"

func TestActionEvents(t *testing.T) {
	for _, c := range []struct {
		rule     string
		event    func(h *hub)
		code     int
		verdict  string
		comments int
		checks   int
	}{
		{"a pull request of the same repository is commented and checked", func(*hub) {}, cli.ExitFailed, "failed", 1, 1},
		{"a fork's pull request is judged without a word on GitHub", func(h *hub) { h.fork(repository(2000)) }, cli.ExitFailed, "failed", 0, 0},
		{"a pull request of a deleted fork is judged", func(h *hub) { h.fork(nil) }, cli.ExitFailed, "failed", 0, 0},
		{"a push to the default branch is compared with what was there before", func(h *hub) {
			h.on("push", map[string]any{"ref": "refs/heads/main", "before": h.base, "after": h.head})
		}, cli.ExitFailed, "failed", 0, 1},
		{"the first push of the default branch has no base and meets the bars alone", func(h *hub) {
			h.on("push", map[string]any{"ref": "refs/heads/main", "before": noCommit, "after": h.base})
		}, cli.ExitPassed, "passed", 0, 1},
		{"the first push of the default branch can miss the bars", func(h *hub) {
			h.on("push", map[string]any{"ref": "refs/heads/main", "before": noCommit, "after": h.head})
		}, cli.ExitFailed, "failed", 0, 1},
		{"a push to another branch is compared with the default branch", func(h *hub) {
			h.on("push", map[string]any{"ref": "refs/heads/change", "before": h.head, "after": h.head})
		}, cli.ExitFailed, "failed", 0, 1},
		{"the first push of another branch is compared with the default branch", func(h *hub) {
			h.on("push", map[string]any{"ref": "refs/heads/change", "before": noCommit, "after": h.head})
		}, cli.ExitFailed, "failed", 0, 1},
		{"a tag that is called like the default branch is no push to it", func(h *hub) {
			h.on("push", map[string]any{"ref": "refs/tags/main", "before": h.head, "after": h.head})
		}, cli.ExitFailed, "failed", 0, 1},
		{"a deleted branch is nothing to judge", func(h *hub) {
			h.on("push", map[string]any{"ref": "refs/heads/old", "before": h.base, "after": noCommit, "deleted": true})
		}, cli.ExitInput, "invalid", 0, 0},
		{"a run by hand is compared with the default branch", func(h *hub) { h.byHand() }, cli.ExitFailed, "failed", 0, 1},
		{"a run by hand may name another base", func(h *hub) {
			h.byHand()
			h.SetBranch("twin", h.head)
			h.env["INPUT_BASE"] = "twin"
		}, cli.ExitPassed, "passed", 0, 1},
		{"a merge queue's candidate is compared with the queue's base", func(h *hub) { h.queue(false, pullNumber) }, cli.ExitFailed, "failed", 0, 1},
		{"pull_request_target is refused", func(h *hub) { h.env["GITHUB_EVENT_NAME"] = "pull_request_target" }, cli.ExitInput, "invalid", 0, 0},
		{"workflow_run is refused without results", func(h *hub) {
			h.ends(h.head)
		}, cli.ExitInput, "invalid", 0, 0},
		{"an event of another kind is refused", func(h *hub) { h.env["GITHUB_EVENT_NAME"] = "release" }, cli.ExitInput, "invalid", 0, 0},
		{"a base branch that is gone is undecided", func(h *hub) {
			h.pull()["base"].(map[string]any)["ref"] = "gone"
		}, cli.ExitUndecided, "undecided", 0, 0},
		{"a head without common history is undecided", func(h *hub) {
			h.head = h.Commit(map[string]string{"readme": "another history"})
			h.SetPull(pullNumber, h.base, h.head, false)
			h.pull()["head"].(map[string]any)["sha"] = h.head
		}, cli.ExitUndecided, "undecided", 1, 1},
		{"a named base that does not exist is undecided", func(h *hub) { h.env["INPUT_BASE"] = "nonsense" }, cli.ExitUndecided, "undecided", 0, 0},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := newHub(t)
			c.event(h)
			o := h.run()
			h.expect(o, c.code, c.verdict)
			if n := len(h.Comments(pullNumber)); n != c.comments {
				t.Errorf("%d comments, want %d", n, c.comments)
			}
			if n := len(h.Checks()); n != c.checks {
				t.Errorf("%d check runs, want %d", n, c.checks)
			}
			if o.summary == "" {
				t.Error("there is no job summary")
			}
			if n := len(h.TakeRequests()); c.code == cli.ExitInput && n != 0 {
				t.Errorf("%d requests before the input was refused, want none", n)
			}
		})
	}
}

func TestActionInputs(t *testing.T) {
	for _, c := range []struct {
		rule, name, value string
		code              int
	}{
		{"a bar that the run meets", "MIN-RUN-SCORE", "0.3", cli.ExitFailed},
		{"a bar that is no number", "MIN-RUN-SCORE", "high", cli.ExitInput},
		{"a phase that does not exist", "PHASE", "beta", cli.ExitInput},
		{"a scope that does not exist", "SCOPE", "some", cli.ExitInput},
		{"a comment mode that does not exist", "COMMENT", "loud", cli.ExitInput},
		{"a check that is neither true nor false", "CHECK", "maybe", cli.ExitInput},
		{"an output folder outside of the workspace", "OUT", "../elsewhere", cli.ExitInput},
		{"an output folder from the root", "OUT", "/tmp", cli.ExitInput},
		{"trials", "TRIALS", "1", cli.ExitFailed},
		{"no trials", "TRIALS", "0", cli.ExitInput},
		{"an amount", "MAX-COST-USD", "2.50", cli.ExitFailed},
		{"an amount that is none", "MAX-COST-USD", "$2", cli.ExitInput},
		{"no amount", "MAX-COST-USD", "0", cli.ExitInput},
		{"a shard", "SHARD", "1/2", cli.ExitPassed},
		{"a shard that is none", "SHARD", "2/1", cli.ExitInput},
		{"shards that are not there, and no live case needs one", "SHARD", "merge", cli.ExitFailed},
		{"a cache", "CACHE", ".failproof/cache", cli.ExitFailed},
		{"no cache", "CACHE", "off", cli.ExitFailed},
		{"a cache from the root", "CACHE", "/tmp", cli.ExitInput},
		{"a configuration that is not there", "CONFIG", "other.yml", cli.ExitInput},
		{"suites that the change does not touch", "SUITES", "suites/support/triage.yaml", cli.ExitPassed},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := newHub(t)
			h.env["INPUT_"+c.name] = c.value
			if o := h.run(); o.code != c.code {
				t.Errorf("%s=%s: exit code %d, want %d; log:\n%s", c.name, c.value, o.code, c.code, o.log)
			}
		})
	}
}

// Which of the published events start a run, and what comes of the example's change in each.
var publishedVerdicts = map[string]int{
	"pull_request": cli.ExitFailed, "merge_group": cli.ExitFailed, "workflow_dispatch": cli.ExitFailed, "push.event.1": cli.ExitFailed,
	"push.event.2": cli.ExitInput, // it deletes a tag
	"workflow_run": cli.ExitInput, "issue_comment": cli.ExitPassed /* no command */, "check_run": cli.ExitInput,
}

// TestActionPublishedEvents runs GitHub's own examples of events, and checks every request against GitHub's
// description.
func TestActionPublishedEvents(t *testing.T) {
	t.Parallel()
	folder := sharedtest.Path(t, "data/github/events")
	var current atomic.Pointer[githubtest.Server] // GitHub's description takes a second to read, so it is read once
	server := httptest.NewServer(githubtest.ValidatingHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { current.Load().ServeHTTP(w, r) })))
	defer server.Close()
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(file.Name(), func(t *testing.T) {
			kind, _, _ := strings.Cut(file.Name(), ".")
			code, known := publishedVerdicts[kind]
			if exact, is := publishedVerdicts[strings.TrimSuffix(file.Name(), ".json")]; is {
				code, known = exact, true
			}
			if !known {
				t.Fatalf("no verdict is written down for %s", file.Name())
			}
			h := publishedHub(t, filepath.Join(folder, file.Name()), kind)
			current.Store(h.Server)
			h.env["GITHUB_API_URL"] = server.URL
			if o := h.run(); o.code != code {
				t.Errorf("exit code %d, want %d; log:\n%s", o.code, code, o.log)
			}
		})
	}
}

// publishedHub is the example's change in the repository and at the commits that a published event names.
func publishedHub(t *testing.T, path, kind string) *hub {
	h := newHub(t)
	h.event = nil
	if err := json.Unmarshal([]byte(read(path)), &h.event); err != nil {
		t.Fatal(err)
	}
	full := h.event["repository"].(map[string]any)["full_name"].(string)
	owner, name, _ := strings.Cut(full, "/")
	h.Server = githubtest.New(owner, name)
	h.env["GITHUB_REPOSITORY"], h.env["GITHUB_EVENT_NAME"] = full, kind
	base, head := text(h.event, "pull_request", "base", "sha"), text(h.event, "pull_request", "head", "sha")
	switch kind {
	case "merge_group":
		base, head = text(h.event, kind, "base_sha"), text(h.event, kind, "head_sha")
	case "push":
		base, head = "", text(h.event, "after")
	case "workflow_dispatch":
		head = h.env["GITHUB_SHA"]
	}
	h.base, h.head = base, head
	if base == "" { // it is compared with the default branch
		base = h.Commit(exampleFiles(t, "main"))
	}
	h.CommitAs(base, exampleFiles(t, "main"))
	h.CommitAs(head, exampleFiles(t, "main", "warmer-tone"), base)
	h.SetBranch(text(h.event, "repository", "default_branch"), base)
	if number, is := h.event["number"].(float64); is {
		h.SetPull(int(number), base, head, false)
		h.Retarget(int(number), text(h.event, "pull_request", "base", "ref"))
	}
	return h
}

// text is a string deep in an event, "" if it is not there.
func text(event map[string]any, path ...string) string {
	var at any = event
	for _, name := range path {
		inside, _ := at.(map[string]any)
		at = inside[name]
	}
	found, _ := at.(string)
	return found
}
