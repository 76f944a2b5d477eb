package gate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suiteid"
)

func TestDecideNothingInScope(t *testing.T) {
	p := comparetest.GateWithoutReruns()
	p.Settings[config.MinRunScore], p.Settings[config.MinCases] = comparetest.ErrorAt(1), comparetest.ErrorAt(1)
	verdict, reasons := gate.Decide(p, gate.Run{Head: &report.Side{}, Comparison: comparetest.Compare(&report.Side{}, &report.Side{})})
	if verdict != report.Passed || len(reasons) != 0 {
		t.Errorf("Decide of nothing = %s, %q; want passed without a reason", verdict, comparetest.ReasonLines(reasons))
	}
}

func TestDecideWithoutAnyResultIsNotNothingInScope(t *testing.T) {
	var b report.Builder
	b.Plan([]report.SuitePlan{{ID: "s", Weight: 1, Cases: 3}}, suiteid.Matches{})
	verdict, reasons := gate.Decide(comparetest.GateWithoutReruns(), gate.Run{Head: b.Side(), Comparison: comparetest.Compare(nil, b.Side())})
	want := []string{"error max_unscored: 3 of 3 trials without a score: share 1.000 is above max_unscored 0.000"}
	if diff := cmp.Diff(want, comparetest.ReasonLines(reasons)); verdict != report.Undecided || diff != "" {
		t.Errorf("Decide of planned cases without a result = %s (-want +got):\n%s", verdict, diff)
	}
}

func TestCasesFellWhereAReasonSaysThatAllAreWorseTogether(t *testing.T) {
	for code, want := range map[string]report.Kind{
		gate.Drop.Code: report.KindFell, gate.PossibleDrop.Code: report.KindFell, gate.Pooled.Code: report.KindFell, gate.Regressions.Code: report.KindFlaky,
	} {
		rep := &report.Report{Run: report.Run{BaseState: report.BaseCompared}, Reasons: []report.Reason{{Code: "min_score"}, {Code: code}}, Changes: []report.Change{
			{Change: report.Flaky, Base: &report.Outcome{Trials: 1, Passed: 1}, Head: &report.Outcome{Trials: 1}}}}
		if gate.SetChangeKinds(rep); rep.Changes[0].Kind != want {
			t.Errorf("a worse case beside %s is %s, want %s", code, rep.Changes[0].Kind, want)
		}
	}
}
