package githubtest

import (
	"maps"
	"net/http"
	"slices"
)

// SetRules sets the active rules of a branch in GitHub's form: maps with type and parameters.
func (s *Server) SetRules(branch string, rules ...map[string]any) {
	defer s.locked()()
	s.rules[branch] = rules
}

// SetProtection sets the older protection of a branch. checks maps the name of each required check to the id of its
// app, or to 0 for any app. codeOwners requires an owner's review, which a token sees only if admin is set.
func (s *Server) SetProtection(branch string, checks map[string]int64, codeOwners, admin bool) {
	defer s.locked()()
	s.protections[branch] = protection{checks, codeOwners, admin}
}

type protection struct {
	checks     map[string]int64
	codeOwners bool
	admin      bool
}

// required returns the protection's required_status_checks.
func (p protection) required() map[string]any {
	contexts, checks := []string{}, []map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(p.checks)) {
		contexts = append(contexts, name)
		checks = append(checks, map[string]any{"context": name, "app_id": p.checks[name]})
	}
	return map[string]any{"enforcement_level": "non_admins", "contexts": contexts, "checks": checks}
}

func (s *Server) getRules(c call) response {
	return list(c, s.rules[c.args[0]], func(rule map[string]any) map[string]any { return rule })
}

func (s *Server) getBranch(c call) response {
	sha, known := s.branches[c.args[0]]
	if !known {
		return problem(http.StatusNotFound, "Branch not found")
	}
	p, protected := s.protections[c.args[0]]
	return ok(map[string]any{"name": c.args[0], "commit": map[string]any{"sha": sha}, "protected": protected || len(s.rules[c.args[0]]) > 0,
		"protection": map[string]any{"enabled": protected, "required_status_checks": p.required()}})
}

func (s *Server) getProtection(c call) response {
	p, protected := s.protections[c.args[0]]
	switch {
	case !protected:
		return problem(http.StatusNotFound, "Branch not protected")
	case !p.admin:
		return problem(http.StatusForbidden, "Resource not accessible by integration")
	}
	return ok(map[string]any{"required_status_checks": p.required(), "required_pull_request_reviews": map[string]any{
		"require_code_owner_reviews": p.codeOwners, "required_approving_review_count": 1}})
}
