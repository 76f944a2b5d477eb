package rendertest

import "github.com/failproof/failproof/internal/report"

// TargetsRun is a run of a suite that two models answer, and of one that three do; the prompt got worse for one of them.
func TargetsRun() *report.Report {
	r := PlainRun()
	r.Verdict, r.Changes, r.Counts = report.Failed, report.Changes{}, nil
	r.Reasons = []report.Reason{Reason("max_regressions", "1 regression, max_regressions is 0")}
	r.RunScore, r.Delta, r.Cases, r.PassedCases, r.Trials, r.Histogram = Ptr(0.9), Ptr(-0.1), 10, 8, 10, Histogram(8, 2)
	r.Suites = nil
	for _, s := range []struct {
		id     string
		score  float64
		delta  float64
		passed int
	}{{"support/refund@fast", 1, 0, 2}, {"support/refund@careful", 0.5, -0.5, 1}, {"tone@fast", 1, 0, 2}, {"tone@careful", 1, 0, 2}, {"tone@gpt-4.1", 0.5, 0, 1}} {
		row := SuiteRow(s.id, s.score, s.delta, 2, s.passed, 0.85)
		row.MinScore, row.Path = nil, "suites/shown.yaml"
		r.Suites = append(r.Suites, row)
	}
	add := func(suite int, status report.Status, id string, base, head *report.Outcome) {
		c := Add(r, status, id, base, head)
		c.SuiteID, c.Path, c.Line = r.Suites[suite].SuiteID, "suites/shown.yaml", 12+9*len(id)
	}
	right, wrong := PassOutcome("You have 14 days."), FailOutcome("14 days", "You have 30 days.")
	for suite, heads := range [][2]*report.Outcome{{right, right}, {wrong, right}, {right, right}, {right, right}, {right, wrong}} {
		for i, id := range []string{"days", "possible"} {
			switch base := right; {
			case suite == 1 && i == 0:
				add(suite, report.Regressed, id, base, heads[i])
			case heads[i] == wrong:
				add(suite, report.StillFailing, id, wrong, heads[i])
			default:
				add(suite, report.StillPassing, id, base, heads[i])
			}
		}
	}
	return r
}
