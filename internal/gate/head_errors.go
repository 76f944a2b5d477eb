package gate

// HeadErrors suspends a run if the head lacks answers that the base has, and lacks more of them than chance explains.
var HeadErrors = Rule{
	Code: "head_errors", LevelOf: Unscored.Code,
	Doc: "The head loses answers that the base does not, more than an accident explains.",
	check: func(r *Run) []finding {
		noise := r.Comparison.NoiseTest
		if noise == nil || !noise.HeadErrors {
			return nil
		}
		return []finding{newFinding(effectSuspends,
			"answers are lost now that came before (%s if that were an accident): possibly this change's fault, "+
				"but no score",
			oddsText(noise.Numbers.HeadErrors))}
	},
}
