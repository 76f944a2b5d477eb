package gate

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/text"
)

// ParseRepairs reports cases with answers that were valid JSON on the base and need repairs on the head.
var ParseRepairs = Rule{
	Code: "parse_repairs", Level: config.Warn,
	Title: fixedTitle("answers are JSON only after repairs"), ReviewStep: ReviewAnswers,
	Doc: "Answers that were JSON as they came on the base are JSON only after repairs now. The rules allow " +
		"repairs; a program that reads the answers may not.",
	check: func(r *Run) []finding {
		var repairs []string
		repaired := namesOf(r.Comparison, func(p *compare.Case) bool {
			if p.Base == nil || p.Head == nil || p.Quarantined || p.Redefined() || !p.Base.Outcome.Right() || !p.Head.Outcome.Right() || len(p.Base.Repairs()) > 0 {
				return false
			}
			for _, one := range p.Head.Repairs() {
				if one = strings.ReplaceAll(one, "_", " "); !slices.Contains(repairs, one) {
					repairs = append(repairs, one)
				}
			}
			return len(p.Head.Repairs()) > 0
		})
		return repaired.asFindings(effectWarns, text.Count(repaired.n, "answer is", "answers are")+" JSON only after repairs ("+strings.Join(repairs, ", ")+
			"), which `strict: true` would fail, and needed none before")
	},
}
