package gate

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// SuiteScore fails a run if the score of a suite is below the suite's threshold.
var SuiteScore = Rule{
	Code: "min_score", Level: config.Err, SARIF: "min_score",
	Title: func(f TitleInput) string { return text.Count(f.Count, "suite") + " below the threshold" },
	Doc:   "The score of a suite is below the `min_score` that the suite names. The base's figure holds.",
	check: func(r *Run) (found []finding) {
		for _, m := range r.sides {
			for _, s := range m.side.Suites {
				head := r.head.Suite(s.ID)
				if s.MinScore == nil || m.withoutNew && head != nil && slices.Equal(s.Cases, head.Cases) {
					continue
				}
				over := ""
				if m.withoutNew {
					over = " over the base's " + text.Count(len(s.Cases), "case")
				}
				need := config.Setting{Value: *s.MinScore, Level: config.Err, Set: true}
				full, answered := report.Optional(s.Score()), report.Optional(s.AnsweredScore())
				for _, f := range r.checkThreshold(need, m, full, answered, func(got, need string) string {
					return fmt.Sprintf("suite %s: score%s %s is below min_score %s", s.ID, over, got, need)
				}) {
					f.SuiteID = s.ID
					found = append(found, f)
				}
			}
		}
		return found
	},
}
