package gate

import (
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/text"
)

// ConfirmIncomplete suspends a run if too few answers came when flipped cases were rerun.
var ConfirmIncomplete = Rule{
	Code: "confirm_incomplete", Level: config.Err,
	Doc: "Cases flipped, or lost their answer, and could not be rerun often enough to say why.",
	check: func(r *Run) (found []finding) {
		noise := r.Comparison.NoiseTest
		if noise == nil {
			return nil
		}
		unanswered := noise.UnansweredIncomplete()
		if n := noise.MissingReruns - unanswered; n > 0 && noise.Numbers.Repeats == nil {
			flipped := newFinding(effectSuspends,
				"%s flipped and could not be rerun often enough to confirm or clear the regression",
				text.Count(n, "case"))
			flipped.level = Regressions.levelIn(r.gate)
			found = append(found, flipped)
		}
		if unanswered > 0 {
			why := ", and could not be rerun often enough to say why"
			if noise.Numbers.Repeats != nil {
				why = ": no run of the head brought one"
			}
			found = append(found, newFinding(effectSuspends, "%s no answer now and had some before%s",
				text.Count(unanswered, "case has", "cases have"), why))
		}
		return found
	},
}
