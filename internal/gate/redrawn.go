package gate

import (
	"fmt"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/text"
)

// ResampledCase is a recorded case whose answer is another one although its request is unchanged.
type ResampledCase struct {
	SuiteID, CaseID string
	Samples         int // how often a model was called for it; 0: not counted
}

// ResampledRecordings reports recorded answers that were sampled again, or replaced. Somebody may have sampled until an
// answer passed.
var ResampledRecordings = Rule{
	Code: "redrawn", Level: config.Warn,
	Title: fixedTitle("recorded answers were drawn again or edited"), ReviewStep: ReviewAnswers,
	Doc: "A model gave several answers to the same request, and the last one is recorded (`failproof record " +
		"--again`). " +
		"Whoever draws until an answer passes hides that others fail. The same goes for an answer that differs from " +
		"the base's and counts no draw: it was edited, or drawn and not counted.",
	check: func(r *run) []finding {
		var again, replaced names
		for _, c := range r.Resampled {
			if c.Samples > 0 {
				again.add(c.SuiteID, c.CaseID, fmt.Sprintf(" (draw %d)", c.Samples))
			} else {
				replaced.add(c.SuiteID, c.CaseID, "")
			}
		}
		return append(again.asFindings(effectWarns, text.Count(again.n, "answer was", "answers were")+
			" drawn again to the "+
			"same request, and the last draw is recorded"),
			replaced.asFindings(effectWarns, text.Count(replaced.n, "recorded answer was", "recorded answers were")+
				" replaced though the request is the same: edited, or drawn again and not counted")...)
	},
}
