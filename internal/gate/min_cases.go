package gate

import (
	"cmp"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/text"
)

// Cases fails a run with fewer cases than the gate requires.
var Cases = Rule{
	Code:  "min_cases",
	Title: fixedTitle("too few cases"),
	Doc:   "The head has fewer cases than the figure. Cases out of scope count.",
	check: func(r *Run) []finding {
		least := r.gate.Setting(config.MinCases)
		n := cmp.Or(r.CaseCount, r.Head.Counts().Cases)
		nothingInScope := len(r.Head.Suites) == 0 && len(r.Comparison.Changes) == 0
		if nothingInScope || score.Meets(float64(n), least.Value) {
			return nil
		}
		return []finding{newFinding(effectFails, "%s, at least %s needed", text.Count(n, "case"),
			text.Decimal(least.Value))}
	},
}
