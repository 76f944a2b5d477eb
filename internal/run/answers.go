package run

import (
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/render/page"
	"github.com/failproof/failproof/internal/report"
)

// shown finds what a side answered, by the head's ids of its suites and cases. A side that is nil, or has no log, answers nothing.
func shown(log *report.Log, side *report.Side) page.Find {
	if log == nil || side == nil {
		return nil
	}
	own := map[string]string{}
	for _, s := range side.Suites {
		own[s.HeadID()] = s.ID
	}
	return func(c report.Change) (report.Result, bool, error) {
		found := side.Suite(own[c.SuiteID]).Joined(c.CaseID)
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
