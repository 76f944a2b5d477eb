package gate

import (
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/text"
)

// ExpectationRemoved names the cases that lost all that an answer was held to.
var ExpectationRemoved = Rule{
	Code: "on_expectation_removed", Accepts: true,
	Title: fixedTitle("cases lost their whole expectation"), NextStep: putBack, Look: lookAtEdits,
	IfOff: "A pull request can take away all that a case holds an answer to, and nobody is told.",
	Doc:   "A case held its answers to something on the base, and holds them to nothing here: any answer passes. A slip of the pen takes an expectation away as a hand does.",
	check: func(r *run) []finding {
		lost := namesOf(r.Comparison, func(p compare.Case) bool {
			return p.Redefined() && p.Head.UnderBase.Unheld && !p.Base.Unverified && compare.SideOf(p.Base).Trials > 0 && !p.Quarantined()
		})
		return lost.asFindings(fails, text.Count(lost.n, "case")+" lost the whole expectation, so that any answer passes")
	},
}
