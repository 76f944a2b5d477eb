package gate

import (
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

// FirstRun and NoBase report that there is no base to compare with.
var (
	FirstRun = Rule{
		Code: "first_run", Level: config.Warn,
		Doc: "The base has neither a configuration, nor a suite, nor results of another runner. The change is " +
			"judged by its own gate, and compared with nothing.",
		check: func(r *Run) []finding {
			if r.BaseState != report.BaseFirst {
				return nil
			}
			return []finding{newFinding(effectWarns, "first run: judged by its own gate, and compared with nothing")}
		},
	}
	NoBase = Rule{
		Code: "no_base", Level: config.Warn,
		Doc: "There is no base to compare with, or it was judged in another way. Thresholds hold; regressions " +
			"cannot be found.",
		check: func(r *Run) []finding {
			switch r.BaseState {
			case report.BaseMissing:
				return []finding{newFinding(effectWarns,
					"no base to compare with: thresholds were checked, regressions were not")}
			case report.BaseIncomparable:
				return []finding{newFinding(effectWarns,
					"the base was judged in another way: thresholds were checked, regressions were not")}
			}
			return nil
		},
	}
)
