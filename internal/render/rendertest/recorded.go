package rendertest

import (
	"fmt"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
)

// StaleRun is a change of a prompt without its recorded answers.
func StaleRun() *report.Report {
	r := PlainRun()
	r.Verdict, r.Unscored, r.RunScore, r.AnsweredScore = report.Undecided, 3, Ptr(0.881), Ptr(0.944)
	r.Suites[0].Unscored = 3
	r.Reasons = []report.Reason{Reason("max_unscored", "3 of 45 recorded trials without an answer: share 0.067 is above max_unscored 0.000")}
	for i := range 3 {
		Add(r, report.Errored, fmt.Sprintf("case-%d", i), PassOutcome("ok"), &report.Outcome{Primary: classify.Error, Trials: 1, Unscored: 1, Trial: 1,
			Details: &classify.Details{Reason: model.ReasonStale,
				ErrorDetails: "write the answer anew, then `failproof record --stamp`: stale, made for another prompt (recordings/support/refund.jsonl)"}})
	}
	return r
}

// KeptRun is a change of a prompt of which two answers were kept by hand.
func KeptRun() *report.Report {
	r := PlainRun()
	r.Unverified, r.KeptByHand, r.Suites[0].Unverified, r.Suites[0].KeptByHand = 3, 2, 3, 2
	r.Reasons = []report.Reason{Warning("kept_by_hand",
		"2 cases are unverified: kept by hand although the prompt changed: support/refund/late, support/refund/early")}
	for _, id := range []string{"late", "early"} {
		c := Add(r, report.StillPassing, id, PassOutcome("A kettle is taken back within 30 days."), PassOutcome("A kettle is taken back within 30 days."))
		c.KeptByHand, c.Asked = true, "Is it too "+Untrusted(id)+"?"
	}
	return r
}

// redrawnRun is a change of recordings in which three cases flipped, and two of them were asked again.
func redrawnRun() *report.Report {
	r := FailedRun()
	chance := 1.0 / 12870
	r.Statistics = &report.Statistics{Mode: report.ModeStrict, Strict: 45, Redrawn: &report.RedrawnLook{Flips: 3, Level: 0.01 / 3,
		Files: []string{"recordings/support/refund.jsonl"}, Suspects: []report.Suspect{
			{SuiteID: "support/refund", CaseID: "angry-customer", State: report.SuspectConfirmed, Rounds: 8, BasePasses: 8, P: &chance},
			{SuiteID: "support/refund", CaseID: "wanders", State: report.SuspectCleared, Rounds: 8, BasePasses: 7, HeadPasses: 6},
		}}}
	Edit(r, func(_ int, c *report.Change) { c.Noisy, c.Drawn = c.CaseID == "angry-customer", true })
	c := Add(r, report.Flaky, "wanders", PassOutcome("yes"), FailOutcome("yes", "no"))
	c.Noisy, c.Drawn = true, true
	return r
}
