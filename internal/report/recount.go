package report

import (
	"cmp"
	"fmt"
	"math"

	"github.com/failproof/failproof/internal/classify"
)

// slack is the rounding difference allowed between two sums of the same scores, and beyond the limit of a figure.
const slack = 1e-9

// Recount checks a stored report against the results of its head, and returns an error for the first figure that
// differs. It checks the figures of the run only if all suites were read. If a suite or the run has quarantined cases,
// it checks only the counts of outcomes there.
func (r *Report) Recount(head *Side) error {
	all := true
	for _, row := range r.Suites {
		s := head.Suite(row.SuiteID)
		if s == nil {
			all = false
			continue
		}
		at := "suite " + row.SuiteID + ": "
		if err := sameOutcomes(at, row.Histogram, Outcomes(s)); err != nil {
			return err
		}
		if row.Quarantined > 0 {
			continue
		}
		if err := cmp.Or(sameCount(at+"cases", row.Cases, len(s.Cases)),
			sameCount(at+"passed", row.Passed, s.Counts().Passed),
			sameScore(at+"score", row.Score, s.Score), sameScore(at+"overall_score", row.OverallScore,
				s.OverallScore)); err != nil {
			return err
		}
	}
	if !all {
		return nil
	}
	if err := sameOutcomes("", r.Histogram, Outcomes(head.Suites...)); err != nil || r.Quarantined > 0 {
		return err
	}
	n := head.Counts()
	return cmp.Or(sameCount("cases", r.Cases, n.Cases), sameCount("passed_cases", r.PassedCases, n.Passed),
		sameScore("run_score", r.RunScore, head.RunScore), sameScore("micro_score", r.MicroScore, head.MicroScore),
		sameScore("answered_score", r.AnsweredScore, head.AnsweredScore),
		sameScore("overall_score", r.OverallScore, head.OverallScore))
}

// RecountBase checks the base's outcomes in a stored report against the base's results.
func (r *Report) RecountBase(base *Side) error {
	return sameOutcomes("base: ", r.BaseHistogram, Outcomes(base.Suites...))
}

func sameOutcomes(at string, stored, counted Histogram) error {
	for _, c := range classify.Categories {
		if err := sameCount(at+string(c), stored[c], counted[c]); err != nil {
			return err
		}
	}
	return nil
}

func sameCount(what string, stored, counted int) error {
	if stored == counted {
		return nil
	}
	return fmt.Errorf("%s: the report counts %d, and its results come to %d", what, stored, counted)
}

func sameScore(what string, stored *float64, count func() (float64, bool)) error {
	counted, any := count()
	switch {
	case stored == nil && !any, stored != nil && any && math.Abs(*stored-counted) <= slack:
		return nil
	case !any:
		return fmt.Errorf("%s: the report says %v, and there is no result to make it of", what, *stored)
	case stored == nil:
		return fmt.Errorf("%s: the report has none, and its results come to %v", what, counted)
	}
	return fmt.Errorf("%s: the report says %v, and its results come to %v", what, *stored, counted)
}
