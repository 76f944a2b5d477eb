package gate

import "github.com/failproof/failproof/internal/config"

// JudgeControls suspends a run whose judge gets a control question wrong.
var JudgeControls = Rule{
	Code: "judge_controls", Level: config.Err,
	Title:    fixedTitle("the judge failed its control questions"),
	NextStep: "Let another model judge: this one gets wrong what is known.",
	Doc:      "The judge failed a control question, whose verdict is known, three times. Its grades do not count.",
	check: func(r *Run) []finding {
		if r.FailedControl == "" {
			return nil
		}
		return []finding{newFinding(effectSuspends,
			"the judge failed a control question three times, so its grades do not count: %s", r.FailedControl)}
	},
}
