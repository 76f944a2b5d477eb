package compare

import (
	"fmt"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// broken suspends a run in which failproof itself broke on an answer, however few: what it would have found there nobody knows,
// and no bar allows for our own bugs.
func (j *judgement) broken() {
	b := report.BrokenOf(j.in.Head, j.in.Base)
	if b.Trials == 0 {
		return
	}
	j.add(config.Err, suspends, report.Reason{Code: report.CodeInternal, SuiteID: b.SuiteID, CaseID: b.CaseID,
		Message: fmt.Sprintf("failproof itself broke on %s, first on case %s of suite %s: a bug of failproof, not of the prompts",
			text.Count(b.Trials, "answer"), b.CaseID, b.SuiteID)})
}
