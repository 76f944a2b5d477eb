package gate

import (
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/text"
)

// UnsettledFlips suspends a run if the regressions and the flips of sampled answers are together more than
// max_regressions. A sampled answer is a recorded answer that a model gave once on each side and that was not rerun.
var UnsettledFlips = Rule{
	Code: "unsettled_flips", LevelOf: Regressions.Code,
	NextStep: "`failproof record` reruns the cases that flipped, on both sides: commit what it writes.",
	Doc: "More cases flipped than `max_regressions` allows, counted with the regressions. Both answers to them " +
		"were recorded from a model, once each, and not rerun. `mode: strict` takes each draw as it is.",
	check: func(r *Run) []finding {
		n, limit := r.Comparison.SampledFlips(), r.gate.Setting(config.MaxRegressions)
		if n == 0 || score.Meets(limit.Value, float64(r.Comparison.Regressions()+n)) {
			return nil
		}
		return []finding{newFinding(effectSuspends, "%s flipped; %s", text.Count(n, "answer"), sampledFlipText)}
	},
}

// sampledFlipText explains why a flip between two sampled answers proves nothing.
const sampledFlipText = "one answer each cannot tell chance from a change"
