package gate

import (
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/text"
)

// Pooled fails a run if the flipped cases got worse as a group: at least one regressed, but it is unknown which.
var Pooled = Rule{
	Code: "pooled_regression", LevelOf: Regressions.Code,
	Title: fixedTitle("cases got worse together"),
	Doc: "Cases that were asked again got worse together, beyond chance, and none of them does alone. They count " +
		"as one regression: " +
		"one of them regressed at least. `pooled: off` leaves this test out.",
	check: func(r *Run) []finding {
		limit := r.gate.Setting(config.MaxRegressions)
		if !poolProven(r) || score.Meets(limit.Value, float64(r.Comparison.Regressions()+1)) {
			return nil
		}
		test := r.Comparison.NoiseTest.Numbers.Confirm.Pooled
		return []finding{newFinding(effectFails,
			"%s were asked again: %d of %d answers were right before, %d now; none of them is proven alone, "+
				"all together are: %s if nothing changed",
			text.Count(test.Cases, "case"), test.BasePasses, test.Cases*test.Rounds, test.HeadPasses, oddsText(test.P))}
	},
}

func poolProven(r *Run) bool { return r.Comparison.NoiseTest != nil && r.Comparison.NoiseTest.Pooled }
