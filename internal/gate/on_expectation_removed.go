package gate

import (
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/text"
)

// ExpectationRemoved reports cases that no longer have any expectation, or only one that unrelated answers meet.
var ExpectationRemoved = Rule{
	Code: "on_expectation_removed", MayBeAccepted: true,
	Title: fixedTitle("cases accept unrelated answers"), NextStep: putBack, ReviewStep: reviewEdits,
	IfOff: "A pull request can remove every check of a case, without a notice.",
	Doc: "A case had an expectation on the base, and has none now, or one that unrelated answers meet. The run tries " +
		"some of several forms, unless a model judges the case. An accident counts as well.",
	check: func(r *Run) []finding {
		lost := namesOf(r.Comparison, func(p *compare.Case) bool {
			return p.Redefined() && compare.CountsOf(p.Base).Trials > 0 && !p.Quarantined &&
				(p.Head.ExpectsNothing() && !p.Base.Unverified || r.Loosened[p.SuiteID()+"/"+p.ID()])
		})
		return lost.asFindings(effectFails, text.Count(lost.n, "case accepts", "cases accept")+
			" unrelated answers, by a changed expectation")
	},
}
