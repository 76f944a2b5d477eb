package gate

import (
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// AnswersLost suspends a run if a case gets an answer on the base and none on the head, even in reruns.
var AnswersLost = Rule{
	Code: "answers_lost", Level: config.Err,
	Doc: "Cases get no answer on the head, however often they are asked, and do on the base. That may be the " +
		"change's fault, but an answer that did not come is no wrong one.",
	check: func(r *Run) []finding {
		if r.Comparison.NoiseTest == nil {
			return nil
		}
		lost := namesOf(r.Comparison, func(p *compare.Case) bool {
			return p.IsCandidate(report.CandidateLost)
		})
		if lost.n == 0 {
			return nil
		}
		return []finding{lost.withCases(newFinding(effectSuspends,
			"%s no answer now, however often asked, and had some before: %s; possibly this change's fault, but "+
				"no score",
			text.Count(lost.n, "case has", "cases have"), lost.text()))}
	},
}
