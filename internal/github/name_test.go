package github_test

import (
	"strings"
	"testing"

	failproof "github.com/failproof/failproof/internal/github"
)

// No name that is allowed makes a check run that looks like one of another kind.
func TestCheckNamesAreToldApart(t *testing.T) {
	pull := failproof.Event{Name: "pull_request", BaseRef: "main", DefaultBranch: "main"}
	for _, c := range []struct {
		rule    string
		event   failproof.Event
		name    string
		lenient bool
		want    string
	}{
		{"the plain name is for pull requests into the default branch", pull, "", false, "failproof"},
		{"and for merge groups into it", failproof.Event{Name: "merge_group", BaseRef: "main", DefaultBranch: "main"}, "", false, "failproof"},
		{"a merge group of another branch", failproof.Event{Name: "merge_group", BaseRef: "next", DefaultBranch: "main"}, "", false, "failproof (into next)"},
		{"a gate that fails nothing", pull, "", true, "failproof (report only)"},
		{"a named gate that fails nothing", pull, "shop", true, "failproof (shop, report only)"},
		{"a gate that fails nothing, on a push", failproof.Event{Name: "push", BaseRef: "main", DefaultBranch: "main"}, "", true, "failproof (report only)"},
		{"a branch with a long name", failproof.Event{Name: "pull_request", BaseRef: strings.Repeat("b", 300), DefaultBranch: "main"}, "", false,
			"failproof (into " + strings.Repeat("b", 90) + "… dccc14)"},
	} {
		if got := failproof.CheckName(c.event, c.name, c.lenient); got != c.want {
			t.Errorf("%s: %q, want %q", c.rule, got, c.want)
		}
	}
}

func TestNamesOfRuns(t *testing.T) {
	for name, ok := range map[string]bool{
		"": true, "shop": true, "apps/shop": true, "release": true, "suites/**/*.{yaml yml}": true, "Läden – Süd": true, failproof.FitName(strings.Repeat("x", 500)): true,
		"push": false, "PUSH": false, "schedule": false, "report only": false, "into main": false, "into": false, "a, into main": false, "a)": false,
		" a": false, "a ": false, "a  b": false, "a\u202eb": false, "a\tb": false, "a\xffb": false,
	} {
		if err := failproof.ValidName(name); (err == nil) != ok {
			t.Errorf("%q: error %v, want it valid: %v", name, err, ok)
		}
	}
}
