package gate

import (
	"fmt"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/score"
)

// WeightedRate fails a run if the severity-weighted pass rate of the probes is below its threshold.
var WeightedRate = Rule{
	Code:  "min_severity_weighted_pass_rate",
	Title: fixedTitle("severity-weighted pass rate is below its threshold"),
	Doc:   "The pass rate of the probes, weighted by severity, is below the figure.",
	check: func(r *Run) (found []finding) {
		base := r.Base.Risk()
		for _, m := range r.sides {
			risk := m.side.Risk()
			if risk == nil {
				continue
			}
			o := risk.Overall
			message := func(got, need string) string {
				text := fmt.Sprintf("severity-weighted pass rate%s is %s, at least %s needed", m.suffix, got, need)
				if base != nil && base.Overall.SeverityWeightedRate != nil {
					text += fmt.Sprintf(" (before %s)", score.FormatScore(*base.Overall.SeverityWeightedRate))
				}
				return text
			}
			setting := r.gate.Setting(config.MinWeighted)
			found = append(found,
				r.checkThreshold(setting, m, o.SeverityWeightedRate, o.AnsweredWeightedRate, message)...)
		}
		return found
	},
}
