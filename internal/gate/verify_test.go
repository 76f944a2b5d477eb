package gate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

func TestHowOftenTheModelWasAskedIsTrueOfEachCase(t *testing.T) {
	s := &comparetest.Scene{}
	// Three live answers to twice are missing, and four to once.
	s.AddLines(t, "s/often pass pass recorded", "s/twice pass pass recorded", "s/once pass pass recorded")
	for id, asked := range map[string]int{"often": 5, "twice": 2, "once": 1} {
		for i := range asked {
			r := comparetest.Result("s", id, 2+i, "fail")
			r.RerunReason = report.RerunVerify
			if err := s.Head.Add(r, report.Ref{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	in := gate.Run{Head: s.Head.Side(), Base: s.Base.Side(), BaseState: report.BaseCompared,
		Verified: gate.Verified{Wanted: 3, Why: "time is up"}}
	in.Comparison = comparetest.Compare(in.Base, in.Head)
	_, reasons := gate.Decide(comparetest.GateWithReruns(), in)
	if diff := cmp.Diff([]string{"warn verify: 2 of 3 recorded cases could be verified: time is up",
		"warn verify: the model no longer says what is recorded, asked 2 to 5 times: s/often, s/twice"}, comparetest.ReasonLines(reasons)); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
}
