package gate

// RecheckIncomplete suspends a run whose recheck lacks answers.
var RecheckIncomplete = Rule{
	Code: "recheck_incomplete", LevelOf: Drop.Code,
	Doc: "The score fell, and the full rerun is missing too many answers.",
	check: func(r *Run) []finding {
		if noise := r.Comparison.NoiseTest; noise == nil || !noise.RecheckIncomplete {
			return nil
		}
		return []finding{newFinding(effectSuspends,
			"the score fell, and the full rerun is missing too many answers: no verdict on the prompt")}
	},
}
