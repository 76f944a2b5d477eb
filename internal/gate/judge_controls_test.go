package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

func TestAJudgeThatGetsAControlWrongDecidesNothing(t *testing.T) {
	in := runOf(t, "s/a pass pass")
	says(t, gate.JudgeControls, comparetest.GateWithoutReruns(), in)
	in.FailedControl = "“2 + 2 is 5” was called right"
	says(t, gate.JudgeControls, comparetest.GateWithoutReruns(), in,
		"error: the judge failed a control question three times, so its grades do not count: “2 + 2 is 5” was called right")
	if verdict, _ := gate.Decide(comparetest.GateWithoutReruns(), in); verdict != report.Undecided {
		t.Errorf("verdict %s, want undecided", verdict)
	}
}
