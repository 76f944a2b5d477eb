package rendertest

import (
	"github.com/failproof/failproof/internal/report"
)

// What only a run on GitHub knows: the head is a merge result, or there is none; the branch has other rules; a review accepts.

func mergedRun() *report.Report {
	r := PlainRun()
	r.Run.Head = report.Revision{Name: Links().HeadSHA, SHA: Links().HeadSHA, Ref: "9c8d7e6 merged into main"}
	return r
}

func noMergeRun() *report.Report {
	return &report.Report{SchemaVersion: report.SchemaVersion, Tool: report.Tool{Name: "failproof", Version: "0.4.2"},
		Run:     report.Run{ID: "1", Scope: "changed", BaseState: report.BaseNone, Head: report.Revision{Name: "#42", SHA: Links().HeadSHA}},
		Verdict: report.Undecided, Reasons: []report.Reason{Reason(report.CodeNoMerge, "there is no merge of pull request #42 with main to judge: it has a "+
			"conflict with the branch: resolve it, and the run that this starts judges the result")}}
}

func baseMovedRun() *report.Report {
	r := mergedRun()
	r.Verdict, r.Reasons = report.Undecided, []report.Reason{Reason(report.CodeBaseMoved,
		"main has other rules by now than the commit that this was judged by (gate.min_run_score, suites.support/refund.weight): update the branch")}
	return r
}

func acceptableRun() *report.Report {
	r := mergedRun()
	r.Verdict, r.Acceptable = report.Failed, true
	r.Reasons = []report.Reason{Reason("on_removed", "1 case that passed before was removed: support/refund/duplicate-charge")}
	Add(r, report.Removed, "duplicate-charge", PassOutcome("yes"), nil)
	return r
}

func acceptedRun() *report.Report {
	r := acceptableRun()
	r.Verdict, r.Acceptable = report.Passed, false
	r.Reasons[0].Level, r.Reasons[0].AcceptedBy = report.LevelWarn, "the review of octocat"
	r.Reasons[0].Message += "; accepted by the review of octocat"
	return r
}
