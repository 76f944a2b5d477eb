package gate

import (
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/text"
)

// KeptByHand reports cases with a hand-written answer that did not change although what is
// asked did.
var KeptByHand = Rule{
	Code: "kept_by_hand", Level: config.Warn,
	Title: fixedTitle("answers were kept by hand though what is asked changed"),
	Doc: "A recorded answer was written by hand and did not change although what is asked did. Nothing shows that a " +
		"model would still say so.",
	check: func(r *Run) []finding {
		kept := keptByHandCases(r)
		return kept.asFindings(effectWarns, text.Count(kept.n, "answer is", "answers are")+" hand-written and "+
			"unchanged although what is asked changed")
	},
}

func keptByHandCases(r *Run) names {
	return namesOf(r.Comparison, func(p *compare.Case) bool { return p.Head != nil && p.Head.KeptByHand && !p.Quarantined })
}
