package story

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/report"
)

// unsettledRun returns a run with one flip that was not rerun.
func unsettledRun() *report.Report {
	r := alone()
	r.Verdict, r.Run.BaseState = report.Undecided, report.BaseCompared
	r.Cases, r.Trials = 2, 2
	flip := rendertest.AddChange(r, report.Flaky, "a", rendertest.PassOutcome("yes"), rendertest.FailOutcome("yes", "no"))
	flip.Sampled = true
	r.Statistics = &report.Statistics{Mode: report.ModeStrict, Strict: 2, RecordedReruns: &report.RecordedReruns{Flips: 1, Level: 0.01,
		Candidates: []report.Candidate{{SuiteID: flip.SuiteID, CaseID: flip.CaseID, State: report.CandidateUnprovable}}}}
	r.Reasons = []report.Reason{rendertest.Reason(gate.UnsettledFlips.Code, "1 answer flipped; one answer each cannot tell chance from a change")}
	return r
}

func TestAFlipThatNobodyAskedAgain(t *testing.T) {
	r := unsettledRun()
	s := storyOf(r, rendertest.Links())
	if want := "No verdict: 1 answer flipped; one answer each cannot tell chance from a change"; s.Title != want {
		t.Errorf("title %q, want %q", s.Title, want)
	}
	if got := nextOf(r); !strings.HasPrefix(got, "`failproof record` reruns the cases that flipped") || strings.Contains(got, "prompt") {
		t.Errorf("what now: %s", got)
	}
}

func TestAnswersThatAreMissingAreMendedBesideAnOpenFlip(t *testing.T) {
	r := unsettledRun()
	missing := reasoned(classify.Error, model.ReasonUnrecorded)
	missing.Unscored, r.Unscored = 1, 1
	rendertest.AddChange(r, report.New, "b", nil, missing).Kind = report.KindMissing
	for _, want := range []string{"Record the missing answers", "`failproof record` reruns the cases that flipped"} {
		if got := nextOf(r); !strings.Contains(got, want) {
			t.Errorf("what now: %q lacks %q", got, want)
		}
	}
}

func TestToSettleComesBeforeThePromptAndTheExpectation(t *testing.T) {
	r := unsettledRun()
	r.Verdict = report.Failed
	rendertest.AddChange(r, report.Regressed, "b", rendertest.PassOutcome("yes"), rendertest.FailOutcome("yes", "no")).Kind = report.KindRegressed
	r.Reasons = append(r.Reasons, rendertest.Reason(gate.Regressions.Code, "1 regression, max_regressions is 0"))
	got, last := nextOf(r), -1
	for _, step := range []string{gate.UnsettledFlips.NextStep, "Fix the ", "edit its expectation"} {
		at := strings.Index(got, step)
		if at <= last || strings.Count(got, step) != 1 || strings.Contains(got, "approval of somebody") {
			t.Errorf("%q is not in its place, once, in %q", step, got)
		}
		last = at
	}
}

func TestAFlipThatDecidesNothingNeedsNoStep(t *testing.T) {
	r := unsettledRun()
	r.Reasons = []report.Reason{rendertest.Reason(gate.ConfirmIncomplete.Code, "1 case passed before and not now")}
	if s := storyOf(r, rendertest.Links()); strings.Contains(s.Title, "one answer each cannot") || strings.Contains(nextOf(r), "failproof record") {
		t.Errorf("title %q, what now: %s", s.Title, nextOf(r))
	}
}

func TestAnOutageDuringTheFullRerunIsNamed(t *testing.T) {
	r := rendertest.NoisyRun()
	r.Verdict = report.Undecided
	r.Reasons = []report.Reason{rendertest.Reason(gate.RecheckIncomplete.Code, "the score fell, and the full rerun is missing too many answers")}
	r.Statistics.Noise.Recheck = &report.RecheckTest{Trials: 5, Triggered: true, Asked: 1, LossReason: report.LossReason{Reason: model.ReasonTransport}}
	if got, want := storyOf(r, rendertest.Links()).Title, "No verdict: the full rerun is missing answers: the target could not be reached"; got != want {
		t.Errorf("title %q, want %q", got, want)
	}
	if got := nextOf(r); !strings.Contains(got, "Check that the target’s address is right") {
		t.Errorf("what now: %s", got)
	}
}

func TestAnOpenFlipThatLowersTheScoreIsSettledFirst(t *testing.T) {
	r := unsettledRun()
	r.Verdict, r.RunScore, r.Scoring.MinRunScore = report.Failed, new(0.5), new(0.9)
	r.Reasons = []report.Reason{rendertest.Reason(gate.RunScore.Code, "run score 0.500 is below min_run_score 0.900")}
	if got := nextOf(r); !strings.HasPrefix(got, gate.UnsettledFlips.NextStep) || strings.Contains(got, "A better prompt") {
		t.Errorf("what now: %s", got)
	}
}

// TestAFlipIsNotWrongBefore takes a case of which most answers before were right, and not all.
func TestAFlipIsNotWrongBefore(t *testing.T) {
	r := unsettledRun()
	was, now := rendertest.PassOutcome("yes"), rendertest.FailOutcome("yes", "no")
	was.Trials, was.Passed, now.Trials, now.Passed = 8, 7, 8, 4
	flip := *rendertest.AddChange(r, report.Flaky, "b", was, now)
	if v := storyOf(r, rendertest.Links()); !v.WrongOnBoth(flip) {
		t.Error("a case with wrong answers on both sides that did not flip is not wrong on both")
	}
	r.Statistics.RecordedReruns.Candidates = append(r.Statistics.RecordedReruns.Candidates,
		report.Candidate{SuiteID: flip.SuiteID, CaseID: flip.CaseID, State: report.CandidateIncomplete})
	if v := storyOf(r, rendertest.Links()); v.WrongOnBoth(flip) {
		t.Error("a case that flipped is wrong on both sides")
	}
}
