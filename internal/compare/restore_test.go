package compare_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

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
	for i, c := range left.Changes {
		left.Changes[i].Base, left.Changes[i].Head = withoutPlace(c.Base), withoutPlace(c.Head)
	}
	compare.Restore(&left, base, head)
	if diff := cmp.Diff(whole.Changes, left.Changes); diff != "" {
		t.Errorf("(-whole +restored):\n%s", diff)
	}

	other, _ := comparetest.Sides(t, "s/b pass pass", "x/y pass pass")
	before := left.Changes
	compare.Restore(&left, other, other)
	if diff := cmp.Diff(before, left.Changes); diff != "" {
		t.Errorf("results of another run changed the report (-before +after):\n%s", diff)
	}
}

// withoutPlace returns an outcome as a stored report has it, without the place of its result.
func withoutPlace(o *report.Outcome) *report.Outcome {
	if o == nil {
		return nil
	}
	stored := *o
	stored.Ref = report.Ref{}
	return &stored
}
