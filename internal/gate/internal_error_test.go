package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
)

// broken returns a run with an internal error of failproof in the head's last answer.
func broken(t *testing.T) gate.Run {
	t.Helper()
	var b report.Builder
	for _, id := range []string{"a", "b"} {
		r := comparetest.Result("s", id, 1, "pass")
		if id == "b" {
			r = comparetest.Result("s", id, 1, "error")
			r.Classification.Details.Reason = model.ReasonInternal
		}
		if err := b.Add(r, report.Ref{}); err != nil {
			t.Fatal(err)
		}
	}
	head := b.Side()
	return gate.Run{Head: head, Comparison: comparetest.Compare(nil, head)}
}

func TestOneAnswerOnWhichFailproofBreaksLeavesNoVerdict(t *testing.T) {
	g, in := comparetest.GateWithoutReruns(), broken(t)
	g.Settings[config.MaxUnscored] = comparetest.ErrorAt(1) // no threshold allows for our own bugs
	says(t, gate.Internal, g, in, "error: failproof itself broke on 1 answer, first on case b of suite s: a bug of failproof, not of the prompts")
	verdict, reasons := gate.Decide(g, in)
	if verdict != report.Undecided || reasons[0].SuiteID != "s" || reasons[0].CaseID != "b" {
		t.Errorf("verdict %s for %+v, want undecided for case b of suite s", verdict, reasons)
	}
}
