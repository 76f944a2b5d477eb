package gate

import (
	"fmt"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/text"
)

// Unverified fails a run with too many unverified cases. A case is unverified if no criterion looked at its answers.
var Unverified = Rule{
	Code:  "max_unverified",
	Title: fixedTitle("too many unverified cases"),
	Doc: "More cases than the figure pass with nothing to verify: no criterion looks at their answers. Cases " +
		"kept by hand are among them.",
	check: func(r *Run) []finding {
		limit := r.gate.Setting(config.MaxUnverified)
		n, kept := r.head.Counts().Unverified, keptByHandCases(r).n
		if score.Meets(limit.Value, float64(n)) {
			return nil
		}
		what := text.Count(n, "case") + " passed with nothing to verify"
		if kept > 0 {
			what = fmt.Sprintf("%s unverified, %d of them kept by hand", text.Count(n, "case is", "cases are"), kept)
		}
		return []finding{newFinding(effectFails, "%s, at most %s allowed", what, text.Decimal(limit.Value))}
	},
}
