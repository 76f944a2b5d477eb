package gate

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/text"
)

// ResampledCase is a recorded case whose answer is another one although its request is unchanged, or which has reruns
// of a request that is none of today's.
type ResampledCase struct {
	SuiteID, CaseID string
	Samples         int  // how often a model was called for it; 0: not counted
	Replaced        bool // it differs from the base's, and is not counted
	Unnamed         bool // it no longer names the target that gave it, and is not changed otherwise
	LostReruns      bool // recorded reruns of the request are gone or edited
	ForeignReruns   bool // its answer is as it was, but it has new reruns of another request
}

// ResampledRecordings reports recorded answers that were sampled again, or replaced. Somebody may have sampled until an
// answer passed.
var ResampledRecordings = Rule{
	Code: "redrawn", Level: config.Warn,
	Title: fixedTitle("recorded answers were drawn again, edited or removed"), ReviewStep: ReviewAnswers,
	Doc: "A model gave several answers to the same request, and the last one is recorded (`failproof record " +
		"--again`). " +
		"Whoever draws until an answer passes hides that others fail. The same goes for an answer that differs from " +
		"the base's and counts no draw: it was edited, or drawn and not counted. An answer without its target can be " +
		"edited in the next change. Reruns that are gone no longer show that a wrong recorded answer was unlucky. New " +
		"reruns of a request that nobody makes yet would decide in a later change.",
	check: func(r *Run) []finding {
		var again, replaced, unnamed, lost, foreign names
		for _, c := range r.Resampled {
			switch {
			case c.Samples > 0:
				again.add(c.SuiteID, c.CaseID, fmt.Sprintf(" (draw %d)", c.Samples))
			case c.ForeignReruns:
				foreign.add(c.SuiteID, c.CaseID, "")
			case c.Unnamed:
				unnamed.add(c.SuiteID, c.CaseID, "")
			case c.Replaced:
				replaced.add(c.SuiteID, c.CaseID, "")
			}
			if c.LostReruns {
				lost.add(c.SuiteID, c.CaseID, "")
			}
		}
		return slices.Concat(
			again.asFindings(effectWarns, text.Count(again.n, "answer was", "answers were")+
				" drawn again to the same request, and the last draw is recorded"),
			replaced.asFindings(effectWarns, text.Count(replaced.n, "recorded answer was", "recorded answers were")+
				" replaced though the request is the same: edited, or drawn again and not counted"),
			unnamed.asFindings(effectWarns, text.Count(unnamed.n, "recorded answer no longer names",
				"recorded answers no longer name")+" the model that gave it, and would count as hand-written"),
			lost.asFindings(effectWarns, "recorded reruns of "+text.Count(lost.n, "case")+" were removed or edited though "+
				"the request is the same, and a later break may not be found"),
			foreign.asFindings(effectWarns, text.Count(foreign.n, "case has", "cases have")+
				" new recorded reruns of another request than today's, which would decide in a later change; remove them"))
	},
}
