package render

import (
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
)

func TestASuiteThatGotWorseIsNotCalledFine(t *testing.T) {
	for _, c := range []struct {
		rule               string
		r                  *report.Report
		bar                bool
		icon, state, whole string
	}{
		{"where that is proven", droppedRun(), false, "❌", "got worse as a whole", "got worse as a whole"},
		{"where it is suspected", suspectedRun(), false, "⚠️", "perhaps worse, 1 fixed", "perhaps worse"},
		{"beside a bar that it misses", droppedRun(), true, "❌", "below its bar, got worse as a whole", "got worse as a whole, below its bar"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if !c.bar {
				c.r.Suites[0].MinScore, c.r.Scoring.MinRunScore = nil, nil
			}
			v := newView(c.r, Links{})
			if icon, state := v.suiteState(v.suites[0]); icon != c.icon || state != c.state {
				t.Errorf("the suite: %s %s, want %s %s", icon, state, c.icon, c.state)
			}
			if icon, state := v.runState(); icon != c.icon || state != c.whole {
				t.Errorf("the run: %s %s, want %s %s", icon, state, c.icon, c.whole)
			}
		})
	}
}

func TestCasesThatFellAreTheOnesWithFewerRightAnswers(t *testing.T) {
	r := droppedRun()
	fewer := &report.Outcome{Primary: classify.Fail, Passed: 2, Trials: 3, Trial: 3}
	add(r, report.StillPassing, "two-of-three", &report.Outcome{Primary: classify.Pass, Passed: 3, Trials: 3}, fewer)
	add(r, report.Flaky, "more", failOutcome("yes", "no"), passOutcome("yes"))
	v := newView(r, Links{})
	if len(v.fell) != 9 || v.fell[8].CaseID != "two-of-three" {
		t.Errorf("%d cases fell: %+v", len(v.fell), v.fell)
	}
	for _, c := range v.failing {
		if c.CaseID != "known-issue" {
			t.Errorf("%s is listed as failing", c.CaseID)
		}
	}
	r.Reasons = nil
	if v := newView(r, Links{}); len(v.fell) > 0 {
		t.Errorf("%d cases fell in a run whose score did not", len(v.fell))
	}
}
