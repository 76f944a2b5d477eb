package github_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	failproof "github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/github/githubtest"
)

// mergeBase returns the commit with which a scheduled run on head is compared where the workflow names a base.
func mergeBase(t *testing.T, h hub, base, head string) (string, error) {
	event := failproof.Event{Name: "schedule", Owner: "octo", Repo: "prompts", HeadSHA: head}
	got, err := failproof.NewRepository(clientOf(t, h, githubtest.Token), event, run(41), noSleep).Revisions(t.Context(), base)
	return got.Base, err
}

func TestMergeBase(t *testing.T) {
	h := newHub()
	root := h.Commit(map[string]string{"a": "root"})
	left := h.Commit(map[string]string{"a": "left"}, root)
	right := h.Commit(map[string]string{"a": "right"}, root)
	merge := h.Commit(map[string]string{"a": "both"}, left, right)
	alone := h.Commit(map[string]string{"a": "alone"})
	h.SetBranch("release/1.0", right)
	for _, c := range []struct {
		rule, base, head, want string
		fault                  error
	}{
		{"two branches", left, right, root, nil},
		{"an ancestor", root, merge, root, nil},
		{"a merge", left, merge, left, nil},
		{"the same", left, left, left, nil},
		{"a branch with a slash", "release/1.0", left, root, nil},
		{"histories that never meet", left, alone, "", failproof.ErrNoMergeBase},
		{"an unknown commit", strings.Repeat("1", 40), left, "", failproof.ErrNoRevision},
		{"an unknown branch", "gone", left, "", failproof.ErrNoRevision},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got, err := mergeBase(t, h, c.base, c.head)
			if got != c.want || !errors.Is(err, c.fault) {
				t.Errorf("%q, %v; want %q, %v", got, err, c.want, c.fault)
			}
		})
	}
}

func TestMergeBaseWhileGitHubIsAway(t *testing.T) {
	h := newHub()
	h.AddFault(githubtest.Fault{Path: regexp.MustCompile("/compare/"), Status: 500, Body: "oops"})
	_, err := mergeBase(t, h, h.base, h.head)
	if err == nil || errors.Is(err, failproof.ErrNoRevision) || strings.Contains(err.Error(), "api.github.test") {
		t.Errorf("error %v", err)
	}
}
