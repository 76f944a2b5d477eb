package gate

import "fmt"

// HeadErrors suspends a run if the head lacks answers that the base has, and lacks more of them than chance explains.
var HeadErrors = Rule{
	Code: "head_errors",
	Doc: "The head loses answers that the base does not, more than an accident explains. Its level is that of " +
		"`max_unscored`.",
	check: func(r *run) []finding {
		noise := r.Comparison.Noise
		if noise == nil || !noise.HeadErrors {
			return nil
		}
		return []finding{breach(suspends, fmt.Sprintf("answers are lost now that came before (%s if that were an "+
			"accident): possibly this change's fault, but no score",
			oneIn(noise.Numbers.HeadErrors))).at(r.gate.Unscored(true).Level)}
	},
}
