package gate

import (
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

// CostIncrease fails a run if the cost of the median answer rises by more than the gate allows.
var CostIncrease = Rule{
	Code:  "max_cost_increase",
	Title: fixedTitle("an answer costs more than the gate allows"), MayBeAccepted: true,
	NextStep: "Shorten the prompt or the answers, or ask a cheaper model.",
	Doc: "An answer costs more than on the base, by a larger share than the figure: 0.25 is a quarter more. Compared is the median over the " +
		"cases with a cost on both sides, of which there must be five. Answers that were kept count with what they cost when they were asked.",
	check: func(r *Run) []finding {
		setting := r.gate.Setting(config.MaxCostIncrease)
		e := report.EffortsOf(r.Comparison.Changes)
		if e == nil || e.Base.CostUSD == nil {
			return nil
		}
		more := *e.Head.CostUSD / *e.Base.CostUSD - 1
		if score.Meets(setting.Value, more) {
			return nil
		}
		now, limit := score.FormatWithLimit(1+more, 1+setting.Value)
		return []finding{newFinding(effectFails,
			"the median answer costs %s times as much as before, at most %s times is allowed", now, limit)}
	},
}
