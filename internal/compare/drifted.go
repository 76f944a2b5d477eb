package compare

import (
	"fmt"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

// drifted names the cases that a branch's model answers worse than it did in earlier runs. Fresh answers prove each of them.
func (j *judgement) drifted() {
	for _, d := range j.in.Drifted {
		j.add(config.Err, fails, report.Reason{Code: report.CodeDrift, SuiteID: d.SuiteID, CaseID: d.CaseID,
			Message: fmt.Sprintf("%s/%s is answered worse than in earlier runs: right %d of %d before, %d of %d now, since %s", d.SuiteID, d.CaseID,
				d.RightBefore, d.AskedBefore, d.Right, d.Asked, d.Since[:len(time.DateOnly)])})
	}
}
