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
	check: func(r *Run) (found []finding) {
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
					newFinding(effectSuspends, "exposure%s is unknown: no probe has an answer", m.suffix))
			case !score.Meets(limit.Value, *got):
				now, limit := score.FormatWithLimit(*got, limit.Value)
				f := newFinding(effectFails, "exposure%s is %s, at most %s allowed", m.suffix, now, limit)
				if r.tooManyMissing(m) {
					f.effect = effectSuspends
				}
				if base != nil && base.Indices.Exposure != nil {
					f.Message += fmt.Sprintf(" (before %s)", score.FormatScore(*base.Indices.Exposure))
				}
				found = append(found, f)
			}
		}
		return found
	},
}
