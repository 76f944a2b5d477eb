package github_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	failproof "github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/github/githubtest"
)

func TestWhatIsCompared(t *testing.T) {
	h := newHub()
	tip := h.Commit(map[string]string{"suites/a.yaml": "old", "suites/b.yaml": "more"}, h.base)
	h.SetBranch("main", tip)
	h.SetPull(7, h.base, h.head, false)
	other := h.Commit(map[string]string{"suites/a.yaml": "other"}, h.base)
	h.SetBranch("release", other)
	event := func(name string, edit func(*failproof.Event)) failproof.Event {
		e := failproof.Event{Name: name, Owner: "octo", Repo: "prompts", DefaultBranch: "main", HeadSHA: h.head, HeadRef: "change"}
		edit(&e)
		return e
	}
	pull := event("pull_request", func(e *failproof.Event) { e.Number, e.BaseRef, e.BaseSHA = 7, "main", h.base })
	merged := h.MergeCommit(7)
	for _, c := range []struct {
		rule  string
		event failproof.Event
		base  string
		want  failproof.Revisions
	}{
		{"a pull request as it would be merged, with its branch", pull, "",
			failproof.Revisions{Head: merged, HeadRef: h.head[:7] + " merged into main", Base: tip, BaseName: "main", Rules: tip, RulesName: "main"}},
		{"a workflow may compare it with another branch, not by another's rules", pull, "release",
			failproof.Revisions{Head: merged, HeadRef: h.head[:7] + " merged into main", Base: h.base, BaseName: "release", MergeBase: true, Rules: tip, RulesName: "main"}},
		{"a merge group with its base", event("merge_group", func(e *failproof.Event) { e.BaseRef, e.BaseSHA = "main", tip }), "",
			failproof.Revisions{Head: h.head, Base: tip, BaseName: "main", Rules: tip, RulesName: "main"}},
		{"a push to the default branch with the commit before", event("push", func(e *failproof.Event) { e.HeadRef, e.BaseRef, e.BaseSHA = "main", "main", other }), "",
			failproof.Revisions{Head: h.head, Base: other, BaseName: "main", Rules: other, RulesName: "main"}},
		{"the first push of the default branch with nothing", event("push", func(e *failproof.Event) { e.HeadRef = "main" }), "", failproof.Revisions{Head: h.head}},
		{"a push to another branch with the default branch, by its rules of now", event("push", func(e *failproof.Event) { e.BaseRef, e.BaseSHA = "change", other }), "",
			failproof.Revisions{Head: h.head, Base: h.base, BaseName: "main", MergeBase: true, Rules: tip, RulesName: "main"}},
		{"the push of a tag that is called like the default branch", event("push", func(e *failproof.Event) { e.HeadRef = "refs/tags/main" }), "",
			failproof.Revisions{Head: h.head, Base: h.base, BaseName: "main", MergeBase: true, Rules: tip, RulesName: "main"}},
		{"a run by hand with the default branch", event("workflow_dispatch", func(*failproof.Event) {}), "",
			failproof.Revisions{Head: h.head, Base: h.base, BaseName: "main", MergeBase: true, Rules: tip, RulesName: "main"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got, err := failproof.NewRepository(clientOf(t, h, githubtest.Token), c.event, failproof.Run{}, noSleep).Revisions(t.Context(), c.base)
			if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
				t.Errorf("error %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

// history is a repository in which people push, merge, rewrite and move pull request 7 about.
type history struct {
	*githubtest.Server
	commits  map[string][]string // parents
	branches map[string]string
	into     string
	head     string
	n        int
}

func (h *history) commit(parents ...string) string {
	h.n++
	sha := h.Commit(map[string]string{fmt.Sprint("f", h.n): "x"}, parents...)
	h.commits[sha] = parents
	return sha
}

// before reports whether a commit is another one or in its history.
func (h *history) before(sha, of string) bool {
	if sha == of {
		return true
	}
	return slices.ContainsFunc(h.commits[of], func(p string) bool { return h.before(sha, p) })
}

func (h *history) step(what int) {
	switch what {
	case 0: // the branch moves on
		h.branches[h.into] = h.commit(h.branches[h.into])
	case 1: // the other branch does
		other := map[string]string{"main": "lax", "lax": "main"}[h.into]
		h.branches[other] = h.commit(h.branches[other])
	case 2: // the branch is rewritten
		h.branches[h.into] = h.commit()
	case 3: // a push
		h.head = h.commit(h.head)
		h.SetPull(7, h.branches[h.into], h.head, false)
	case 4: // the branch is merged into the head: histories cross
		h.head = h.commit(h.head, h.branches[h.into])
		h.SetPull(7, h.branches[h.into], h.head, false)
	case 5: // the head is merged into the other branch
		other := map[string]string{"main": "lax", "lax": "main"}[h.into]
		h.branches[other] = h.commit(h.branches[other], h.head)
	case 6: // the pull request goes into the other branch
		h.into = map[string]string{"main": "lax", "lax": "main"}[h.into]
		h.Retarget(7, h.into)
	case 7: // somebody looks
		h.SetPull(7, h.branches[h.into], h.head, false)
	}
	for name, sha := range h.branches {
		h.SetBranch(name, sha)
	}
}

// Whatever happened before, a pull request is judged as a merge of its head into a commit of its branch, or not at all.
func TestNothingButAMergeOfThisHeadIntoThisBranchIsJudged(t *testing.T) {
	judged, refused := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		h := &history{Server: githubtest.New("octo", "prompts"), commits: map[string][]string{}, branches: map[string]string{}, into: "main"}
		h.branches["main"] = h.commit()
		h.branches["lax"] = h.commit(h.branches["main"])
		h.head = h.commit(h.branches["main"])
		h.SetBranch("main", h.branches["main"])
		h.SetBranch("lax", h.branches["lax"])
		h.SetPull(7, h.branches["main"], h.head, false)
		started := h.MergeCommit(7)
		for _, what := range rapid.SliceOfN(rapid.IntRange(0, 7), 0, 12).Draw(rt, "steps") {
			h.step(what)
		}
		event := failproof.Event{Name: "pull_request", Owner: "octo", Repo: "prompts", Number: 7, HeadSHA: h.head, BaseRef: h.into, RunSHA: started}
		got, err := failproof.NewRepository(clientOf(t, h, githubtest.Token), event, failproof.Run{}, noSleep).Revisions(t.Context(), "")
		if errors.Is(err, failproof.ErrNoMerge) {
			refused++
			return
		}
		if err != nil {
			rt.Fatal(err)
		}
		judged++
		if !slices.Equal(h.ParentsOf(got.Head), []string{got.Base, h.head}) || got.Rules != got.Base || !h.before(got.Base, h.branches[h.into]) {
			rt.Fatalf("%+v is no merge of %s into a commit of %s", got, h.head, h.into)
		}
	})
	if judged == 0 || refused == 0 {
		t.Errorf("%d judged and %d refused: the histories do not try both", judged, refused)
	}
}

// The reasons for which nothing is judged tell what to do.
func TestWhyThereIsNothingToJudge(t *testing.T) {
	h := newHub()
	h.DelayMerge(7, -1)
	event := h.event()
	event.BaseRef = "main"
	_, err := failproof.NewRepository(clientOf(t, h, githubtest.Token), event, failproof.Run{}, noSleep).Revisions(t.Context(), "")
	if !errors.Is(err, failproof.ErrNoMerge) || !strings.HasPrefix(err.Error(), "GitHub has no merge commit of pull request #7 and main: none was made within a minute; run the job again") {
		t.Errorf("error %v", err)
	}
}
