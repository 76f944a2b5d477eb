package story

import (
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

func TestASuiteThatGotWorseIsNotCalledFine(t *testing.T) {
	for _, c := range []struct {
		rule               string
		r                  *report.Report
		bar                bool
		icon, state, whole string
	}{
		{"where that is proven", rendertest.ScoreDropRun(), false, "❌", "got worse as a whole", "got worse as a whole"},
		{"where it is suspected", rendertest.PossibleDropRun(), false, "⚠️", "perhaps worse, 1 perhaps fixed", "perhaps worse"},
		{"beside a bar that it misses", rendertest.ScoreDropRun(), true, "❌", "below its threshold, got worse as a whole", "got worse as a whole, below its threshold"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if !c.bar {
				c.r.Suites[0].MinScore, c.r.Scoring.MinRunScore = nil, nil
			}
			v := storyOf(c.r, show.Links{})
			if mark, state := suiteState(v, v.Suites[0]); mark.Icon() != c.icon || state != c.state {
				t.Errorf("the suite: %s %s, want %s %s", mark, state, c.icon, c.state)
			}
			if mark, state := runState(v); mark.Icon() != c.icon || state != c.whole {
				t.Errorf("the run: %s %s, want %s %s", mark, state, c.icon, c.whole)
			}
		})
	}
}

func TestNoRowOfAPassedRunIsMarkedBad(t *testing.T) {
	r := rendertest.PassedRun()
	r.Suites[0].Score = rendertest.Ptr(0.5)
	r.Changes[0].MustPass = true
	must := rendertest.Warning("must_pass", "wrong, and not so when asked again")
	must.SuiteID, must.CaseID = r.Changes[0].SuiteID, r.Changes[0].CaseID
	r.Reasons = []report.Reason{rendertest.Warning("min_score", "suite support/refund: score 0.5 is below min_score 0.85"), must}
	v := storyOf(r, show.Links{})
	if mark, state := suiteState(v, v.Suites[0]); mark != Warn || state != "below its threshold, 1 must never break" {
		t.Errorf("the suite: %s %s", mark, state)
	}
	if mark, _ := suiteState(v, v.Suites[1]); mark != Good {
		t.Errorf("the other suite: %s", mark)
	}
}

func TestCasesThatFellAreTheOnesWithFewerRightAnswers(t *testing.T) {
	r := rendertest.ScoreDropRun()
	fewer := &report.Outcome{Primary: classify.Fail, Passed: 2, Trials: 3, Trial: 3}
	rendertest.AddChange(r, report.StillPassing, "two-of-three", &report.Outcome{Primary: classify.Pass, Passed: 3, Trials: 3}, fewer)
	rendertest.AddChange(r, report.Flaky, "more", rendertest.FailOutcome("yes", "no"), rendertest.PassOutcome("yes"))
	v := storyOf(r, show.Links{})
	if len(v.Fell) != 9 || v.Fell[8].CaseID != "two-of-three" {
		t.Errorf("%d cases fell: %+v", len(v.Fell), v.Fell)
	}
	for _, c := range v.Failing {
		if c.CaseID != "known-issue" {
			t.Errorf("%s is listed as failing", c.CaseID)
		}
	}
	r.Reasons = nil
	if v := storyOf(r, show.Links{}); len(v.Fell) > 0 {
		t.Errorf("%d cases fell in a run whose score did not", len(v.Fell))
	}
}

// The statistics of live answers say how likely a suspected drop is. Those of recorded answers do not.
func TestTheReasonOfASuspicionAboutRecordedAnswersIsShown(t *testing.T) {
	r := rendertest.PossibleDropRun()
	if shown, covered := reasons(newStory(r, show.Links{})); len(shown) != 0 || len(covered) != 1 {
		t.Errorf("live answers: %d reasons shown, %d covered", len(shown), len(covered))
	}
	r.Statistics.Samples, r.Statistics.Noise = r.Statistics.Noise, nil
	if shown, covered := reasons(newStory(r, show.Links{})); len(shown) != 1 || len(covered) != 0 {
		t.Errorf("recorded answers: %d reasons shown, %d covered", len(shown), len(covered))
	}
}
