package run

import (
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/render/page"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suiteid"
)

// shown finds what a side answered, by the head's ids of its suites and cases. A side that is nil, or has no log, answers nothing.
func shown(log *report.Log, side *report.Side) page.Find {
	if log == nil || side == nil {
		return nil
	}
	joined := side.Joined()
	return func(c report.Change) (report.Result, bool, error) {
		_, found := joined(suiteid.Name{Suite: c.SuiteID, Case: c.CaseID})
		if found == nil || found.Trial() == 0 {
			return report.Result{}, false, nil
		}
		r, err := log.At(found.At())
		if err != nil {
			return r, false, fault.Inputf("%w", err)
		}
		return r, true, nil
	}
}
