package gate

import (
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/text"
)

// KeptByHand names the cases whose recorded answers somebody wrote, and left as they are although what is asked changed.
var KeptByHand = Rule{
	Code: "kept_by_hand", Level: config.Warn,
	Doc: "Somebody wrote the recorded answer to a case, and left it as the base has it although the prompt changed. Nothing shows that a model would still say so.",
	check: func(r *run) []finding {
		kept := keptByHand(r)
		return kept.asFindings(warns, text.Count(kept.n, "case is", "cases are")+" unverified: kept by hand although the prompt changed")
	},
}

func keptByHand(r *run) names {
	return namesOf(r.Comparison, func(p compare.Case) bool { return p.Head != nil && p.Head.KeptByHand && !p.Quarantined() })
}
