package report_test

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
)

func TestTheFiguresOfAStoredReportAreThoseOfItsResults(t *testing.T) {
	half, one := 0.5, 1.0
	side := func(words ...string) *report.Side {
		var results []report.Result
		for i, word := range words {
			results = append(results, trial("s", string(rune('a'+i)), 1, classify.Category(word)))
		}
		return build(t, nil, results...)
	}
	stored := func() *report.Report {
		head := side("pass", "fail")
		return &report.Report{Suites: []report.SuiteSummary{{SuiteID: "s", Score: &half, Cases: 2, Passed: 1, Histogram: report.NewHistogram(head.Suite("s"))}},
			RunScore: &half, MicroScore: &half, AnsweredScore: &half, Cases: 2, PassedCases: 1, Histogram: report.NewHistogram(head.Suites...)}
	}
	for _, c := range []struct {
		rule  string
		edit  func(*report.Report)
		lines []string
		want  string
	}{
		{"they agree", func(*report.Report) {}, []string{"pass", "fail"}, ""},
		{"a result was edited", func(*report.Report) {}, []string{"pass", "pass"}, "suite s: pass: the report counts 1, and its results come to 2"},
		{"a suite's score was", func(r *report.Report) { r.Suites[0].Score = &one }, []string{"pass", "fail"}, "suite s: score: the report says 1, and its results come to 0.5"},
		{"or taken out", func(r *report.Report) { r.Suites[0].Score = nil }, []string{"pass", "fail"}, "suite s: score: the report has none, and its results come to 0.5"},
		{"or put in", func(r *report.Report) { r.Suites[0].OverallScore = &one }, []string{"pass", "fail"}, "suite s: overall_score: the report says 1, and there is no result to make it of"},
		{"the right cases were", func(r *report.Report) { r.Suites[0].Passed = 2 }, []string{"pass", "fail"}, "suite s: passed: the report counts 2, and its results come to 1"},
		{"the run's score was", func(r *report.Report) { r.RunScore = &one }, []string{"pass", "fail"}, "run_score: the report says 1, and its results come to 0.5"},
		{"the run's outcomes were", func(r *report.Report) { r.Histogram["fail"] = 0 }, []string{"pass", "fail"}, "fail: the report counts 0, and its results come to 1"},
		{"a suite that is not read says nothing", func(r *report.Report) {
			r.Suites = append(r.Suites, report.SuiteSummary{SuiteID: "t", Score: &one})
			r.RunScore = &one
		},
			[]string{"pass", "fail"}, ""},
		{"what is in quarantine enters outcomes alone", func(r *report.Report) { r.Suites[0].Quarantined, r.Quarantined, r.Suites[0].Score = 1, 1, &one }, []string{"pass", "fail"}, ""},
		{"and these are held", func(r *report.Report) { r.Suites[0].Quarantined, r.Quarantined = 1, 1 }, []string{"pass", "pass"}, "suite s: pass: the report counts 1, and its results come to 2"},
	} {
		rep := stored()
		c.edit(rep)
		got := ""
		if err := rep.CheckAgainst(side(c.lines...)); err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", c.rule, got, c.want)
		}
	}
}
