package gate_test

import (
	"fmt"
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

func TestDecideMustPass(t *testing.T) {
	check(t, []gateCase{
		{"one wrong answer fails, whatever it failed before", nil, []string{"s/a fail fail must"}, report.Failed,
			[]string{"error must_pass: must-pass case s/a failed: fail"}},
		{"one wrong trial of many fails", nil, []string{"s/a pass,pass,pass pass,pass,refusal must"}, report.Failed,
			[]string{"error must_pass: must-pass case s/a failed: refusal"}},
		{"a new one that fails fails", nil, []string{"s/a - policy_violation must"}, report.Failed,
			[]string{"error must_pass: must-pass case s/a failed: policy_violation"}},
		{"each one is named", nil, []string{"s/a - fail must", "t/b - fail must"}, report.Failed,
			[]string{"error must_pass: must-pass case s/a failed: fail", "error must_pass: must-pass case t/b failed: fail"}},
		{"one that passes is silent", nil, []string{"s/a pass pass must"}, report.Passed, nil},
	})
}

func TestAMustPassCaseThatIsNotAskedAgain(t *testing.T) {
	flip := []string{"s/a pass fail must"}
	says(t, gate.MustPass, comparetest.GateWithReruns(), recordedRun(t, comparetest.GateWithReruns(), "s/a pass fail drawn must"),
		"error: must-pass case s/a failed: fail; one answer each cannot tell chance from a change")
	if verdict, _ := gate.Decide(comparetest.GateWithReruns(), recordedRun(t, comparetest.GateWithReruns(), "s/a pass fail drawn must")); verdict != report.Undecided {
		t.Errorf("two sampled answers: verdict %s, want undecided", verdict)
	}
	never := comparetest.NoisyGate()
	never.Confirm = 0
	says(t, gate.MustPass, never, settledRun(t, never, flip), "error: must-pass case s/a failed: fail")
	if verdict, _ := gate.Decide(never, settledRun(t, never, flip)); verdict != report.Failed {
		t.Errorf("without reruns: verdict %s, want failed", verdict)
	}
	before := []string{"s/a pass,fail fail,fail must"}
	says(t, gate.MustPass, never, settledRun(t, never, before), "error: must-pass case s/a failed: fail, as before")
}

func TestDecideNamesFiftyMustPassCasesAndCountsTheRest(t *testing.T) {
	for _, c := range []struct {
		n, reasons int
		last       string
	}{
		{50, 50, "error must_pass: must-pass case s/c49 failed: fail"},
		{51, 51, "error must_pass: and 1 more must-pass case"},
		{53, 51, "error must_pass: and 3 more must-pass cases"},
	} {
		var lines []string
		for i := range c.n {
			lines = append(lines, fmt.Sprintf("s/c%d - fail must", i))
		}
		_, reasons := decide(t, comparetest.GateWithoutReruns(), lines...)
		if got := comparetest.ReasonLines(reasons); len(got) != c.reasons || got[len(got)-1] != c.last {
			t.Errorf("%d failing must-pass cases give %d reasons, the last %q; want %d and %q", c.n, len(got), got[len(got)-1], c.reasons, c.last)
		}
	}
}
