package story

import (
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// alone returns a failed run without a base, with these outcomes.
func alone(heads ...*report.Outcome) *report.Report {
	r := &report.Report{Run: report.Run{BaseState: report.BaseNone}, Verdict: report.Failed, Reasons: []report.Reason{rendertest.Reason("min_run_score", "run score 0 is below")},
		Suites: []report.SuiteSummary{rendertest.SuiteRow("s", 0, 0, 2, 0, 0.85)}, Cases: len(heads), Trials: len(heads),
		RunScore: rendertest.Ptr(0.0), Scoring: report.ScoringInfo{MinRunScore: rendertest.Ptr(0.85)}}
	for i, head := range heads {
		rendertest.AddChange(r, report.New, string(rune('a'+i)), nil, head).Kind = report.KindFailing
	}
	return r
}

func reasoned(primary classify.Category, reason string) *report.Outcome {
	return &report.Outcome{Primary: primary, Trials: 1, Trial: 1, Details: &classify.Details{Reason: reason, CausedByPromptOrModel: true}}
}

func TestNoPromptMendsARequestThatIsRejected(t *testing.T) {
	rejected, spent := reasoned(classify.Error, model.ReasonRejected), reasoned(classify.Crash, classify.ReasonEmptyTruncated)
	for _, c := range []struct {
		rule      string
		r         *report.Report
		says, not string
	}{
		{"a rejected request", alone(rejected, rejected), "rejects the request", "better prompt"},
		{"tokens that are spent on thoughts", alone(spent), "Raise `max_tokens`", "better prompt"},
		{"a wrong answer", alone(rendertest.FailOutcome("yes", "no")), "A better prompt", "max_tokens"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := nextOf(c.r); !strings.Contains(got, c.says) || strings.Contains(got, c.not) {
				t.Errorf("what now: %s\nwant %q, and not %q", got, c.says, c.not)
			}
		})
	}
}

func TestAMeasurementOfOneRevisionHasNothingToFix(t *testing.T) {
	r := rendertest.FailedRun()
	r.Statistics = &report.Statistics{Measured: &report.MeasuredNoise{}}
	if got := nextOf(r); !strings.Contains(got, "no change to fix") || strings.Contains(got, "Fix") {
		t.Errorf("what now: %s", got)
	}
}

func TestCasesOfOneNameAreToldApartByTheirSuites(t *testing.T) {
	r := &report.Report{Run: report.Run{BaseState: report.BaseCompared}, Verdict: report.Failed}
	r.Suites = []report.SuiteSummary{rendertest.SuiteRow("shop", 0, 0, 1, 0, 0.85), rendertest.SuiteRow("desk", 0, 0, 1, 0, 0.85)}
	for _, name := range [][2]string{{"shop", "one"}, {"desk", "one"}, {"desk", "two"}} {
		c := rendertest.AddChange(r, report.Regressed, name[1], rendertest.PassOutcome("yes"), rendertest.FailOutcome("yes", "no"))
		c.SuiteID, c.Kind = name[0], report.KindRegressed
	}
	if got := nextOf(r); !strings.Contains(got, "edit the expectations of “shop/one”, “desk/one” and “desk/two”") {
		t.Errorf("what now: %s", got)
	}
}

func TestALimitThatLeavesNoRoomWasNotUsedUp(t *testing.T) {
	r := &report.Report{Run: report.Run{BaseState: report.BaseNone}, Verdict: report.Undecided, Plan: &report.CallPlan{Calls: 2}, Cases: 2, Trials: 2, Unscored: 2,
		Suites: []report.SuiteSummary{{SuiteID: "s", NotAsked: 2, Unscored: 2, Cases: 2}}}
	if got := New(r, show.Links{}).Title; !strings.Contains(got, "the run needs more than a limit allows") {
		t.Errorf("title: %s", got)
	}
	if got := nextOf(r); strings.Contains(got, "did come") {
		t.Errorf("what now: %s", got)
	}
	r.Calls.Provider = 1
	if got := New(r, show.Links{}).Title; !strings.Contains(got, "a limit of the run was reached") {
		t.Errorf("title: %s", got)
	}
}

// TestAnAnswerThatDidNotComeIsNoWrongOne checks runs whose answers are missing rather than wrong.
func TestAnAnswerThatDidNotComeIsNoWrongOne(t *testing.T) {
	missing := reasoned(classify.Error, model.ReasonUnrecorded)
	missing.Unscored = 1
	r := alone()
	r.Cases, r.Trials, r.Unscored = 1, 1, 1
	lacking := rendertest.AddChange(r, report.New, "a", nil, missing)
	lacking.MustPass, lacking.Kind = true, report.KindMissing
	must := rendertest.Reason("must_pass", "must-pass case s/a has no score: error")
	must.SuiteID, must.CaseID = lacking.SuiteID, lacking.CaseID
	r.Reasons = append(r.Reasons, must, rendertest.Reason("max_unscored", "1 of 1 trial without an answer"), rendertest.Reason("must_pass_change", "must-pass case s/b was removed"))
	if got := nextOf(r); !strings.Contains(got, "Record the missing answers") || strings.Contains(got, "better prompt") {
		t.Errorf("what now: %s", got)
	}
	title := storyOf(r, rendertest.Links()).Title
	if !strings.Contains(title, "1 answer that must never break is missing") || strings.Contains(title, "wrong") {
		t.Errorf("title: %s", title)
	}
}

func TestVerdictsThatAreMissingAreNoOutage(t *testing.T) {
	for reason, says := range map[string]string{model.ReasonVerdict: "let another model judge", model.ReasonStaleVerdict: "has the judge grade these answers again"} {
		missing := reasoned(classify.Error, reason)
		missing.Unscored = 1
		r := alone()
		r.Verdict, r.Cases, r.Trials, r.Unscored = report.Undecided, 1, 1, 1
		r.Calls.Provider = 3
		rendertest.AddChange(r, report.New, "a", nil, missing).Kind = report.KindMissing
		if got := nextOf(r); !strings.Contains(got, says) || strings.Contains(got, "outage") || strings.Contains(got, "hold an error") {
			t.Errorf("%s: what now: %s", reason, got)
		}
	}
}

func TestAScoreWithGapsIsSaidOnlyWhereItIsTheReason(t *testing.T) {
	for _, c := range []struct {
		others []report.Reason
		want   int
	}{
		{nil, 1},
		{[]report.Reason{rendertest.Reason(gate.Unscored.Code, "9 of 45 trials without a score")}, 0},
	} {
		r := rendertest.UndecidedRun()
		r.Reasons = append(c.others, rendertest.Reason(gate.RunScore.Code, "the score"))
		v, n := storyOf(r, rendertest.Links()), 0
		for _, line := range slices.Concat(v.Reasons, v.CoveredReasons) {
			if line.Text.Plain(100) == "the score" {
				n++
			}
		}
		if n != c.want {
			t.Errorf("beside %v, the score is said %d times, want %d", c.others, n, c.want)
		}
	}
}
