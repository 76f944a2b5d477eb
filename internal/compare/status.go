package compare

import (
	"math"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

// side is what a status needs of one side of a case: how many of its trials have an answer, and how many of those pass.
type side struct{ passed, valid, trials int }

func sideOf(c *report.Case) side {
	return side{c.Tally.Passed, c.Tally.Trials - c.Tally.Unscored, c.Tally.Trials}
}

// lacking reports fewer answers than half of the trials, or none.
func (s side) lacking() bool { return s.valid < max(1, (s.trials+1)/2) }

func (s side) all() bool { return s.passed == s.valid }

func (s side) none() bool { return s.passed == 0 }

func (s side) half() bool { return 2*s.passed >= s.valid }

// hardFlip is the chance, if nothing changed, below which a case of several trials counts as moved and not as flaky.
const hardFlip = 0.05

// statusOf decides what happened to a case, by the rules of the first that applies: there on both sides, judged by the
// same expectation, answered on both sides, and then what its trials say.
func statusOf(base, head *report.Case) report.Status {
	switch {
	case base == nil:
		return report.New
	case head == nil:
		return report.Removed
	case base.ExpectationKey != head.ExpectationKey:
		return report.Redefined
	}
	return moved(sideOf(base), sideOf(head))
}

func moved(base, head side) report.Status {
	switch {
	case base.lacking() || head.lacking():
		return report.Errored
	case base.all() && head.all():
		return report.StillPassing
	case base.none() && head.none():
		return report.StillFailing
	case base.all() && head.none(), worse(base, head):
		return report.Regressed
	case base.none() && head.all(), worse(head, base):
		return report.Fixed
	}
	return report.Flaky
}

// worse reports that the majority turned from passing to failing, beyond what shuffling the trials would do by chance.
func worse(from, to side) bool {
	return from.half() && !to.half() && fisher(from, to) <= hardFlip+1e-12
}

// fisher is the one-sided exact chance that to has as few passes as it has, if the passes of both sides were dealt out
// at random.
func fisher(from, to side) float64 {
	passes, all := from.passed+to.passed, from.valid+to.valid
	total := choose(all, to.valid)
	sum := 0.0
	for x := max(0, to.valid-(all-passes)); x <= to.passed; x++ {
		sum += math.Exp(choose(passes, x) + choose(all-passes, to.valid-x) - total)
	}
	return min(sum, 1)
}

// choose is the logarithm of the binomial coefficient.
func choose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// enters reports whether a case of this status is compared like for like.
func enters(s report.Status) bool {
	switch s {
	case report.New, report.Removed, report.Redefined, report.Errored:
		return false
	}
	return true
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
		if enters(p.status) {
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
