package gate_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/gate"
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
		{"a branch that moved on", report.Undecided, []string{gate.BaseMoved.Code, "on_removed"}, false},
		{"no reason at all", report.Failed, nil, false},
	} {
		if got := gate.Acceptable(c.verdict, reasons(c.codes...)); got != c.want {
			t.Errorf("%s: %v, want %v", c.rule, got, c.want)
		}
	}
}

func TestAnAcceptedReasonIsAWarningThatNamesWhoAcceptedIt(t *testing.T) {
	before := []report.Reason{{Code: "on_removed", Level: report.LevelError, Message: "1 case is gone"}, {Code: "max_unscored", Level: report.LevelWarn, Message: "slow"}}
	kept := slices.Clone(before)
	octocat := func(report.Reason) (string, string) { return "the review of octocat", "" }
	verdict, after := gate.Accept(before, "ada", octocat)
	want := []report.Reason{{Code: "on_removed", Level: report.LevelWarn, Message: "1 case is gone; pushed by ada, accepted by the review of octocat", AcceptedBy: "the review of octocat"}, kept[1]}
	if diff := cmp.Diff(want, after); verdict != report.Passed || diff != "" || !cmp.Equal(before, kept) {
		t.Errorf("%s, want passed, and the argument as it was: %+v (-want +got):\n%s", verdict, before, diff)
	}
}

func TestARunStaysFailedWhileOneReasonIsNotAccepted(t *testing.T) {
	before := []report.Reason{{Code: "on_removed", Level: report.LevelError, SuiteID: "s", CaseID: "a", Message: "gone"},
		{Code: "on_redefined", Level: report.LevelError, Cases: []string{"s/b", "s/c"}, Message: "otherwise"}}
	one := func(r report.Reason) (who, whyNot string) {
		if slices.Equal(r.CaseNames(), []string{"s/a"}) {
			return "the command of ada", ""
		}
		return "", "grace pushed it"
	}
	verdict, after := gate.Accept(before, "grace", one)
	if verdict != report.Failed || after[0].Level != report.LevelWarn || after[1].Level != report.LevelError || after[1].AcceptedBy != "" ||
		after[0].Message != "gone; pushed by grace, accepted by the command of ada" || after[1].Message != "otherwise; not accepted: grace pushed it" {
		t.Errorf("%s, %+v; want it failed for the second reason alone", verdict, after)
	}
}

func TestARunThatLacksAnswersIsUndecidedOnceTheRestIsAccepted(t *testing.T) {
	removed, missing := report.Reason{Code: "on_removed", Level: report.LevelError}, report.Reason{Code: "max_unscored", Level: report.LevelError, Suspends: true}
	ada := func(report.Reason) (string, string) { return "the review of ada", "" }
	nobody := func(report.Reason) (string, string) { return "", "" }
	for _, reasons := range [][]report.Reason{{removed, missing}, {missing, removed}} {
		if verdict, _ := gate.Accept(reasons, "grace", ada); verdict != report.Undecided {
			t.Errorf("%+v, accepted: %s, want undecided", reasons, verdict)
		}
		if verdict, _ := gate.Accept(reasons, "grace", nobody); verdict != report.Failed {
			t.Errorf("%+v, not accepted: %s, want failed", reasons, verdict)
		}
	}
}

func TestNobodyAcceptsARegressionBesideWhatIsAccepted(t *testing.T) {
	before := []report.Reason{{Code: "on_removed", Level: report.LevelError, Message: "gone"},
		{Code: "max_regressions", Level: report.LevelError, Message: "1 regression"}}
	ada := func(report.Reason) (string, string) { return "the review of ada", "" }
	verdict, after := gate.Accept(before, "grace", ada)
	if verdict != report.Failed || after[0].Level != report.LevelWarn || after[1].Level != report.LevelError ||
		after[1].Message != "1 regression; not accepted: no review or command can accept this" {
		t.Errorf("%s, %+v; want it failed for the regression, with a word of that", verdict, after)
	}
	nobody := func(r report.Reason) (string, string) {
		if r.Code == "max_regressions" {
			return "", "nobody reviews"
		}
		return "", ""
	}
	if verdict, after := gate.Accept(before, "grace", nobody); verdict != report.Failed || !cmp.Equal(before, after) {
		t.Errorf("%s, %+v; want it failed, and no word of acceptances", verdict, after)
	}
}
