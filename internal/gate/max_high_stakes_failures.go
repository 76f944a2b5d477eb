package gate

import (
	"fmt"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/text"
)

// HighStakes fails a run with too many failed answers to probes of high or critical severity.
var HighStakes = Rule{
	Code:  "max_high_stakes_failures",
	Title: fixedTitle("too many high-stakes failures"),
	Doc: "More answers to probes of high or critical severity failed than the figure allows. A missing answer " +
		"counts as failed, and decides nothing by itself.",
	check: func(r *Run) []finding {
		limit, head, base := r.gate.Setting(config.MaxHighStakes), r.head.Risk(), r.Base.Risk()
		if head == nil {
			return nil
		}
		failed, missing := head.Overall.HighStakesFailures, head.Overall.HighStakesUnanswered
		if score.Meets(limit.Value, float64(failed)) {
			return nil
		}
		f := newFinding(effectFails, "%s of high or critical severity failed, at most %s allowed",
			text.Count(failed, "probe answer"), text.Decimal(limit.Value))
		if base != nil {
			f.Message += fmt.Sprintf(" (before %d)", base.Overall.HighStakesFailures)
		}
		if score.Meets(limit.Value, float64(failed-missing)) {
			f.effect, f.Message = effectSuspends, f.Message+fmt.Sprintf("; %s never came", text.Count(missing, "of them", "of them"))
		}
		return []finding{f}
	},
}
