package compare_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/report"
)

func TestTheScoreWithoutNewCasesIsThatOfTheBasesCases(t *testing.T) {
	for _, c := range []struct {
		rule    string
		scene   []string
		cases   int
		score   float64
		differs bool
	}{
		{"no case is new", []string{"s/a pass fail", "s/b pass pass"}, 2, 0.5, false},
		{"a new one is left out", []string{"s/a pass fail", "s/b pass pass", "s/n - pass"}, 2, 0.5, true},
		{"so is one of a new suite", []string{"s/a pass fail", "t/n - pass"}, 1, 0, true},
		{"a removed one counts for nothing", []string{"s/a pass pass", "s/gone pass -"}, 1, 1, false},
		{"all are new: there is no such score", []string{"s/a - pass"}, 0, 0, false},
	} {
		base, head := comparetest.Sides(t, c.scene...)
		found := comparetest.Compare(base, head)
		side, differs := found.WithoutNewCases(head)
		score, _ := side.RunScore()
		if side.Counts().Cases != c.cases || score != c.score || differs != c.differs {
			t.Errorf("%s: %d cases, score %v, differs %v; want %d, %v, %v", c.rule, side.Counts().Cases, score, differs, c.cases, c.score, c.differs)
		}
		var rep report.Report
		found.Fill(&rep, base, head)
		if held := rep.RunScoreWithoutNew; rep.CasesWithoutNew != c.cases || (held != nil) != (c.cases > 0) || held != nil && *held != c.score {
			t.Errorf("%s: the report says %v over %d cases, want %v over %d", c.rule, held, rep.CasesWithoutNew, c.score, c.cases)
		}
		if row := rep.Suites[0]; c.cases > 0 && (row.ScoreWithoutNew == nil || *row.ScoreWithoutNew != c.score || row.CasesWithoutNew != c.cases) {
			t.Errorf("%s: the row of suite s says %v over %d cases", c.rule, row.ScoreWithoutNew, row.CasesWithoutNew)
		}
	}
}

func TestWithoutABaseNoScoreIsOfItsCases(t *testing.T) {
	_, head := comparetest.Sides(t, "s/a - pass")
	found := comparetest.Compare(nil, head)
	if side, differs := found.WithoutNewCases(head); side != head || differs {
		t.Errorf("%v, differs %v; want the head as it is", side, differs)
	}
	rep := report.Report{RunScoreWithoutNew: new(1.0), CasesWithoutNew: 3}
	if found.Fill(&rep, nil, head); rep.RunScoreWithoutNew != nil || rep.CasesWithoutNew != 0 || found.HasBase {
		t.Errorf("the report keeps %v over %d cases", *rep.RunScoreWithoutNew, rep.CasesWithoutNew)
	}
}
