package compare

import (
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/stats"
)

// Delta is the change of a suite's mean from the base to the head, over the compared cases.
type Delta struct {
	SuiteID string // the suite's id on the head
	Mean    float64
	Cases   int
	weight  float64
}

// LiteralDeltas returns the change of each head suite's mean, to which max_drop applies without a noise test. Only
// strict cases without recorded reruns count. If the gate does not set max_drop, cases of which each fall is a
// regression do not count either: those with one trial on each side, and those of another runner.
func (c Comparison) LiteralDeltas(g config.Gate) []Delta {
	return c.deltas(literalFilter(g), headSuite)
}

// LiteralDeltasAtBase is like LiteralDeltas, but groups the cases by their suites on the base. The suites are in the
// order of their first cases.
func (c Comparison) LiteralDeltasAtBase(g config.Gate) []Delta {
	return c.deltas(literalFilter(g), func(p *Case) (string, *report.SuiteSide) { return p.baseID, p.baseSuite })
}

// headSuite returns the head's suite of a case that both sides have.
func headSuite(p *Case) (string, *report.SuiteSide) { return p.suite.id, p.suite.head }

// deltas returns the change of each suite's mean over the shared cases that filter accepts. It groups the cases by the
// suite that suiteOf returns for a case, with its id on the head.
func (c Comparison) deltas(filter func(*Case) bool, suiteOf func(*Case) (string, *report.SuiteSide)) (deltas []Delta) {
	index := map[string]int{}
	var means []score.Mean
	for p := range c.All() {
		if !p.IsShared() || !filter(p) {
			continue
		}
		id, s := suiteOf(p)
		i, known := index[id]
		if !known {
			i = len(deltas)
			index[id], means = i, append(means, score.Mean{})
			deltas = append(deltas, Delta{SuiteID: id, weight: s.Weight})
		}
		means[i].Add(meanDelta(p), 1)
		deltas[i].Cases++
	}
	for i := range deltas {
		mean, _ := means[i].Value()
		deltas[i].Mean = stats.SnapToZero(mean)
	}
	return deltas
}

// HasMovedCases reports whether a case moved to another suite.
func (c Comparison) HasMovedCases() bool { return c.Count(isMoved) > 0 }

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

// literalFilter returns a function that reports whether a case counts for LiteralDeltas under gate g.
func literalFilter(g config.Gate) func(*Case) bool {
	single := g.DropSetting(false).Level != config.Off
	return func(p *Case) bool {
		return p.kind == strict && !p.ByRecordedReruns && (single || hasSeveralTrials(p) && !p.FromOtherRunner())
	}
}

// meanDelta returns the mean of the head minus the mean of the base. Only answered trials count.
func meanDelta(p *Case) float64 {
	return p.Head.Outcome.Share() - p.Base.Outcome.Share()
}
