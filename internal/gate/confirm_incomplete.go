package gate

import (
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/text"
)

// MissingReruns suspends a run if too few answers came when flipped cases were rerun.
var MissingReruns = Rule{
	Code: "confirm_incomplete", Level: config.Err,
	Doc: "Cases flipped, or lost their answer, and could not be rerun often enough to say why.",
	check: func(r *run) (found []finding) {
		noise := r.Comparison.Noise
		if noise == nil {
			return nil
		}
		unanswered := noise.Unfinished()
		if n := noise.MissingReruns - unanswered; n > 0 && noise.Numbers.Repeats == nil {
			found = append(found, breach(suspends, text.Count(n, "case")+" flipped and could not be rerun often "+
				"enough to confirm or clear the regression").
				at(r.gate.At(config.MaxRegressions).Level))
		}
		if unanswered > 0 {
			why := ", and could not be rerun often enough to say why"
			if noise.Numbers.Repeats != nil {
				why = ": no run of the head brought one"
			}
			found = append(found, breach(suspends, text.Count(unanswered, "case has", "cases have")+" no answer now and had some before"+why))
		}
		return found
	},
}
