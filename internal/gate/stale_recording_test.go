package gate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

func TestWhatTheRunDidAboutRecordingsIsSaid(t *testing.T) {
	s := &comparetest.Scene{}
	s.AddLines(t, "s/asked pass pass stale", "s/kept pass pass recorded stale", "s/gone pass pass recorded", "s/wavers pass pass recorded")
	for _, id := range []string{"gone", "wavers"} {
		for i := range 5 {
			r := comparetest.Result("s", id, 2+i, "fail")
			if id == "wavers" && i == 4 {
				r = comparetest.Result("s", id, 2+i, "pass")
			}
			r.RerunReason = report.RerunVerify
			if err := s.Head.Add(r, report.Ref{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	policy := comparetest.GateWithReruns()
	in := gate.Run{Head: s.Head.Side(), Base: s.Base.Side(), BaseState: report.BaseCompared, PatchedCases: 1,
		Verified: gate.Verified{Wanted: 3, Why: "why"}}
	c, err := settled(policy, in, in.Base, comparetest.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	in.Comparison = c
	verdict, reasons := gate.Decide(policy, in)
	want := []string{
		"warn stale_recording: 1 case was run live because the recording is stale: s/asked; the new answers are in recordings.patch, to be committed",
		"warn stale_recording: 1 recording is stale, and counted as it is: s/kept",
		"warn verify: 2 of 3 recorded cases could be verified: why",
		"warn verify: the model no longer says what is recorded, asked 5 times: s/gone",
	}
	if diff := cmp.Diff(want, comparetest.ReasonLines(reasons)); verdict != report.Passed || diff != "" {
		t.Errorf("verdict %s; reasons (-want +got):\n%s", verdict, diff)
	}
}
