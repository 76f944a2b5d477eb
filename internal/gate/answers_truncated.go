package gate

import (
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/text"
)

// AnswersCut names the cases whose answers were whole on the base and are cut at their length limit now. A cut answer
// is judged like any other. But if a case passes by what is not said (policies, forbidden claims, risks), a lower limit
// takes away what would fail it, so this is held like a change of the rules.
var AnswersCut = Rule{
	Code: "answers_truncated", Level: config.Warn, Accepts: true,
	Title: fixedTitle("answers are now truncated"), NextStep: putBack, Look: lookAtEdits,
	Doc: "Answers that were complete on the base are truncated at the length limit. If such a case passes by " +
		"what its answer does not say, the level is that of `on_policy_change`; else it warns.",
	check: func(r *run) []finding {
		cut := func(unproven bool) names {
			return namesOf(r.Comparison, func(p compare.Case) bool {
				return !p.Quarantined && p.CutShort() && p.Head.Passes() && unproven == (p.Head.Unproven() || notJudgedByOld(p))
			})
		}
		what := func(n names) string {
			return text.Count(n.n, "answer is newly", "answers are newly") + " truncated at the length limit"
		}
		unproven, plain := cut(true), cut(false)
		found := unproven.asFindings(fails, what(unproven)+", so the missing text may contain what is forbidden")
		return append(atLevel(r.gate.At(config.OnPolicyChange).Level, found), plain.asFindings(warns, what(plain))...)
	},
}
