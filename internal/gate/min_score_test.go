package gate_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suiteid"
)

func TestDecideSuiteBars(t *testing.T) {
	high, low := 0.85, 0.5
	var b report.Builder
	b.Plan([]report.SuitePlan{{ID: "support/refund", Weight: 1, MinScore: &high}, {ID: "support/triage", Weight: 1, MinScore: &low}, {ID: "late", Weight: 1, MinScore: &high}}, suiteid.Matches{})
	for _, r := range []report.Result{comparetest.Result("support/refund", "a", 1, "pass"), comparetest.Result("support/refund", "b", 1, "fail"),
		comparetest.Result("support/triage", "c", 1, "pass"), comparetest.Result("support/triage", "d", 1, "fail"),
		comparetest.Result("late", "e", 1, "pass"), comparetest.Result("late", "f", 1, "timeout")} {
		if err := b.Add(r, report.Ref{}); err != nil {
			t.Fatal(err)
		}
	}
	p := comparetest.GateWithoutReruns()
	p.Settings[config.MaxUnscored].Level = config.Off
	verdict, reasons := gate.Decide(p, gate.Run{Head: b.Side(), Comparison: comparetest.Compare(nil, b.Side())})
	want := []report.Reason{
		{Code: "min_score", Level: report.LevelError, SuiteID: "support/refund", Message: "suite support/refund: score 0.500 is below min_score 0.850"},
		{Code: "min_score", Level: report.LevelError, Suspends: true, SuiteID: "late", Message: "with missing answers as wrong, suite late: score 0.500 is below min_score 0.850; over the scored answers it is 1.000"},
	}
	if diff := cmp.Diff(want, reasons); verdict != report.Failed || diff != "" {
		t.Errorf("Decide = %s (-want +got):\n%s", verdict, diff)
	}
}

func TestASuiteBarIsHeldByTheBasesCases(t *testing.T) {
	base, head := comparetest.Sides(t, "s/a pass pass", "s/b fail fail", "s/n1 - pass", "s/n2 - pass", "s/n3 - pass", "t/a pass pass", "t/n1 - fail", "u/a pass pass", "v/a fail fail")
	bar := 0.75
	for _, s := range head.Suites {
		s.MinScore = &bar
	}
	c := comparetest.Compare(base, head)
	_, reasons := gate.Decide(comparetest.GateWithoutReruns(), gate.Run{Head: head, Base: base, Comparison: c, BaseState: report.BaseCompared})
	want := []string{
		"error min_score: suite t: score 0.500 is below min_score 0.750",
		"error min_score: suite v: score 0.000 is below min_score 0.750", // the base's cases have the same
		"error min_score: suite s: score over the base's 2 cases 0.500 is below min_score 0.750",
	}
	if fmt.Sprint(comparetest.ReasonLines(reasons)) != fmt.Sprint(want) {
		t.Errorf("reasons %q, want %q", comparetest.ReasonLines(reasons), want)
	}
	rep := &report.Report{}
	c.Fill(rep, base, head)
	if rep.CasesWithoutNew != 5 || rep.RunScoreWithoutNew == nil || fmt.Sprintf("%.3f", *rep.RunScoreWithoutNew) != "0.625" {
		t.Errorf("held run score %v over %d cases, want 0.625 over 5", rep.RunScoreWithoutNew, rep.CasesWithoutNew)
	}
	if s := rep.Suites[0]; s.CasesWithoutNew != 2 || *s.ScoreWithoutNew != 0.5 || *s.Score != 0.8 {
		t.Errorf("suite s: %+v, want 0.5 over 2 cases beside 0.8", s)
	}
}
