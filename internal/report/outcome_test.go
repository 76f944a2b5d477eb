package report_test

import (
	"math"
	"testing"

	"github.com/failproof/failproof/internal/report"
)

// cases returns cases with one trial each.
func cases(passed, failed, unscored int) []report.Outcome {
	var all []report.Outcome
	for range passed {
		all = append(all, report.Outcome{Passed: 1, Trials: 1})
	}
	for range failed {
		all = append(all, report.Outcome{Trials: 1})
	}
	for range unscored {
		all = append(all, report.Outcome{Trials: 1, Unscored: 1})
	}
	return all
}

func TestASuiteScoreIsTheMeanOfItsCases(t *testing.T) {
	for _, c := range []struct {
		rule  string
		cases []report.Outcome
		want  float64
		ok    bool
	}{
		{"specification, example 1: 7 of 10 is 0.70", cases(7, 3, 0), 0.70, true},
		{"specification, example 2: injection, 18 of 20 is 0.90", cases(18, 2, 0), 0.90, true},
		{"specification, example 2: contradictions, 8 of 10 is 0.80", cases(8, 2, 0), 0.80, true},
		{"an unscored case counts 0", cases(3, 0, 1), 0.75, true},
		{"no case is no score, not 0", nil, 0, false},
		{"a case without a trial is left out", []report.Outcome{{}, {Passed: 1, Trials: 1}}, 1, true},
		{"cases weigh alike however many trials they have", []report.Outcome{{Passed: 1, Trials: 1}, {Passed: 0, Trials: 9}}, 0.5, true},
		{"trials are averaged inside their case", []report.Outcome{{Passed: 2, Trials: 3}, {Passed: 1, Trials: 3}}, 0.5, true},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := &report.SuiteSide{}
			for _, one := range c.cases {
				s.Cases = append(s.Cases, &report.Case{Outcome: one})
			}
			got, ok := s.Score()
			if math.Abs(got-c.want) > 1e-12 || ok != c.ok {
				t.Errorf("the score of %v is %v, %v; want %v, %v", c.cases, got, ok, c.want, c.ok)
			}
		})
	}
}

func TestAnsweredLeavesUnscoredTrialsOut(t *testing.T) {
	for _, c := range []struct {
		rule   string
		counts report.Outcome
		want   float64
		ok     bool
	}{
		{"an outage is no worse answer", report.Outcome{Passed: 1, Trials: 2, Unscored: 1}, 1, true},
		{"a wrong answer stays wrong", report.Outcome{Passed: 1, Trials: 3, Unscored: 1}, 0.5, true},
		{"without any answer there is no score", report.Outcome{Trials: 2, Unscored: 2}, 0, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got, ok := c.counts.AnsweredScore(); got != c.want || ok != c.ok {
				t.Errorf("%+v.AnsweredScore() = %v, %v; want %v, %v", c.counts, got, ok, c.want, c.ok)
			}
		})
	}
}
