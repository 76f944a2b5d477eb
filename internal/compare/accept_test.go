package compare_test

import (
	"slices"
	"testing"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/report"
)

func TestWhatAReviewAccepts(t *testing.T) {
	reasons := func(codes ...string) (out []report.Reason) {
		for _, c := range codes {
			level := report.LevelError
			if c[0] == '~' {
				c, level = c[1:], report.LevelWarn
			}
			out = append(out, report.Reason{Code: c, Level: level, Message: c})
		}
		return out
	}
	for _, c := range []struct {
		rule    string
		verdict report.Verdict
		codes   []string
		want    bool
	}{
		{"a case that must pass and was taken away", report.Failed, []string{"on_must_pass_change"}, true},
		{"all four at once", report.Failed, []string{"on_must_pass_change", "on_removed", "on_redefined", "on_policy_change"}, true},
		{"what only warns beside it is no hindrance", report.Failed, []string{"on_removed", "~max_regressions"}, true},
		{"a regression beside it", report.Failed, []string{"on_removed", "max_regressions"}, false},
		{"a must-pass case that fails", report.Failed, []string{"must_pass"}, false},
		{"a missed bar", report.Failed, []string{"min_run_score"}, false},
		{"what warns needs nobody", report.Passed, []string{"~on_removed"}, false},
		{"missing answers", report.Undecided, []string{"on_removed", "max_unscored"}, false},
		{"a branch that moved on", report.Undecided, []string{report.CodeBaseMoved, "on_removed"}, false},
		{"no reason at all", report.Failed, nil, false},
	} {
		if got := compare.Acceptable(c.verdict, reasons(c.codes...)); got != c.want {
			t.Errorf("%s: %v, want %v", c.rule, got, c.want)
		}
	}
}

func TestAnAcceptedReasonIsAWarningThatNamesTheReviewer(t *testing.T) {
	before := []report.Reason{{Code: "on_removed", Level: report.LevelError, Message: "1 case is gone"}, {Code: "max_unscored", Level: report.LevelWarn, Message: "slow"}}
	kept := slices.Clone(before)
	verdict, after := compare.Accept(before, "octocat")
	want := []report.Reason{{Code: "on_removed", Level: report.LevelWarn, Message: "1 case is gone; accepted by octocat", AcceptedBy: "octocat"}, kept[1]}
	if verdict != report.Passed || !slices.Equal(after, want) || !slices.Equal(before, kept) {
		t.Errorf("%s %+v, want passed %+v, and the argument as it was: %+v", verdict, after, want, before)
	}
}
