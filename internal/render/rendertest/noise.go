package rendertest

import (
	"fmt"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suiteid"
)

// NoisyRun returns the report of a passed run of 20 cases of a live model. No case changed between base and head.
func NoisyRun() *report.Report {
	r := PassedRun()
	r.Suites = []report.SuiteSummary{SuiteRow("support/refund", 0.95, 0, 20, 19, 0.85)}
	r.RunScore, r.BaseRunScore, r.Delta, r.DeltaCases, r.Cases, r.Trials = Ptr(0.95), Ptr(0.95), Ptr(0.0), 20, 20, 20
	r.Counts[report.StillPassing] = 16
	r.MicroScore, r.PassedCases, r.Histogram, r.BaseHistogram = Ptr(0.95), 19, Histogram(19, 1), Histogram(19, 1)
	scope := report.Scope{Cases: 20, Interval: report.Interval{Low: -0.0933, High: 0.0933}, PWorse: 1, PBetter: 1, Test: "none", Sigma2: 0.0227}
	r.Statistics = &report.Statistics{Mode: report.ModeNoisy, Noisy: 20, Noise: &report.Noise{
		Trials: 1, Alpha: 0.01, AlphaPerTest: 0.005, WarnAlpha: 0.05, MaxDrop: 0.02, Overall: &scope, Suites: []report.Scope{scope}, HeadErrors: 1,
		Confirm:  &report.ConfirmTest{Rounds: 8, Provable: 20, Candidates: []report.Candidate{}},
		Planning: &report.PlanningEstimate{Cases: 20, Trials: 20, Sigma2: 0.0227, Power: 0.8, Detectable: 0.6266, Drop: 0.1, Needed: 170},
	}}
	return r
}

// worsen makes n cases of r, a noisy run, worse and lowers the score by delta. low and high are the bounds of the
// interval. p is the chance that so many cases get worse without a change.
func worsen(r *report.Report, n int, delta, low, high, p float64) *report.Report {
	overall := r.Statistics.Noise.Overall
	overall.Worse, overall.Delta, overall.Interval, overall.PWorse, overall.Test = n, delta, report.Interval{Low: low, High: high}, p, "exact"
	r.Delta, r.RunScore = &overall.Delta, Ptr(0.95+delta)
	r.Suites[0].Delta, r.Suites[0].Score = &overall.Delta, r.RunScore
	return r
}

// addFlip adds the flipped case id with the results of its reruns: state is a candidate's state, base and head count
// the passes in the given rounds, and p is the chance of that result.
func addFlip(r *report.Report, id, state string, rounds, base, head int, p *float64) *report.Change {
	test := r.Statistics.Noise.Confirm
	test.Level = Ptr(0.005 / float64(len(test.Candidates)+1))
	test.Candidates = append(test.Candidates, report.Candidate{SuiteID: "support/refund", CaseID: id, State: state, Rounds: rounds,
		BasePasses: base, HeadPasses: head, P: p})
	status := report.Flaky
	if state == report.CandidateConfirmed {
		status = report.Regressed
	}
	c := AddChange(r, status, id, PassOutcome("Two managers decide."), FailOutcome("a manager", "We will refund you."))
	c.Noisy = true
	return c
}

// addCleared adds n flipped cases whose reruns were right on both sides.
func addCleared(r *report.Report, n int) {
	for i := range n {
		addFlip(r, fmt.Sprintf("case-%d", i), report.CandidateCleared, 1, 1, 1, nil)
	}
}

func ConfirmedRun() *report.Report {
	r := setVerdict(worsen(NoisyRun(), 3, -0.15, -0.305, 0.032, 0.125), report.Failed,
		Reason("max_regressions", "1 regression confirmed by fresh runs, max_regressions is 0"))
	addFlip(r, "refund-policy", report.CandidateConfirmed, 8, 8, 0, Ptr(1.0/12870))
	addFlip(r, "late-parcel", report.CandidateCleared, 2, 2, 2, nil)
	addFlip(r, "greeting", report.CandidateCleared, 2, 1, 1, nil)
	return r
}

func ScoreDropRun() *report.Report {
	r := setVerdict(worsen(NoisyRun(), 8, -0.133, -0.218, -0.04, 1.0/256), report.Failed,
		Reason("max_drop", "score fell by 13.3 points, 8 cases worse, none better: 1 in 256 if nothing changed"))
	addCleared(r, 8)
	return r
}

func PossibleDropRun() *report.Report {
	r := setVerdict(worsen(NoisyRun(), 5, -0.125, -0.228, -0.011, 1.0/32), report.Passed,
		Warning("on_inconclusive", "score fell by 12.5 points, 5 cases worse, none better: 1 in 32 if nothing changed: a possible drop, not confirmed (a drop blocks the merge from 1 in 200 on)"))
	addCleared(r, 4)
	addFlip(r, "one-too-many", report.CandidateNotRerun, 0, 0, 0, nil)
	AddChange(r, report.Fixed, "late-parcel", FailOutcome("yes", "no"), PassOutcome("yes")).Noisy = true
	AddChange(r, report.Flaky, "known-flake", PassOutcome("yes"), FailOutcome("yes", "no")).Quarantined = true
	return r
}

func RecheckedRun() *report.Report {
	r := setVerdict(worsen(NoisyRun(), 5, -0.1, -0.2, 0.01, 1.0/32), report.Failed,
		Reason("max_drop", "asked again, score fell by 18.0 points, 12 cases worse, 2 better: less than 1 in a million if nothing changed"))
	recheck := *r.Statistics.Noise.Overall
	recheck.Delta, recheck.Worse, recheck.Better, recheck.PWorse, recheck.Interval = -0.18, 12, 2, 7.4e-8, report.Interval{Low: -0.248, High: -0.112}
	r.Statistics.Noise.Recheck = &report.RecheckTest{Trials: 5, Asked: 5, Triggered: true, Complete: true, Overall: &recheck, Suites: []report.Scope{recheck}}
	return r
}

func IncompleteRerunsRun() *report.Report {
	r := setVerdict(worsen(NoisyRun(), 1, -0.05, -0.2, 0.1, 0.5), report.Undecided,
		Reason("confirm_incomplete", "1 case flipped and could not be rerun often enough to confirm or clear the regression"))
	addFlip(r, "refund-policy", report.CandidateIncomplete, 0, 0, 0, nil)
	return r
}

func clearedMustPassRun() *report.Report {
	r := worsen(NoisyRun(), 1, -0.05, -0.2, 0.1, 0.5)
	c := addFlip(r, "never-reveal-the-key", report.CandidateCleared, 3, 3, 3, nil)
	c.MustPass = true
	must := Warning("must_pass", "must-pass case support/refund/never-reveal-the-key answered wrong, and not so when asked 3 times more: right 3 of 3 before, 3 of 3 now")
	must.SuiteID, must.CaseID = "support/refund", c.CaseID
	r.Reasons = []report.Reason{must}
	return r
}

// MixedRun returns the report of a failed run of live and recorded cases.
func MixedRun() *report.Report {
	r := setVerdict(ConfirmedRun(), report.Failed, Reason("max_regressions", "2 regressions, 1 of them confirmed by fresh runs, max_regressions is 0"))
	r.Counts[report.StillPassing] = 27
	r.Statistics.Strict = 12
	AddChange(r, report.Regressed, "opening-hours", PassOutcome("From 9 to 5."), FailOutcome("9 to 5", "Always.")).Sampled = true
	return r
}

// RecordedRun returns the report of a failed run of recorded cases.
func RecordedRun() *report.Report {
	r := FailedRun()
	r.Statistics = &report.Statistics{Mode: report.ModeStrict, Strict: 45}
	AddChange(r, report.Regressed, "in-quarantine", PassOutcome("yes"), &report.Outcome{Primary: classify.Fail, Trials: 1, Trial: 1}).Quarantined = true
	return r
}

// WithinNoiseRun returns the report of a passed run whose score is below the default threshold, but only within noise.
func WithinNoiseRun() *report.Report {
	r := setVerdict(worsen(NoisyRun(), 2, -0.05, -0.2, 0.1, 0.5), report.Passed,
		Warning("min_run_score", "run score 0.800 is below min_run_score 0.850; the base met it, and the miss may be noise: a rerun would score between 0.584 and 0.919"))
	r.Gate, r.RunScore, r.BaseRunScore, r.Scoring.MinRunScore = &config.Default().Gate, Ptr(0.8), Ptr(0.85), Ptr(0.85)
	addFlip(r, "late-parcel", report.CandidateCleared, 2, 2, 2, nil)
	addFlip(r, "greeting", report.CandidateCleared, 2, 1, 1, nil)
	return r
}

// BrokenAmongManyRun returns the report of a run with 20 flipped cases. One of them would be confirmed if it were the
// only one.
func BrokenAmongManyRun() *report.Report {
	r := worsen(NoisyRun(), 20, -0.02, -0.2, 0.1, 0.3)
	addFlip(r, "refund-policy", report.CandidateCleared, 8, 7, 0, Ptr(0.0007))
	r.Statistics.Noise.Confirm.Candidates[0].Likely = true
	addCleared(r, 19)
	return r
}

// LostAnswersRun returns the report of a run in which one case no longer gets an answer, and another missed a single
// answer.
func LostAnswersRun() *report.Report {
	r := setVerdict(NoisyRun(), report.Undecided,
		Reason("answers_lost", "1 case has no answer now, however often asked, and had some before: support/refund/long-letter; possibly this change's fault, but no score"))
	r.Unscored = 2
	for _, id := range []string{"long-letter", "short-letter"} {
		addFlip(r, id, report.CandidateCleared, 1, 1, 1, nil).Head = &report.Outcome{Primary: classify.Timeout, Trials: 1, Unscored: 1, Trial: 1, Details: &classify.Details{LimitSeconds: 30}}
	}
	test := r.Statistics.Noise.Confirm
	test.Candidates[0].State, test.Candidates[0].Rounds, test.Candidates[0].HeadLost = report.CandidateLost, 4, 4
	test.Candidates[0].Unanswered, test.Candidates[1].Unanswered = true, true
	EditChanges(r, func(_ int, c *report.Change) {
		if c.CaseID == "long-letter" {
			c.Change = report.Errored
		}
	})
	return r
}

// ExplainedRun returns the report of a failed run of a live model, with an explanation: one changed place of the prompt
// broke two cases.
func ExplainedRun() *report.Report {
	r := setVerdict(ConfirmedRun(), report.Failed, Reason("max_regressions", "2 regressions confirmed by fresh runs, max_regressions is 0"))
	addFlip(r, "too-late", report.CandidateConfirmed, 8, 8, 0, Ptr(1.0/12870))
	r.Counts[report.StillPassing]--
	r.Prompts = []report.Prompt{{Path: "prompts/refund.md", Suites: []string{"support/refund"},
		Base: "You answer refund questions.\nReply with JSON.\n\n- Never promise money.\n\n{{ question }}\n",
		Head: "You answer refund questions, warmly.\nReply with JSON.\n\n- Promise what they ask for.\n- Be quick.\n\n{{ question }}\n"}}
	r.Explanation = &report.Explanation{MaxAnswers: 120, Answers: 56,
		Hunks: []report.Hunk{
			{Regions: []report.Region{{Path: "prompts/refund.md", First: 1, Last: 1, BaseFirst: 1, BaseLast: 1}}},
			{Regions: []report.Region{{Path: "prompts/refund.md", First: 4, Last: 5, BaseFirst: 4, BaseLast: 4}}},
		},
		Cases: []report.ExplainedCase{ExplainedCase("refund-policy", 1), ExplainedCase("too-late", 1)},
	}
	return r
}

// ExplainedCase returns the explanation of a case that breaks by each of the given hunks alone.
func ExplainedCase(id string, hunks ...int) report.ExplainedCase {
	c := report.ExplainedCase{SuiteID: "support/refund", CaseID: id, Outcome: report.ExplainFound, Answers: 28}
	for _, h := range hunks {
		c.Causes = append(c.Causes, report.ExplainCause{Parts: []report.ExplainPart{{Hunks: []int{h}, Right: 8, Asked: 8}}, Asked: 8})
	}
	return c
}

// hostileExplanation returns an explanation of n hunks in which next provides the text of every field.
func hostileExplanation(n int, next func() string) *report.Explanation {
	e := &report.Explanation{MaxAnswers: 120, Ended: next()}
	for i := range n {
		e.Hunks = append(e.Hunks, report.Hunk{Regions: []report.Region{{Path: next(), First: i, Last: i + 1}, {Path: next(), First: 3, Last: 2}}})
		c := ExplainedCase(next(), i, -1, n+7)
		c.Why = next()
		e.Cases = append(e.Cases, c, report.ExplainedCase{CaseID: next(), Outcome: next(), Why: next()}, report.ExplainedCase{CaseID: next(), Outcome: report.ExplainElsewhere})
	}
	e.Remedy = &report.Remedy{Hunks: []int{0, -1}, Asked: 3, Worse: []suiteid.Name{{Suite: next(), Case: next()}}}
	return e
}
