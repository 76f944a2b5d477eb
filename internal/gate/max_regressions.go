package gate

import (
	"fmt"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/text"
)

// Regressions fails a run with more regressed cases than the gate allows.
var Regressions = Rule{
	Code: "max_regressions", SARIF: "regressed",
	Doc: "A case passed on the base and does not pass here. A flip of a live or redrawn case counts only once " +
		"fresh answers confirm it. " +
		"The figure is how many regressions are allowed. " +
		"The revert of a bad prompt is held to this too: a case that the bad prompt had improved is a regression. " +
		"Keep the lines that improved it. Or remove the case in the revert, which `on_removed` reports, and add it " +
		"again with a prompt that answers it.",
	check: func(r *Run) []finding {
		limit := r.gate.Setting(config.MaxRegressions)
		n := r.Comparison.Regressions()
		if score.Meets(limit.Value, float64(n)) {
			return nil
		}
		what := text.Count(n, "regression")
		byReruns := func(p *compare.Case) bool { return p.DecidedByReruns() && p.IsRegression() }
		switch fresh := r.Comparison.Count(byReruns); fresh {
		case 0:
		case n:
			what += " confirmed by " + rerunsText(r.Comparison)
		default:
			what += fmt.Sprintf(", %d of them confirmed by %s", fresh, rerunsText(r.Comparison))
		}
		return []finding{newFinding(effectFails, "%s, max_regressions is %s", what, text.Decimal(limit.Value))}
	},
}

// regressionsFail reports whether the regressions alone fail the run. Cases that got worse as a group count as one
// regression.
func (r *Run) regressionsFail() bool {
	limit := r.gate.Setting(config.MaxRegressions)
	n := r.Comparison.Regressions()
	if poolProven(r) {
		n++
	}
	return limit.Level == config.Err && !score.Meets(limit.Value, float64(n))
}

// rerunsText returns how a message calls the answers that confirm the first regression, such as "fresh runs".
func rerunsText(c compare.Comparison) string {
	for p := range c.All() {
		if p.Candidate != nil && p.IsRegression() {
			if p.Candidate.HeadRounds > 0 {
				return "the runs of both sides"
			}
			return p.Candidate.RunNoun() + "s"
		}
	}
	return "fresh runs"
}
