package compare

import (
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/stats"
)

// Delta is the change of a suite's mean over the cases that are compared.
type Delta struct {
	SuiteID string // as the head calls it
	Mean    float64
	Cases   int
	weight  float64
}

// LiteralDeltas returns the change of the mean of each suite of the head, for max_drop without a noise test. Only
// strict cases count. If the gate does not set max_drop, cases with one trial on each side do not count either, because
// their flips decide.
func (c Comparison) LiteralDeltas(g config.Gate) (deltas []Delta) {
	for _, s := range c.pairs {
		if d, ok := s.delta(literal(g)); ok {
			deltas = append(deltas, d)
		}
	}
	return deltas
}

// LiteralDeltasAtBase is LiteralDeltas with the cases grouped by their suites on the base. The suites are in the order
// of their first cases.
func (c Comparison) LiteralDeltasAtBase(g config.Gate) (deltas []Delta) {
	filter, at := literal(g), map[string]int{}
	var means []score.Mean
	for p := range c.All() {
		if p.Base == nil || !p.IsShared() || !filter(p) {
			continue
		}
		home := home(p)
		i, known := at[home.ID]
		if !known {
			i = len(deltas)
			at[home.ID], means = i, append(means, score.Mean{})
			deltas = append(deltas, Delta{SuiteID: home.HeadID(), weight: home.Weight})
		}
		means[i].Add(p.delta(), 1)
		deltas[i].Cases++
	}
	for i := range deltas {
		mean, _ := means[i].Value()
		deltas[i].Mean = stats.SnapToZero(mean)
	}
	return deltas
}

// HasMovedCases reports whether a case moved to another suite.
func (c Comparison) HasMovedCases() bool {
	return slices.ContainsFunc(c.pairs, func(s *suitePair) bool { return s.from != nil })
}

// RunDelta returns the weighted mean of the suites' deltas, and the number of cases in the suites with a weight. ok is
// false if no suite with a weight has a delta.
func RunDelta(suites []Delta) (mean float64, cases int, ok bool) {
	var run score.Mean
	for _, d := range suites {
		run.Add(d.Mean, d.weight)
		if d.weight != 0 {
			cases += d.Cases
		}
	}
	mean, ok = run.Value()
	return stats.SnapToZero(mean), cases, ok
}

// literal returns a function that reports whether a case counts for LiteralDeltas.
func literal(g config.Gate) func(*Case) bool {
	single := g.Drop(false).Level != config.Off
	return func(p *Case) bool { return p.kind == strict && !p.ByRecordedReruns && (single || several(p)) }
}

// delta returns the change of the suite's mean over the shared cases that the filter accepts; false if there are none.
func (s *suitePair) delta(filter func(*Case) bool) (d Delta, ok bool) {
	sum := 0.0
	for _, p := range s.cases {
		if p.IsShared() && filter(p) {
			sum += p.delta()
			d.Cases++
		}
	}
	if d.Cases == 0 { // as in a removed suite
		return d, false
	}
	d.SuiteID, d.Mean, d.weight = s.id, stats.SnapToZero(sum/float64(d.Cases)), s.head.Weight
	return d, true
}

// delta returns the head's mean minus the base's, over the answered trials.
func (p *Case) delta() float64 {
	base, _ := p.Base.Tally.AnsweredScore()
	head, _ := p.Head.Tally.AnsweredScore()
	return head - base
}
