package gate

import (
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// Internal suspends a run with an internal error of failproof.
var Internal = Rule{
	Code: model.ReasonInternal, Level: config.Err,
	Doc: "failproof itself broke on an answer: a bug of ours. What it would have found there is unknown, so " +
		"there is no verdict.",
	check: func(r *Run) []finding {
		b := report.MergeInternalErrors(r.Head, r.Base)
		if b.Trials == 0 {
			return nil
		}
		f := newFinding(effectSuspends,
			"failproof itself broke on %s, first on case %s of suite %s: a bug of failproof, not of the prompts",
			text.Count(b.Trials, "answer"), b.CaseID, b.SuiteID)
		f.SuiteID, f.CaseID = b.SuiteID, b.CaseID
		return []finding{f}
	},
}
