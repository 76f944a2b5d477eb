package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
)

func TestARunThatEndedEarlyIsNotDecided(t *testing.T) {
	lenient := func(g *config.Gate) { g.Settings[config.MaxUnscored] = comparetest.ErrorAt(1) }
	check(t, []gateCase{
		{"a budget that ended leaves it undecided, however few answers are missing", lenient, []string{"s/a pass pass", "s/b pass pass", "s/c pass unasked-budget"},
			report.Undecided, []string{"error budget: limits.max_calls (2) is used up: 1 of 6 answers missing"}},
		{"answers of the base count as much", lenient, []string{"s/a pass pass", "s/b unasked-budget pass"}, report.Undecided,
			[]string{"error budget: limits.max_calls (2) is used up: 1 of 4 answers missing",
				"warn max_unscored: 1 case is not compared: too few answers came before"}},
		{"a regression that is proven stays failed beside a budget", lenient, []string{"s/a pass fail", "s/b pass unasked-budget"}, report.Failed,
			[]string{"error max_regressions: 1 regression, max_regressions is 0", "error budget: limits.max_calls (2) is used up: 1 of 4 answers missing"}},
		{"a cancelled run is not decided, whatever it saw", lenient, []string{"s/a pass fail", "s/b unasked-cancelled unasked-cancelled"}, report.Undecided,
			[]string{"error max_regressions: 1 regression, max_regressions is 0", "error cancelled: the run was canceled: 2 of 4 answers missing"}},
	})
}

func TestWhatWasLeftWhenARunEnded(t *testing.T) {
	for want, ended := range map[string]report.EarlyEnd{
		"error: stopped: the remaining calls were not made":       {Reason: model.ReasonCancelled, Why: "stopped"},
		"error: stopped: cases that flipped were not asked again": {Reason: model.ReasonCancelled, Why: "stopped", Reruns: 1},
		"error: stopped: 1 of 2 answers missing":                  {Reason: model.ReasonCancelled, Why: "stopped", Trials: 1, Reruns: 1},
		"error: stopped: 1 of 2 answers not judged":               {Reason: model.ReasonCancelled, Why: "stopped", Trials: 1, Unjudged: true},
	} {
		in := runOf(t, "s/a pass pass")
		in.Head.EarlyEnds = []report.EarlyEnd{ended}
		says(t, gate.Cancelled, comparetest.GateWithoutReruns(), in, want)
	}
	in := runOf(t, "s/a pass pass")
	in.Head.EarlyEnds = []report.EarlyEnd{{Reason: model.ReasonBudget, Why: "used up"}} // nothing was left to ask
	says(t, gate.Budget, comparetest.GateWithoutReruns(), in)
}
