package gate_test

import (
	"slices"
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/report"
)

func TestACaseThatGetsNoAnswerHoweverOftenItIsAskedLeavesNoVerdict(t *testing.T) {
	const lost = "error answers_lost: 1 case has no answer now, however often asked, and had some before: s/a; possibly this change's fault, but no score"
	verdict, reasons := settle(t, comparetest.GateWithReruns(), append(comparetest.CaseLines("b", "pass pass", 30), "s/a pass timeout"), "s/a pass/timeout")
	if verdict != report.Undecided || !slices.Contains(reasons, lost) {
		t.Errorf("verdict %s for %q, want undecided with %q", verdict, reasons, lost)
	}
	verdict, reasons = settle(t, comparetest.GateWithReruns(), append(comparetest.CaseLines("b", "pass pass", 30), "s/a pass timeout"), "s/a pass/pass")
	if slices.Contains(reasons, lost) {
		t.Errorf("verdict %s for %q: an answer came", verdict, reasons)
	}
}
