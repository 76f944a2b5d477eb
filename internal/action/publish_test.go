package action

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

func TestAnAnnotationNamesOnlyAFileThatExists(t *testing.T) {
	for want, suites := range map[string][]report.SuiteSummary{
		"::error title=The gate does not pass%3A min_run_score::too low\n":                         nil,
		"::error file=apps/a.yaml,line=3,title=The gate does not pass%3A min_run_score::too low\n": {{SuiteID: "a", Path: "a.yaml", Line: 3, Cases: 1}},
	} {
		var out strings.Builder
		r := &report.Report{Verdict: report.Failed, Suites: suites, Reasons: []report.Reason{{Code: gate.RunScore.Code, Level: report.LevelError, Message: "too low"}}}
		if err := Annotate(&out, func(string) string { return "/repo" }, "/repo/apps", r); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Errorf("%q, want %q", out.String(), want)
		}
	}
}
