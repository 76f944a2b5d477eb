package compare

import (
	"math"

	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/stats"
)

// sideOf is what a status needs of one side of a case.
func sideOf(c *report.Case) noise.Side {
	return noise.Side{Count: stats.Count{Passed: c.Tally.Passed, Trials: c.Tally.Trials - c.Tally.Unscored}, Planned: c.Tally.Trials}
}

// statusOf decides what happened to a case, by the rules of the first that applies: there on both sides, judged by the
// same expectation and the same measure, answered on both sides, and then what its trials say.
func statusOf(base, head *report.Case) report.Status {
	switch {
	case base == nil:
		return report.New
	case head == nil:
		return report.Removed
	case base.ExpectationKey != head.ExpectationKey || !alike(base.Likeness, head.Likeness):
		return report.Redefined
	}
	return noise.Status(sideOf(base), sideOf(head))
}

// alike reports whether two sides were compared by meaning in one way; a side without an answer was in none.
func alike(base, head string) bool { return base == head || base == "" || head == "" }

// enters reports whether a case is compared like for like.
func (p casePair) enters() bool {
	switch p.status {
	case report.New, report.Removed, report.Redefined, report.Errored:
		return false
	}
	return !p.quarantined
}

// delta is the head's mean minus the base's, over the trials that have an answer.
func delta(base, head *report.Case) float64 {
	b, _ := base.Tally.Answered()
	h, _ := head.Tally.Answered()
	return h - b
}

// deltas gathers suite deltas into one, suites weighted, over the cases that enter.
type deltas struct {
	run   score.Mean
	cases int
}

func (d *deltas) add(s *suitePair) *float64 {
	var m score.Mean
	n := 0
	for _, p := range s.cases {
		if p.enters() {
			m.Add(delta(p.base, p.head), 1)
			n++
		}
	}
	mean, ok := m.Value()
	if !ok {
		return nil
	}
	mean = settled(mean)
	d.run.Add(mean, s.head.Weight)
	if s.head.Weight != 0 {
		d.cases += n
	}
	return &mean
}

// settled takes what adding up thirds leaves over for the 0 that it is.
func settled(delta float64) float64 {
	if math.Abs(delta) < 1e-12 {
		return 0
	}
	return delta
}
