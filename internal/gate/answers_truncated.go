package gate

import (
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/text"
)

// AnswersTruncated reports passing answers that are truncated on the head and were complete on the base. An answer may
// pass only because forbidden content (policies, forbidden claims, risks) is cut off. The finding about such a case has
// the level of on_policy_change. The same level applies to a redefined case that the base's expectation did not judge.
// All other findings warn.
var AnswersTruncated = Rule{
	Code: "answers_truncated", Level: config.Warn, MayBeAccepted: true,
	Title: fixedTitle("answers are now truncated"), NextStep: putBack, ReviewStep: reviewEdits,
	Doc: "Answers that were complete on the base are truncated at the length limit. If such a case passes by " +
		"what its answer does not say, the level is that of `on_policy_change`; else it warns.",
	check: func(r *Run) []finding {
		cut := func(unproven bool) names {
			return namesOf(r.Comparison, func(p *compare.Case) bool {
				return !p.Quarantined && p.NewlyTruncated() && p.Head.Outcome.Right() && unproven == (p.Head.PassesTruncated || notJudgedByOld(p))
			})
		}
		what := func(n names) string {
			return text.Count(n.n, "answer is newly", "answers are newly") + " truncated at the length limit"
		}
		unproven, plain := cut(true), cut(false)
		found := unproven.asFindings(effectFails, what(unproven)+", so the missing text may contain what is forbidden")
		return append(atLevel(PolicyChange.levelIn(r.gate), found), plain.asFindings(effectWarns, what(plain))...)
	},
}
