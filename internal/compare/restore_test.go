package compare_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

func TestWhatAReportLeavesOutIsRestored(t *testing.T) {
	base, head := comparetest.Sides(t, "s/a pass fail", "s/b pass pass", "s/c pass,pass pass,pass must", "t/a pass pass", "t/d pass -", "u/e - timeout", "u/f pass pass")
	policy := config.Gate{Mode: config.ModeStrict, Quarantine: []config.Quarantine{{ID: "u/f"}}}
	whole := &report.Report{Verdict: report.Failed, Gate: &policy}
	c, err := settled(policy, gate.Run{Head: head, Base: base, BaseState: report.BaseCompared}, base, comparetest.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	c.Fill(whole, base, head)
	left := *whole
	left.Changes = slices.DeleteFunc(slices.Clone(whole.Changes), func(c report.Change) bool { return c.Change == report.StillPassing })
	if len(left.Changes) != 3 {
		t.Fatalf("%d changes say more than that a case passes as before, want 3", len(left.Changes))
	}
	for i := range left.Changes { // a stored report has none
		left.Changes[i].BaseCase, left.Changes[i].HeadCase = nil, nil
	}
	compare.Restore(&left, base, head)
	sameCases := cmp.Comparer(func(a, b *report.Case) bool { return a == b })
	if diff := cmp.Diff(whole.Changes, left.Changes, sameCases); diff != "" {
		t.Errorf("(-whole +restored):\n%s", diff)
	}

	other, _ := comparetest.Sides(t, "s/b pass pass", "x/y pass pass")
	before := left.Changes
	compare.Restore(&left, other, other)
	if diff := cmp.Diff(before, left.Changes, cmpopts.IgnoreFields(report.Change{}, "BaseCase", "HeadCase")); diff != "" {
		t.Errorf("results of another run changed the report (-before +after):\n%s", diff)
	}
}
