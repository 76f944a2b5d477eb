package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

func TestTheCostOfAnAnswerIsHeldToTheBases(t *testing.T) {
	run := func(cases int, before, now float64) (r gate.Run) {
		r = runOf(t, "s/a pass pass")
		r.Comparison.Changes = nil
		for range cases {
			r.Comparison.Changes = append(r.Comparison.Changes,
				report.Change{Base: &report.Outcome{CostUSD: &before}, Head: &report.Outcome{CostUSD: &now}})
		}
		return r
	}
	g := with(config.MaxCostIncrease, comparetest.ErrorAt(0.25))
	says(t, gate.CostIncrease, g, run(5, 0.0010, 0.0017), "error: the median answer costs 1.700 times as much as before, at most 1.250 times is allowed")
	says(t, gate.CostIncrease, with(config.MaxCostIncrease, comparetest.WarnAt(0.25)), run(5, 1, 2),
		"warn: the median answer costs 2.000 times as much as before, at most 1.250 times is allowed")
	says(t, gate.CostIncrease, g, run(5, 0.0010, 0.00125))
	says(t, gate.CostIncrease, g, run(5, 0.0010, 0.0004))
	says(t, gate.CostIncrease, g, run(5, 0, 0.0017)) // the base has no price
	says(t, gate.CostIncrease, g, run(4, 0.0010, 0.0017))
	says(t, gate.CostIncrease, comparetest.GateWithoutReruns(), run(5, 0.0010, 0.0017))
}
