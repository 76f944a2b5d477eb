package cli_test

import (
	"bytes"
	"maps"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/github/githubtest"
)

// shop is a repository with a suite of two cases, whose answers are recorded in a line each, with edits made to it:
// pairs of what is replaced in any of its files, and by what.
func shop(t testing.TB, edits ...string) map[string]string {
	t.Helper()
	files := map[string]string{
		"failproof.yml": "version: 1\nsuites: ['suites/*.yaml']\ndefault_target: replay\ntargets:\n" +
			"  replay: { provider: recorded, path: 'recordings/{suite}.jsonl' }\ngate: { min_run_score: 0.5 }\n",
		"suites/shop.yaml": "version: 1\nweight: 1\nmessages: [{ role: user, content: '{{ q }}' }]\ncases:\n" +
			"  - { id: hours, vars: { q: When }, expected_response: nine, match: contains }\n" +
			"  - { id: place, vars: { q: Where }, expected_response: Leeds, match: contains }\n",
		"suites/desk.yaml": "version: 1\nmessages: [{ role: user, content: '{{ q }}' }]\ncases:\n" +
			"  - { id: till, vars: { q: Until }, expected_response: six, match: contains }\n",
		"recordings/shop.jsonl": `{"suite_id":"shop","case_id":"hours","trial":1,"raw_response":"From nine"}` + "\n\n\n" +
			`{"suite_id":"shop","case_id":"place","trial":1,"raw_response":"In Leeds"}` + "\n",
		"recordings/desk.jsonl": `{"suite_id":"desk","case_id":"till","trial":1,"raw_response":"Until six"}` + "\n",
	}
	for i := 0; i < len(edits); i += 2 {
		found := false
		for name, text := range files {
			found = found || strings.Contains(text, edits[i])
			files[name] = strings.ReplaceAll(text, edits[i], edits[i+1])
		}
		if !found {
			t.Fatalf("no file holds %q", edits[i])
		}
	}
	return files
}

// land puts other files on the main branch, on top of what it has.
func (h *hub) land(files map[string]string) string {
	sha := h.Commit(files, h.base)
	h.SetBranch("main", sha)
	return sha
}

// renew has GitHub make the merge commit anew, as it does when somebody looks at the pull request.
func (h *hub) renew() {
	h.SetPull(pullNumber, h.base, h.head, false)
	h.env["GITHUB_SHA"] = h.MergeCommit(pullNumber)
}

func TestActionJudgesTheMergeResult(t *testing.T) {
	h := hubOf(t, shop(t), shop(t, "From nine", "From ten"))
	tip := h.land(shop(t, "min_run_score: 0.5", "min_run_score: 0.9", "  - { id: till", "  - { id: new, vars: { q: New }, expected_response: x, match: contains }\n  - { id: till"))
	h.renew()
	o := h.run()
	h.expect(o, cli.ExitFailed, "failed")
	body := h.comment().Body
	// The branch is from before the bar and before the new case: it is held to the one, and has not removed the other.
	holds(t, "the comment", body, "below `min_run_score` 0.900", "1 regression",
		"Compared [`"+h.MergeCommit(pullNumber)[:7]+"`]", h.head[:7]+"` merged into main", "with [`"+tip[:7]+"`]", "/blob/"+h.MergeCommit(pullNumber)+"/")
	if strings.Contains(body, "removed") || strings.Contains(body, h.head+"/") {
		t.Errorf("the comment calls what the branch never had removed, or links to what was not judged:\n%s", body)
	}
	if c := h.Checks(); len(c) != 1 || c[0].HeadSHA != h.head || c[0].Name != "failproof" {
		t.Errorf("check runs %+v, want one named failproof at the pull request's own head", c)
	}
}

// An annotation stands at the pull request's head; its line is the merge result's.
func TestActionAnnotatesOnlyFilesThatAreTheSameAtTheHead(t *testing.T) {
	h := hubOf(t, shop(t), shop(t, "From nine", "From ten", "Until six", "Until seven"))
	h.land(shop(t, "version: 1\nweight: 1", "# a line more\nversion: 1\nweight: 1"))
	h.renew()
	h.expect(h.run(), cli.ExitFailed, "failed")
	holds(t, "the comment", h.comment().Body, "suites/shop.yaml#L6", "suites/desk.yaml#L4")
	var at []string
	for _, a := range h.Checks()[0].Annotations {
		at = append(at, a.Path)
	}
	if len(at) != 2 || at[0] != "suites/desk.yaml" || at[1] != "suites/desk.yaml" {
		t.Errorf("annotations at %q, want those of the case and of the score at the file that nobody else changed", at)
	}
}

func TestActionNeedsAMergeResult(t *testing.T) {
	for _, c := range []struct {
		rule    string
		make    func(h *hub)
		code    int
		comment string
		waits   bool
	}{
		{"a merge commit that GitHub is still making is waited for", func(h *hub) { h.DelayMerge(pullNumber, 2); h.env["GITHUB_SHA"] = h.head }, cli.ExitFailed, "1 regression", true},
		{"one that GitHub does not make in a minute is not judged by less", func(h *hub) { h.DelayMerge(pullNumber, -1); h.env["GITHUB_SHA"] = h.head },
			cli.ExitUndecided, "none was made within a minute; run the job again", true},
		{"where the ref is gone the commit of the run counts", func(h *hub) { h.DelayMerge(pullNumber, -1) }, cli.ExitFailed, "1 regression", false},
		{"a conflict is said at once", func(h *hub) {
			h.land(shop(h.t, "From nine", "At nine"))
			h.env["GITHUB_SHA"] = h.Commit(nil)
			h.SetPull(pullNumber, h.base, h.head, false)
			h.DelayMerge(pullNumber, 0)
		}, cli.ExitUndecided, "it has a conflict with the branch", false},
		{"a merge of an older head does not count", func(h *hub) {
			next := h.Commit(shop(h.t), h.head)
			h.SetPull(pullNumber, h.base, next, false)
			h.env["GITHUB_SHA"] = h.MergeCommit(pullNumber)
		}, cli.ExitUndecided, "it has a newer head", false},
		{"a run of an older head judges the merge that it was started on", func(h *hub) {
			h.SetPull(pullNumber, h.base, h.Commit(shop(h.t), h.head), false)
		}, cli.ExitFailed, "has moved on to", false},
		{"a merge into another branch does not count after the pull request was moved back", func(h *hub) {
			h.SetBranch("lax", h.Commit(shop(h.t, "min_run_score: 0.5", "max_regressions: 9"), h.base))
			h.Retarget(pullNumber, "lax")
			h.renew()
			h.Retarget(pullNumber, "main")
		}, cli.ExitFailed, "`max_regressions` is 0", true},
		{"a merge into a branch that was rewritten does not count", func(h *hub) {
			h.SetBranch("main", h.Commit(shop(h.t, "From nine", "From noon")))
			h.DelayMerge(pullNumber, -1)
		}, cli.ExitUndecided, "none was made within a minute", true},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := hubOf(t, shop(t), shop(t, "From nine", "From ten"))
			c.make(h)
			o := h.run()
			verdict := map[int]string{cli.ExitFailed: "failed", cli.ExitUndecided: "undecided"}[c.code]
			h.expect(o, c.code, verdict)
			holds(t, "the comment", h.comment().Body, c.comment)
			// A second goes by between the two writes.
			if got := h.waited > time.Second; got != c.waits || h.waited > 61*time.Second {
				t.Errorf("it waited %v; want a wait: %v, of a minute at most", h.waited, c.waits)
			}
			if checks := h.Checks(); len(checks) != 1 || checks[0].HeadSHA != h.head || checks[0].Conclusion != "failure" {
				t.Errorf("check runs %+v, want one that failed at the head of the event", checks)
			}
			if c.code == cli.ExitUndecided {
				holds(t, "the comment", h.comment().Body, "## ⏸️ No verdict: GitHub has no merge commit of this pull request and its branch")
				if strings.Contains(h.comment().Body, "leaves every prompt") || o.outputs["report"] == "" {
					t.Errorf("it claims to have looked, or leaves no report:\n%s", h.comment().Body)
				}
			}
		})
	}
}

// What the branch became while the run went on counts as far as it sets rules.
func TestActionReadsTheBranchOnceMore(t *testing.T) {
	for _, c := range []struct {
		rule  string
		edits []string
		code  int
		says  string
	}{
		{"a bar that was raised", []string{"min_run_score: 0.5", "min_run_score: 0.9"}, cli.ExitUndecided, "gate.min_run_score"},
		{"a weight", []string{"weight: 1", "weight: 3"}, cli.ExitUndecided, "suites.shop.weight"},
		{"a severity", []string{"id: hours,", "id: hours, severity: critical,"}, cli.ExitUndecided, "severity"},
		{"a policy", []string{"gate:", "policies: { no: { patterns: [x] } }\ngate:"}, cli.ExitUndecided, "policies.no"},
		{"a target", []string{"provider: recorded, ", "trials: 2, provider: recorded, "}, cli.ExitUndecided, "targets.replay.trials"},
		{"a comment in the configuration is no rule", []string{"gate:", "# the bars\ngate:"}, cli.ExitPassed, ""},
		{"the order of keys is no rule", []string{"default_target: replay\n", "", "gate:", "default_target: replay\ngate:"}, cli.ExitPassed, ""},
		{"other answers are no rule", []string{"Until six", "At six"}, cli.ExitPassed, ""},
		{"a case more is no rule", []string{"  - { id: till", "  - { id: more, vars: { q: x }, expected_response: y, match: contains }\n  - { id: till"}, cli.ExitPassed, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := hubOf(t, shop(t), shop(t, "From nine", "From nine on"))
			moved := h.Commit(shop(t, c.edits...), h.base)
			h.OnRequest(func(r *http.Request) { // once the trees are being read, what is compared is settled
				if strings.Contains(r.URL.Path, "/git/blobs/") {
					h.SetBranch("main", moved)
				}
			})
			o := h.run()
			if o.code != c.code {
				t.Errorf("exit code %d, want %d; log:\n%s", o.code, c.code, o.log)
			}
			if c.code == cli.ExitUndecided {
				holds(t, "the comment", h.comment().Body, "the rules of main changed since this commit was judged", c.says, "update the branch")
				if conclusion := h.Checks()[0].Conclusion; conclusion != "failure" {
					t.Errorf("the check run concludes %s", conclusion)
				}
			}
		})
	}
	t.Run("a branch that cannot be read is not taken for unchanged", func(t *testing.T) {
		h := hubOf(t, shop(t), shop(t, "From nine", "From nine on"))
		h.AddFault(githubtest.Fault{Path: regexp.MustCompile(`/git/ref/heads/main`), Skip: 1, Status: 502, Body: "{}"})
		h.expect(h.run(), cli.ExitUndecided, "undecided")
		holds(t, "the comment", h.comment().Body, "could not read whether the rules", "run the job again")
	})
	t.Run("an outage makes nothing of a failure", func(t *testing.T) {
		h := hubOf(t, shop(t), shop(t, "From nine", "From ten"))
		h.AddFault(githubtest.Fault{Path: regexp.MustCompile(`/git/ref/heads/main`), Skip: 1, Status: 502, Body: "{}"})
		h.expect(h.run(), cli.ExitFailed, "failed")
	})
}

func TestActionTakesTheDefaultBranchsConfigurationWhereTheBaseHasNone(t *testing.T) {
	bare := func(edits ...string) map[string]string {
		files := shop(t, edits...)
		delete(files, "failproof.yml")
		return files
	}
	h := hubOf(t, bare(), bare("From nine", "From ten"))
	h.SetBranch("release", h.base)
	h.Retarget(pullNumber, "release")
	h.pull()["base"].(map[string]any)["ref"] = "release"
	h.SetBranch("main", h.Commit(shop(t, "min_run_score: 0.5", "min_run_score: 0.95"), h.base))
	h.expect(h.run(), cli.ExitFailed, "failed")
	holds(t, "the comment", h.comment().Body, "below `min_run_score` 0.950", "1 regression")
	if name := h.Checks()[0].Name; name != "failproof (into release)" {
		t.Errorf("the check run is called %q", name)
	}
}

// policyChange is a change of the gate, which a fork may not make and others may.
func policyChange(t *testing.T) *hub {
	return hubOf(t, shop(t), shop(t, "min_run_score: 0.5", "min_run_score: 0.4"))
}

func TestActionKnowsAForkInAMergeQueue(t *testing.T) {
	for _, c := range []struct {
		rule   string
		forks  []bool // of pull requests 7, 8, …, in the queue's order
		make   func(h *hub, group githubtest.MergeGroup)
		squash bool
		want   int
		says   string
	}{
		{"a group of the repository's own", []bool{false}, nil, false, cli.ExitPassed, ""},
		{"one pull request, squashed", []bool{false}, nil, true, cli.ExitPassed, ""},
		{"a fork's", []bool{true}, nil, false, cli.ExitFailed, "this change edits 1 setting"},
		{"a fork's, squashed", []bool{true}, nil, true, cli.ExitFailed, ""},
		{"a fork's before another", []bool{true, false}, nil, false, cli.ExitFailed, ""},
		{"a fork's behind another", []bool{false, true}, nil, false, cli.ExitFailed, ""},
		{"three of the repository's own", []bool{false, false, false}, nil, false, cli.ExitPassed, ""},
		{"several, squashed: which they are cannot be told", []bool{false, false}, nil, true, cli.ExitFailed, "judged as one with a fork"},
		{"a group of another name", []bool{false}, func(h *hub, _ githubtest.MergeGroup) {
			h.event["merge_group"].(map[string]any)["head_ref"] = "refs/heads/queue"
		}, false, cli.ExitFailed, "judged as one with a fork"},
		{"GitHub does not say", []bool{false}, func(h *hub, _ githubtest.MergeGroup) {
			h.AddFault(githubtest.Fault{Path: regexp.MustCompile(`/pulls/7$`), Status: 502, Body: "{}"})
		}, false, cli.ExitFailed, "judged as one with a fork"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := policyChange(t)
			numbers := []int{}
			for i, fork := range c.forks {
				n := pullNumber + i
				head := h.head
				if i > 0 {
					more := maps.Clone(shop(t))
					more["notes/"+strings.Repeat("x", i)] = "another"
					head = h.Commit(more, h.base)
				}
				h.SetPull(n, h.base, head, fork)
				numbers = append(numbers, n)
			}
			group := h.queue(c.squash, numbers...)
			if c.make != nil {
				c.make(h, group)
			}
			o := h.run()
			if o.code != c.want {
				t.Errorf("exit code %d, want %d; log:\n%s", o.code, c.want, o.log)
			}
			holds(t, "log and summary", o.log+o.summary, c.says)
			if checks := h.Checks(); len(checks) != 1 || checks[0].Name != "failproof" || checks[0].HeadSHA != group.Head {
				t.Errorf("check runs %+v, want one named failproof at the group's head", checks)
			}
		})
	}
}

// stamped gives the answers of the files their keys, as `failproof record --stamp` does.
func stamped(t *testing.T, files map[string]string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	var out bytes.Buffer
	code := mainOf(t.Context(), []string{"record", "--stamp", "--yes"}, cli.System{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out,
		Getenv: func(string) string { return "" }, Now: time.Now, Dir: dir})
	if code != cli.ExitPassed {
		t.Fatalf("record --stamp exits %d: %s", code, out.String())
	}
	files = maps.Clone(files)
	for name := range files {
		files[name] = read(filepath.Join(dir, filepath.FromSlash(name)))
	}
	return files
}

// An answer that the branch made for its own prompt is stale where another prompt was merged meanwhile.
func TestActionSaysThatAStaleAnswerNeedsTheBranchUpdated(t *testing.T) {
	files := func(system, question, answer string) map[string]string {
		return stamped(t, shop(t, "messages: [{ role: user, content: '{{ q }}' }]\ncases:\n  - { id: hours",
			"messages: [{ role: system, content: '"+system+"' },\n  { role: user, content: '"+question+" {{ q }}' }]\ncases:\n  - { id: hours", "From nine", answer))
	}
	// The system's line and the user's are far enough apart for git to merge a change of each; the fake merges whole
	// files.
	base, branch, main := files("Be kind.", "Say:", "From nine"), files("Be kind.", "Tell:", "At nine"), files("Be short.", "Say:", "nine")
	h := hubOf(t, base, branch)
	tip := h.land(main)
	both := maps.Clone(branch)
	both["suites/shop.yaml"] = strings.Replace(branch["suites/shop.yaml"], "Be kind.", "Be short.", 1)
	h.SetMergeCommit(pullNumber, h.Commit(both, tip, h.head))
	o := h.run()
	h.expect(o, cli.ExitUndecided, "undecided")
	holds(t, "the comment", h.comment().Body, "update the branch and record again: stale, made for another prompt")

	// Where the branch itself is what is stale, an update of it mends nothing.
	stale := maps.Clone(branch)
	stale["recordings/shop.jsonl"] = base["recordings/shop.jsonl"]
	h = hubOf(t, base, stale)
	h.expect(h.run(), cli.ExitUndecided, "undecided")
	if body := h.comment().Body; strings.Contains(body, "update the branch") || !strings.Contains(body, "record --stamp") {
		t.Errorf("the comment says something else than to make the answer anew:\n%s", body)
	}
}
