package report

import (
	"cmp"
	"fmt"
	"math"

	"github.com/failproof/failproof/internal/classify"
)

// tolerance is the rounding difference allowed between two sums of the same scores, and beyond the limit of a figure.
const tolerance = 1e-9

// CheckAgainst checks a stored report against the results of its head, and returns an error for the first figure that
// differs. It checks the figures of the run only if all suites were read. If a suite or the run has quarantined cases,
// it checks only the counts of outcomes there.
func (r *Report) CheckAgainst(head *Side) error {
	all := true
	for _, row := range r.Suites {
		s := head.Suite(row.SuiteID)
		if s == nil {
			all = false
			continue
		}
		at := "suite " + row.SuiteID + ": "
		if err := checkHistogram(at, row.Histogram, NewHistogram(s)); err != nil {
			return err
		}
		if row.Quarantined > 0 {
			continue
		}
		if err := cmp.Or(checkCount(at+"cases", row.Cases, len(s.Cases)),
			checkCount(at+"passed", row.Passed, s.Counts().Passed),
			checkScore(at+"score", row.Score, s.Score), checkScore(at+"overall_score", row.OverallScore,
				s.OverallScore)); err != nil {
			return err
		}
	}
	if !all {
		return nil
	}
	if err := checkHistogram("", r.Histogram, NewHistogram(head.Suites...)); err != nil || r.Quarantined > 0 {
		return err
	}
	n := head.Counts()
	return cmp.Or(checkCount("cases", r.Cases, n.Cases), checkCount("passed_cases", r.PassedCases, n.Passed),
		checkScore("run_score", r.RunScore, head.RunScore), checkScore("micro_score", r.MicroScore, head.MicroScore),
		checkScore("answered_score", r.AnsweredScore, head.AnsweredScore),
		checkScore("overall_score", r.OverallScore, head.OverallScore))
}

// CheckBaseAgainst checks the base's outcomes in a stored report against the base's results.
func (r *Report) CheckBaseAgainst(base *Side) error {
	return checkHistogram("base: ", r.BaseHistogram, NewHistogram(base.Suites...))
}

func checkHistogram(at string, stored, counted Histogram) error {
	for _, c := range classify.Categories {
		if err := checkCount(at+string(c), stored[c], counted[c]); err != nil {
			return err
		}
	}
	return nil
}

func checkCount(what string, stored, counted int) error {
	if stored == counted {
		return nil
	}
	return fmt.Errorf("%s: the report counts %d, and its results come to %d", what, stored, counted)
}

func checkScore(what string, stored *float64, count func() (float64, bool)) error {
	counted, ok := count()
	switch {
	case stored == nil && !ok, stored != nil && ok && math.Abs(*stored-counted) <= tolerance:
		return nil
	case !ok:
		return fmt.Errorf("%s: the report says %v, and there is no result to make it of", what, *stored)
	case stored == nil:
		return fmt.Errorf("%s: the report has none, and its results come to %v", what, counted)
	}
	return fmt.Errorf("%s: the report says %v, and its results come to %v", what, *stored, counted)
}
