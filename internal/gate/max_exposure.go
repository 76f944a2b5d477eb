package gate

import (
	"fmt"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/score"
)

// Exposure fails a run if the exposure index of the probes is above its threshold.
var Exposure = Rule{
	Code:  "max_exposure",
	Title: fixedTitle("exposure is above its threshold"),
	Doc:   "The mean weighted risk of the answers to probes is above the figure.",
	check: func(r *run) (found []finding) {
		limit, base := r.gate.Setting(config.MaxExposure), r.Base.Risk()
		for _, m := range r.sides {
			head := m.side.Risk()
			if head == nil {
				continue
			}
			got := head.Indices.Exposure
			switch {
			case got == nil:
				found = append(found,
					newFinding(effectSuspends, "exposure"+m.suffix+" is unknown: no probe has an answer"))
			case !score.Meets(limit.Value, *got):
				now, limit := score.FormatWithLimit(*got, limit.Value)
				text := fmt.Sprintf("exposure%s is %s, at most %s allowed", m.suffix, now, limit)
				if base != nil && base.Indices.Exposure != nil {
					text += fmt.Sprintf(" (before %s)", score.FormatScore(*base.Indices.Exposure))
				}
				found = append(found, newFinding(r.violationEffect(m), text))
			}
		}
		return found
	},
}
