package gate

import (
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/text"
)

// JudgeWarns reports cases that miss a criterion according to a judge that only warns.
var JudgeWarns = Rule{
	Code: "judge_warns", Level: config.Warn,
	Title: fixedTitle("criteria are not met, by a judge that only warns"),
	Doc: "A judge that does not agree with people often enough, or was not checked, says that a criterion is " +
		"not met. Nobody is held to that.",
	check: func(r *Run) []finding {
		warned := namesOf(r.Comparison, func(p *compare.Case) bool { return p.Head != nil && p.Head.JudgeWarns && !p.Quarantined })
		return warned.asFindings(effectWarns, text.Count(warned.n, "answer does not meet its criteria", "answers do not meet their criteria")+", by a judge that only warns")
	},
}
