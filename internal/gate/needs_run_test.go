package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

// criteriaOf returns some criteria that were met, and some that need a run.
func criteriaOf(judged, needRun int) *report.Criteria {
	out := &report.Criteria{}
	for range judged {
		out.Tallies = append(out.Tallies, report.CriterionTally{Met: 1})
	}
	for range needRun {
		out.Tallies = append(out.Tallies, report.CriterionTally{NeedsRun: 1})
	}
	return out
}

func TestASuiteOfWhichNothingIsJudgedHasNoVerdict(t *testing.T) {
	for _, c := range []struct {
		rule            string
		judged, needRun int
		unverified      bool
		want            []string
	}{
		{"all are judged", 2, 0, false, nil},
		{"half of them are", 2, 2, false, nil},
		{"under half of them are", 1, 2, false, []string{"warn: 1 of 3 criteria of suite s are judged: 2 criteria need a run"}},
		{"none is", 0, 1, true, []string{"error: nothing of suite s is judged: 1 criterion needs a run"}},
		{"none is, and an assertion looks at the answer", 0, 2, false, []string{"warn: 1 of 3 criteria of suite s are judged: 2 criteria need a run"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			in := runOf(t, "s/a pass pass")
			in.Head.Suites[0].Cases[0].Criteria, in.Head.Suites[0].Cases[0].Unverified = criteriaOf(c.judged, c.needRun), c.unverified
			says(t, gate.NeedsRun, comparetest.GateWithoutReruns(), in, c.want...)
		})
	}
}

func TestTheTitleCountsTheJudgedCriteria(t *testing.T) {
	for _, c := range []struct {
		counts *report.CriteriaCount
		want   string
	}{
		{nil, "criteria need a run"},
		{&report.CriteriaCount{Judged: 1, All: 3}, "1 of 3 criteria judged"},
		{&report.CriteriaCount{Judged: 0, All: 1}, "0 of 1 criterion judged"},
	} {
		if got := gate.NeedsRun.Title(gate.TitleInput{Report: &report.Report{Criteria: c.counts}}); got != c.want {
			t.Errorf("title %q, want %q", got, c.want)
		}
	}
}
