package gate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

func TestDecideWithoutABase(t *testing.T) {
	for _, c := range []struct {
		rule, state string
		bar         float64
		verdict     report.Verdict
		reasons     []string
	}{
		{"a base that was not asked for is no reason", report.BaseNone, 0.5, report.Passed, nil},
		{"a missing base is said, and is no failure", report.BaseMissing, 0.5, report.Passed,
			[]string{"warn no_base: no base to compare with: thresholds were checked, regressions were not"}},
		{"an incomparable base is said", report.BaseIncomparable, 0.5, report.Passed,
			[]string{"warn no_base: the base was judged in another way: thresholds were checked, regressions were not"}},
		{"the bars are judged", report.BaseMissing, 0.75, report.Failed,
			[]string{"error min_run_score: run score 0.500 is below min_run_score 0.750",
				"warn no_base: no base to compare with: thresholds were checked, regressions were not"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, head := comparetest.Sides(t, "s/a - pass", "s/b - fail")
			p := comparetest.GateWithoutReruns()
			p.Settings[config.MinRunScore] = comparetest.ErrorAt(c.bar)
			comparison := comparetest.Compare(nil, head)
			verdict, reasons := gate.Decide(p, gate.Run{Head: head, Comparison: comparison, BaseState: c.state})
			if verdict != c.verdict || !cmp.Equal(c.reasons, comparetest.ReasonLines(reasons)) {
				t.Errorf("Decide = %s, %q; want %s, %q", verdict, comparetest.ReasonLines(reasons), c.verdict, c.reasons)
			}
			if comparison.HasBase || comparison.Delta != nil || comparison.Counts[report.New] != 2 {
				t.Errorf("Sides without a base = %+v; want two new cases and no delta", comparison)
			}
		})
	}
}
