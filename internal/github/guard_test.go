package github_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	failproof "github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/github/githubtest"
)

func checksRule(app any, names ...string) map[string]any {
	var checks []map[string]any
	for _, name := range names {
		checks = append(checks, map[string]any{"context": name, "integration_id": app})
	}
	return map[string]any{"type": "required_status_checks", "parameters": map[string]any{"required_status_checks": checks}}
}

func TestWhatGuardsABranch(t *testing.T) {
	owners := map[string]any{"type": "pull_request", "parameters": map[string]any{"require_code_owner_review": true}}
	var many []map[string]any
	var manyChecks []failproof.RequiredCheck
	for i := range 120 {
		many = append(many, checksRule(nil, fmt.Sprint("job ", i)))
		manyChecks = append(manyChecks, failproof.RequiredCheck{Name: fmt.Sprint("job ", i)})
	}
	for _, c := range []struct {
		rule string
		set  func(*githubtest.Server)
		want failproof.Guard
	}{
		{"nothing", func(*githubtest.Server) {}, failproof.Guard{Branch: "main"}},
		{"rulesets, also of kinds that are not known here", func(s *githubtest.Server) {
			s.SetRules("main", checksRule(15368, "prompt gate"), owners, map[string]any{"type": "of the year 2030"}, map[string]any{"type": "merge_queue"}, checksRule(15368, "prompt gate"))
		}, failproof.Guard{Branch: "main", Required: []failproof.RequiredCheck{{Name: "prompt gate", App: 15368}}, CodeOwners: true, MergeQueue: true}},
		{"more rules than a page holds", func(s *githubtest.Server) { s.SetRules("main", many...) }, failproof.Guard{Branch: "main", Required: manyChecks}},
		{"the older protection, to an administrator", func(s *githubtest.Server) { s.SetProtection("main", map[string]int64{"a": 0, "b": 7}, true, true) },
			failproof.Guard{Branch: "main", Required: []failproof.RequiredCheck{{Name: "a"}, {Name: "b", App: 7}}, CodeOwners: true}},
		{"and to others", func(s *githubtest.Server) { s.SetProtection("main", map[string]int64{"a": 0}, true, false) },
			failproof.Guard{Branch: "main", Required: []failproof.RequiredCheck{{Name: "a"}},
				Partial: "the branch is protected, and only an administrator's token sees whose reviews that requires"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			h := newHub()
			h.SetBranch("main", h.base)
			c.set(h.Server)
			got, err := failproof.ReadGuard(t.Context(), clientOf(t, h, githubtest.Token), "octo", "prompts")
			if diff := cmp.Diff(&c.want, got); err != nil || diff != "" {
				t.Errorf("error %v (-want +got):\n%s", err, diff)
			}
			if n := h.TakeWrites(); n > 0 {
				t.Errorf("%d requests wanted to change something", n)
			}
		})
	}
}

func TestAGuardThatCannotBeReadSaysWhy(t *testing.T) {
	h := newHub()
	_, err := failproof.ReadGuard(t.Context(), clientOf(t, h, "wrong"), "octo", "prompts")
	if err == nil || !strings.Contains(err.Error(), "read the name of the default branch: GitHub answered 401: Bad credentials") {
		t.Errorf("error %v", err)
	}
	h.AddFault(githubtest.Fault{Path: regexp.MustCompile(`/rules/branches/`), Status: 403, Body: `{"message": "Upgrade to GitHub Pro"}`})
	_, err = failproof.ReadGuard(t.Context(), clientOf(t, h, githubtest.Token), "octo", "prompts")
	if err == nil || !strings.Contains(err.Error(), "read the rules of branch main: GitHub answered 403: Upgrade to GitHub Pro") {
		t.Errorf("error %v", err)
	}
}
