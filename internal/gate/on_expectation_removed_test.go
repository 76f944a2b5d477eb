package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

// unheld returns a run with one case that has no expectation on the head. With unverified, it has none on the base
// either.
func unheld(t *testing.T, unverified bool) gate.Run {
	t.Helper()
	var base, head report.Builder
	before, now := comparetest.Result("s", "a", 1, "pass"), comparetest.Result("s", "a", 1, "pass")
	before.Classification.Details.Unverified = unverified
	now.ExpectationKey, now.Classification.Details.Unverified = "none", true
	now.UnderBase = &classify.Classification{Primary: classify.Pass}
	for b, r := range map[*report.Builder]report.Result{&base: before, &head: now} {
		if err := b.Add(r, report.Ref{}); err != nil {
			t.Fatal(err)
		}
	}
	in := gate.Run{Head: head.Side(), Base: base.Side(), BaseState: report.BaseCompared}
	in.Comparison = comparetest.Compare(in.Base, in.Head)
	return in
}

func TestACaseThatLosesItsExpectationIsNamed(t *testing.T) {
	lost := ": 1 case accepts unrelated answers, by a changed expectation: s/a"
	says(t, gate.ExpectationRemoved, comparetest.GateWithoutReruns(), unheld(t, false), "error"+lost)
	says(t, gate.ExpectationRemoved, with(config.OnExpectationRemoved, warn), unheld(t, false), "warn"+lost)
	says(t, gate.ExpectationRemoved, comparetest.GateWithoutReruns(), unheld(t, true)) // nothing was lost
	says(t, gate.ExpectationRemoved, comparetest.GateWithoutReruns(), runOf(t, "s/a pass pass unverified-head"))
}

func TestACaseThatAcceptsUnrelatedAnswersIsNamed(t *testing.T) {
	in := runOf(t, "s/a pass pass redefined", "s/b pass pass redefined", "s/c pass pass", "s/new - pass")
	says(t, gate.ExpectationRemoved, comparetest.GateWithoutReruns(), in)
	in.Loosened = map[string]bool{"s/a": true, "s/c": true, "s/new": true}
	says(t, gate.ExpectationRemoved, comparetest.GateWithoutReruns(), in,
		"error: 1 case accepts unrelated answers, by a changed expectation: s/a")
}
