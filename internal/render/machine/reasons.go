package machine

import (
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
)

// decidingReasons returns the reasons that decided the verdict, without those that a wrong or missing answer shows.
func decidingReasons(v *story.Story) []report.Reason {
	return show.Filter(v.Report.Reasons, func(r report.Reason) bool {
		c, ok := v.Find(r.SuiteID, r.CaseID)
		shown := ok && r.CaseID != "" && caseResultOf(c) >= resultRegressed
		return r.Level == report.LevelError && !shown
	})
}

// suitePlace returns the path and line of a suite; "" and 0 if the report has no such suite.
func suitePlace(v *story.Story, id string) (path string, line int) {
	for _, s := range v.Report.Suites {
		if s.SuiteID == id {
			return s.Path, s.Line
		}
	}
	return "", 0
}
