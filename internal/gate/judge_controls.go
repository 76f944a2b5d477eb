package gate

import "github.com/failproof/failproof/internal/config"

// JudgeControls suspends a run whose judge gets wrong what is known.
var JudgeControls = Rule{
	Code: "judge_controls", Level: config.Err,
	Doc: "The judge model got a control wrong three times running: an answer whose verdict is known. Nothing is graded by it.",
	check: func(r *run) []finding {
		if r.JudgeWrong == "" {
			return nil
		}
		return []finding{breach(suspends, "the judge got a control wrong three times running, so that nothing is graded by it: "+r.JudgeWrong)}
	},
}
