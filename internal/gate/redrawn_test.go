package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/gate"
)

func TestAnswersThatWereDrawnAgainAreNamed(t *testing.T) {
	in := runOf(t, "s/a pass pass recorded", "s/b pass pass recorded")
	says(t, gate.ResampledRecordings, comparetest.GateWithoutReruns(), in)
	in.Resampled = []gate.ResampledCase{{SuiteID: "s", CaseID: "a", Samples: 3}, {SuiteID: "s", CaseID: "b", Samples: 2}}
	says(t, gate.ResampledRecordings, comparetest.GateWithoutReruns(), in, "warn: 2 answers were drawn again to the same request, and the last draw is recorded: s/a (draw 3), s/b (draw 2)")
	in.Resampled[1].Samples, in.Resampled[1].Replaced = 0, true
	says(t, gate.ResampledRecordings, comparetest.GateWithoutReruns(), in, "warn: 1 answer was drawn again to the same request, and the last draw is recorded: s/a (draw 3)",
		"warn: 1 recorded answer was replaced though the request is the same: edited, or drawn again and not counted: s/b")
	in.Resampled[1].Replaced, in.Resampled[1].Unnamed = false, true
	says(t, gate.ResampledRecordings, comparetest.GateWithoutReruns(), in, "warn: 1 answer was drawn again to the same request, and the last draw is recorded: s/a (draw 3)",
		"warn: 1 recorded answer no longer names the model that gave it, and would count as hand-written: s/b")
	in.Resampled[1] = gate.ResampledCase{SuiteID: "s", CaseID: "b", ForeignReruns: true}
	says(t, gate.ResampledRecordings, comparetest.GateWithoutReruns(), in, "warn: 1 answer was drawn again to the same request, and the last draw is recorded: s/a (draw 3)",
		"warn: 1 case has new recorded reruns of another request than today's, which would decide in a later change; remove them: s/b")
	in.Resampled = in.Resampled[:1]
	says(t, gate.ResampledRecordings, comparetest.GateWithoutReruns(), in, "warn: 1 answer was drawn again to the same request, and the last draw is recorded: s/a (draw 3)")
	in.Resampled[0].LostReruns = true
	says(t, gate.ResampledRecordings, comparetest.GateWithoutReruns(), in, "warn: 1 answer was drawn again to the same request, and the last draw is recorded: s/a (draw 3)",
		"warn: recorded reruns of 1 case were removed or edited though the request is the same, and a later break may not be found: s/a")
}
