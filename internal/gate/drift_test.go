package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

func TestACaseThatDriftedFailsTheBranch(t *testing.T) {
	in := runOf(t, "s/a pass pass")
	says(t, gate.Drift, comparetest.GateWithoutReruns(), in)
	in.Drifted = []report.DriftedCase{{SuiteID: "s", CaseID: "a", RightBefore: 9, AskedBefore: 10, Right: 1, Asked: 8, Since: "2026-03-01T10:00:00Z"}}
	says(t, gate.Drift, comparetest.GateWithoutReruns(), in, "error: s/a is answered worse than in earlier runs: right 9 of 10 before, 1 of 8 now, since 2026-03-01")
	verdict, reasons := gate.Decide(comparetest.GateWithoutReruns(), in)
	if verdict != report.Failed || reasons[0].SuiteID != "s" || reasons[0].CaseID != "a" {
		t.Errorf("verdict %s for %+v, want failed for the case s/a", verdict, reasons)
	}
}
