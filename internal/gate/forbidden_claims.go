package gate

import (
	"strconv"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/text"
)

// ForbiddenClaims reports cases that pass although an answer makes a forbidden claim. That is possible if other metrics
// keep the score at its threshold.
var ForbiddenClaims = Rule{
	Code: "forbidden_claims", Level: config.Warn,
	Title: fixedTitle("passing answers make forbidden claims"), ReviewStep: ReviewAnswers,
	Doc: "Answers pass although they state what their cases forbid. A policy, or `scoring.grounding.required`, " +
		"would fail them.",
	check: func(r *Run) []finding {
		var stating names
		for _, s := range r.head.Suites {
			for _, c := range s.Cases {
				if claim := c.StatedClaim; claim != "" && c.Outcome.Right() {
					stating.add(s.ID, c.ID, " ("+strconv.Quote(claim)+")")
				}
			}
		}
		return stating.asFindings(effectWarns,
			text.Count(stating.n, "answer passes and makes", "answers pass and make")+
				" forbidden claims, which a policy or `scoring.grounding.required` would fail")
	},
}

// ReviewAnswers is the ReviewStep of rules that report single answers.
const ReviewAnswers = "look at the answers that are named here"
