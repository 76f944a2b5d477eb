package gate

import (
	"fmt"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/text"
)

// Redraw is a recorded case whose answer was sampled several times although its request is unchanged.
type Redraw struct {
	SuiteID, CaseID string
	Samples         int
}

// Redrawn reports recorded answers that were sampled again. Somebody may have sampled until an answer passed.
var Redrawn = Rule{
	Code: "redrawn", Level: config.Warn,
	Title: fixedTitle("recorded answers were drawn again"), ReviewStep: ReviewAnswers,
	Doc: "A model gave several answers to the same request, and the last one is recorded (`failproof record " +
		"--again`). " +
		"Whoever draws until an answer passes hides that others fail.",
	check: func(r *run) []finding {
		var again names
		for _, c := range r.Redrawn {
			again.add(c.SuiteID, c.CaseID, fmt.Sprintf(" (draw %d)", c.Samples))
		}
		return again.asFindings(warns, text.Count(again.n, "answer was", "answers were")+" drawn again to the "+
			"same request, and the last draw is recorded")
	},
}
