package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

func TestDecideCountsCasesOutOfScopeForMinCases(t *testing.T) {
	_, head := comparetest.Sides(t, "s/a - pass")
	p := comparetest.GateWithoutReruns()
	p.Settings[config.MinCases] = comparetest.ErrorAt(5)
	in := gate.Run{Head: head, Comparison: comparetest.Compare(nil, head), CaseCount: 9}
	if verdict, reasons := gate.Decide(p, in); verdict != report.Passed {
		t.Errorf("Decide with 1 of 9 cases in scope = %s, %q; want passed", verdict, comparetest.ReasonLines(reasons))
	}
}

func TestAnEmptiedRunHasTooFewCases(t *testing.T) {
	g := with(config.MinCases, comparetest.ErrorAt(2))
	says(t, gate.Cases, g, runOf(t, "s/a pass -"), "error: 0 cases, at least 2 needed")
	says(t, gate.Cases, g, gate.Run{Head: &report.Side{}}) // nothing is in scope
	says(t, gate.Cases, g, runOf(t, "s/a pass pass"), "error: 1 case, at least 2 needed")
	says(t, gate.Cases, g, runOf(t, "s/a pass pass", "s/b pass pass"))
}
