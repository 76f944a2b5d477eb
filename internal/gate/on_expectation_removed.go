package gate

import (
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/text"
)

// ExpectationRemoved reports cases that no longer have any expectation.
var ExpectationRemoved = Rule{
	Code: "on_expectation_removed", MayBeAccepted: true,
	Title: fixedTitle("cases no longer check anything"), NextStep: putBack, ReviewStep: reviewEdits,
	IfOff: "A pull request can remove every check of a case, without a notice.",
	Doc: "A case checked its answers on the base and no longer checks anything: any answer passes. An accident " +
		"counts as well.",
	check: func(r *run) []finding {
		lost := namesOf(r.Comparison, func(p *compare.Case) bool {
			return p.Redefined() && p.Head.UnderBase.Unverified && !p.Base.Unverified && compare.CountsOf(p.Base).Trials > 0 && !p.Quarantined
		})
		return lost.asFindings(effectFails, text.Count(lost.n, "case no longer checks", "cases no longer check")+" anything: any answer passes")
	},
}
