package gate

import (
	"fmt"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

// RunScore fails a run if the run score is below its threshold.
var RunScore = Rule{
	Code: "min_run_score",
	Doc: "The run score is below the threshold. The score is held twice: as it stands, and over the base's " +
		"cases, so that new easy cases lift nothing. " +
		"A default threshold that the base meets, and that noise alone may keep the head from meeting, only warns.",
	check: func(r *Run) (found []finding) {
		for _, m := range r.sides {
			full, answered := report.Optional(m.side.RunScore()), report.Optional(m.side.AnsweredScore())
			message := func(got, need string) string {
				return fmt.Sprintf("run score%s %s is below min_run_score %s", m.suffix, got, need)
			}
			setting := r.gate.Setting(config.MinRunScore)
			found = append(found, r.checkThreshold(setting, m, full, answered, message)...)
		}
		return found
	},
}
