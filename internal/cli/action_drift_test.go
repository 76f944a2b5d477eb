package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/failproof/failproof/internal/cli"
	"github.com/failproof/failproof/internal/github/githubtest"
	"github.com/failproof/failproof/internal/model/modeltest"
)

// scheduled makes the event the clock's, on the default branch.
func (h *hub) scheduled() {
	h.on("schedule", map[string]any{"schedule": "0 5 * * *"})
	h.env["GITHUB_SHA"], h.env["GITHUB_REF"] = h.base, "refs/heads/main"
}

// A model that drifts on the fourth day and is well again on the eighth, over ten days.
func TestADriftedModelIsToldInOneIssueUntilItIsWellAgain(t *testing.T) {
	var today atomic.Int64
	h, _ := liveHub(t, 6, modeltest.TextStep(func(q string) string {
		if day := today.Load(); day >= 4 && day < 8 && strings.Contains(q, "n002") {
			return "no"
		}
		return "yes"
	}))
	h.scheduled()
	for day := int64(1); day <= 10; day++ {
		today.Store(day)
		o := h.run()
		drifted := day >= 4 && day < 8
		code, verdict := cli.ExitPassed, "passed"
		if drifted {
			code, verdict = cli.ExitFailed, "failed"
		}
		h.expect(o, code, verdict)
		issues := h.Issues()
		switch {
		case day < 4:
			if len(issues) != 0 {
				t.Fatalf("day %d: issues %+v, want none", day, issues)
			}
		case len(issues) != 1 || issues[0].State != map[bool]string{true: "open", false: "closed"}[drifted]:
			t.Fatalf("day %d: issues %+v, want one, open while the model is not as it was", day, issues)
		case drifted:
			holds(t, fmt.Sprintf("the issue of day %d", day), issues[0].Title+issues[0].Body, "1 case answered worse than before", "s/c002", "right 3 of 3 before, 0 of 8 now", "since `2026-01-05`", "The prompts did not change")
		default:
			holds(t, "the issue that is over", issues[0].Title, "answered as well as before again")
		}
	}
}

func TestAnIssueOfADriftIsKeptAsPeopleWantIt(t *testing.T) {
	var wrong atomic.Value
	wrong.Store("nothing")
	h, _ := liveHub(t, 6, modeltest.TextStep(func(q string) string {
		return map[bool]string{true: "no", false: "yes"}[slices.ContainsFunc(strings.Fields(wrong.Load().(string)), func(w string) bool { return strings.Contains(q, w) })]
	}))
	h.scheduled()
	day := func(what string) { t.Helper(); wrong.Store(what); h.run() }
	state := func(want ...string) {
		t.Helper()
		var got []string
		for _, i := range h.Issues() {
			got = append(got, i.State)
		}
		if !slices.Equal(got, want) {
			t.Errorf("issues are %q, want %q", got, want)
		}
	}
	for range 4 {
		day("nothing")
	}
	day("n001")
	number := h.Issues()[0].Number
	h.CloseIssue(number) // somebody has had enough of it
	day("n001")
	state("closed")
	day("n001 n003") // and another case is new
	state("open")
	h.DropIssue(number)
	day("n001 n003")
	state("open", "open")
	day("nothing")
	state("open", "closed") // the first one was deleted
}

func TestADriftThatNobodyMayWriteAboutFailsTheRunAllTheSame(t *testing.T) {
	var wrong atomic.Bool
	h, _ := liveHub(t, 3, modeltest.TextStep(func(q string) string {
		return map[bool]string{true: "no", false: "yes"}[wrong.Load() && strings.Contains(q, "n001")]
	}))
	h.scheduled()
	for range 4 {
		h.expect(h.run(), cli.ExitPassed, "passed")
	}
	wrong.Store(true)
	h.AddToken(githubtest.Token, githubtest.Actions, false, false)
	o := h.run()
	h.expect(o, cli.ExitFailed, "failed")
	holds(t, "the log", o.log, "the token needs `issues: write`")
	h.AddToken(githubtest.Token, githubtest.Actions, true, true)
	h.expect(h.run(), cli.ExitFailed, "failed")
	if len(h.Issues()) != 1 {
		t.Errorf("issues %+v, want one once it may be written", h.Issues())
	}
}

func TestAPastThatIsNoneIsSaid(t *testing.T) {
	h, server := liveHub(t, 3, modeltest.TextStep(yes))
	h.scheduled()
	for _, text := range []string{"{", "null", `{"form":2,"cases":[]}`} {
		write(t, filepath.Join(h.workspace, ".failproof/drift/past.json"), text)
		h.expect(h.run(), cli.ExitInput, "invalid")
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d questions, want none", n)
	}
	if err := os.Remove(filepath.Join(h.workspace, ".failproof/drift/past.json")); err != nil {
		t.Fatal(err)
	}
	h.expect(h.run(), cli.ExitPassed, "passed")
}

// Whoever can write the file of the past, or the issue, chooses no text that the run writes over.
func TestADriftIsToldInNoIssueButItsOwn(t *testing.T) {
	for _, c := range []struct {
		rule  string
		issue githubtest.Issue
	}{
		{"a pull request", githubtest.Issue{Number: 7, Title: "Mine", Body: "text", State: "open", Author: githubtest.Octocat, Pull: true}},
		{"a pull request of the same account, with the mark", githubtest.Issue{Number: 7, Title: "Mine", Body: "MARK", State: "open", Author: githubtest.Actions, Pull: true}},
		{"somebody's issue", githubtest.Issue{Number: 5, Title: "Mine", Body: "text", State: "open", Author: githubtest.Octocat}},
		{"somebody's issue with the mark", githubtest.Issue{Number: 5, Title: "Mine", Body: "MARK", State: "open", Author: githubtest.Octocat}},
		{"an issue of the same account without the mark", githubtest.Issue{Number: 5, Title: "Mine", Body: "text MARK", State: "open", Author: githubtest.Actions}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var wrong atomic.Bool
			h, _ := liveHub(t, 3, modeltest.TextStep(func(q string) string {
				return map[bool]string{true: "no", false: "yes"}[wrong.Load() && strings.Contains(q, "n001")]
			}))
			h.scheduled()
			for range 4 {
				h.expect(h.run(), cli.ExitPassed, "passed")
			}
			wrong.Store(true)
			h.expect(h.run(), cli.ExitFailed, "failed")
			own := h.Issues()[0]
			mark, _, _ := strings.Cut(own.Body, "\n")
			c.issue.Body = strings.ReplaceAll(c.issue.Body, "MARK", mark)
			h.AddIssue(c.issue)
			past := filepath.Join(h.workspace, ".failproof/drift/past.json")
			point := func() {
				text := read(past)
				at := fmt.Sprintf(`"issue":%d`, h.Issues()[len(h.Issues())-1].Number)
				if len(h.Issues()) == 2 {
					at = fmt.Sprintf(`"issue":%d`, own.Number)
				}
				if !strings.Contains(text, at) {
					t.Fatalf("the past does not hold %s:\n%s", at, text)
				}
				write(t, past, strings.Replace(text, at, fmt.Sprintf(`"issue":%d`, c.issue.Number), 1))
			}
			point()
			h.expect(h.run(), cli.ExitFailed, "failed") // opens another
			if n := len(h.Issues()); n != 3 {
				t.Errorf("%d issues, want another one", n)
			}
			point()
			wrong.Store(false)
			h.expect(h.run(), cli.ExitPassed, "passed") // closes none
			if got := h.Issues()[1]; got != c.issue {
				t.Errorf("the issue is %+v, want %+v", got, c.issue)
			}
		})
	}
}

func TestADriftIsToldInNoIssueWhereGraphQLIsSwitchedOff(t *testing.T) {
	var wrong atomic.Bool
	h, _ := liveHub(t, 3, modeltest.TextStep(func(q string) string {
		return map[bool]string{true: "no", false: "yes"}[wrong.Load() && strings.Contains(q, "n001")]
	}))
	h.scheduled()
	for range 4 {
		h.expect(h.run(), cli.ExitPassed, "passed")
	}
	wrong.Store(true)
	h.expect(h.run(), cli.ExitFailed, "failed")
	before := h.Issues()
	wrong.Store(false)
	h.DisableGraphQL()
	o := h.run()
	h.expect(o, cli.ExitPassed, "passed")
	holds(t, "the log", o.log, "GitHub's GraphQL API did not say who wrote it")
	if got := h.Issues(); len(before) != 1 || len(got) != 1 || got[0] != before[0] {
		t.Errorf("issues %+v, want %+v", got, before)
	}
}

func TestAPastThatTheCommitBringsIsNotRead(t *testing.T) {
	h, _ := liveHub(t, 3, modeltest.TextStep(yes))
	const past = ".failproof/drift/past.json"
	files := h.Files(h.base)
	files[past] = `{"form":1,"issue":7,"cases":[{"suite_id":"s","case_id":"c001","key":"x","right":1,"asked":1,"drifted":{"since":"2026","right":0,"asked":8}}]}`
	h.AddIssue(githubtest.Issue{Number: 7, Title: "Mine", Body: "text", State: "open", Author: githubtest.Octocat, Pull: true})
	h.base = h.Commit(files)
	h.SetBranch("main", h.base)
	h.scheduled()
	write(t, filepath.Join(h.workspace, past), files[past])
	o := h.run()
	h.expect(o, cli.ExitPassed, "passed")
	holds(t, "the log", o.log, "the commit contains .failproof/drift, which is not read")
	if got := h.Issues(); len(got) != 1 || got[0].State != "open" || got[0].Title != "Mine" {
		t.Errorf("issues %+v, want the one as it was", got)
	}
}
