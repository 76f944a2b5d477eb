// Package compare holds one side's results against the other's: base × head → what happened to each case. Recorded
// answers are compared as they are; of the cases that a live model was asked, package noise says which to ask again and
// what is proven. It decides no verdict, does no I/O and prints nothing.
package compare

import (
	"iter"
	"maps"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suiteid"
)

// Comparison is what happened between base and head.
type Comparison struct {
	HasBase    bool
	Changes    []report.Change // of every case, in the order of suites and cases; the base's own last
	Counts     map[report.Status]int
	Delta      *float64              // like for like; nil if no case is on both sides
	DeltaCases int                   // the cases it covers
	Reworded   *report.Reworded      // passing cases that are answered in other words; nil without any
	Suites     []report.SuiteSummary // the score table: the head's suites, then those that only the base has
	Ended      []report.Ended        // why trials of either side were not asked
	Noise      *noise.Finding        // of the noisy cases; nil without any, or without a base
	Draws      *noise.Finding        // of the cases recorded several times from a model; nil without any, or without a base
	Redrawn    *report.RedrawnLook   // of recorded cases that flipped; nil without fresh answers to any
	pairs      []*suitePair
	suspects   map[string]report.Suspect // by suite/case
}

// suitePair is a suite on both sides; head is nil if it was removed, base if it is new.
type suitePair struct {
	id         string
	base, head *report.SuiteSide                  // base as if the cases that moved had stood there where the head has them
	from       map[*report.Case]*report.SuiteSide // the suites of the base that cases moved here from; nil if none did
	heads      []*report.Case                     // the head's cases
	bases      []*report.Case                     // what each of these is on the base, then the base's own; none where there is no such suite
	decisions  []decision                         // of each
}

// pair pairs the cases of both sides, by the gate's mode and quarantine. Without a base (nil) each case is new, and
// there is no delta.
func pair(base, head *report.Side, g config.Gate) Comparison {
	c := Comparison{HasBase: base != nil, pairs: pairSuites(base, head), Ended: report.EndedOf(head, base)}
	for p := range c.All() {
		p.kind = kindOf(g.Mode, p)
		p.first = statusOf(p)
		p.Status = p.first
		p.Quarantined = p.quarantines(g)
	}
	return c
}

// assembled returns the comparison with its counts and descriptions of cases; base may be nil. The error is that a
// result could not be read back.
func (c Comparison) assembled(base, head *report.Side) (Comparison, error) {
	c.Counts = map[report.Status]int{}
	for _, status := range report.Statuses {
		c.Counts[status] = 0
	}
	var err error
	if c.Changes, err = describe(c.pairs, base, head); err != nil {
		return c, err
	}
	if c.Reworded, err = c.reworded(base, head); err != nil {
		return c, err
	}
	var deltas []Delta
	c.Suites = nil
	for _, s := range c.pairs {
		for p := range s.all() {
			c.Counts[p.Status]++
		}
		var mean *float64
		if d, ok := s.delta(everyCase); ok {
			deltas, mean = append(deltas, d), &d.Mean
		}
		c.Suites = append(c.Suites, summary(s, mean))
	}
	c.Delta, c.DeltaCases = nil, 0
	if mean, cases, ok := RunDelta(deltas); ok {
		c.Delta, c.DeltaCases = &mean, cases
	}
	return c, nil
}

// All yields every case: those of the head's suites, then those that only the base has.
func (c Comparison) All() iter.Seq[Case] {
	return func(yield func(Case) bool) {
		for _, s := range c.pairs {
			for p := range s.all() {
				if !yield(p) {
					return
				}
			}
		}
	}
}

// Count returns the number of cases of a sort.
func (c Comparison) Count(of func(Case) bool) (n int) {
	for p := range c.All() {
		if of(p) {
			n++
		}
	}
	return n
}

// Planned returns the number of answers that both sides were to be judged by.
func (c Comparison) Planned() (n int) {
	for _, s := range c.pairs {
		for _, side := range []*report.SuiteSide{s.base, s.head} {
			if side != nil {
				n += side.Planned()
			}
		}
	}
	return n
}

// Regressions counts the regressed cases that are judged.
func (c Comparison) Regressions() int {
	return c.Count(func(p Case) bool { return p.Status == report.Regressed && !p.Quarantined })
}

// Unsettled counts the cases that flipped from one recorded draw of a model to another, and that nobody asked again.
func (c Comparison) Unsettled() int { return c.Count(func(p Case) bool { return p.Unsettled }) }

// Suspect returns what fresh answers to a case came to; false if none was wanted.
func (c Comparison) Suspect(p Case) (report.Suspect, bool) {
	s, ok := c.suspects[p.key()]
	return s, ok
}

// Suspects yields what fresh answers came to, in no order.
func (c Comparison) Suspects() iter.Seq[report.Suspect] { return maps.Values(c.suspects) }

func pairSuites(base, head *report.Side) []*suitePair {
	if base == nil {
		base = &report.Side{}
	}
	joined, whole := base.CaseFinder(), base
	from, to := moves(base, head)
	base = base.WithMovedCases(to)
	bases := map[string]*report.SuiteSide{}
	for _, s := range base.Suites {
		bases[s.HeadID()] = s
	}
	var pairs []*suitePair
	for _, s := range head.Suites {
		one := &suitePair{id: s.ID, base: bases[s.ID], head: s, from: from[s.ID], heads: s.Cases}
		one.pair(joined, head)
		pairs = append(pairs, one)
	}
	for _, s := range base.Suites {
		emptied := len(s.Cases) == 0 && whole.Suite(s.ID) != nil && len(whole.Suite(s.ID).Cases) > 0
		if id := s.HeadID(); head.Suite(id) == nil && !emptied {
			one := &suitePair{id: id, base: s}
			one.pair(joined, head)
			pairs = append(pairs, one)
		}
	}
	return pairs
}

// moves finds the cases that are in another suite of the head than of the base: from tells where each was, by the
// head's suites, and to where each is.
func moves(base, head *report.Side) (from map[string]map[*report.Case]*report.SuiteSide, to map[*report.Case]report.SuitePlan) {
	if len(base.Suites) == 0 || !base.Suites[0].Names.Moves() {
		return nil, nil
	}
	joined := base.CaseFinder()
	for _, s := range head.Suites {
		for _, c := range s.Cases {
			of, was := joined(suiteid.Name{Suite: s.ID, Case: c.ID})
			if was == nil || of.HeadID() == s.ID {
				continue
			}
			if from == nil {
				from, to = map[string]map[*report.Case]*report.SuiteSide{}, map[*report.Case]report.SuitePlan{}
			}
			if from[s.ID] == nil {
				from[s.ID] = map[*report.Case]*report.SuiteSide{}
			}
			from[s.ID][was], to[was] = of, s.SuitePlan
		}
	}
	return from, to
}

// pair finds the head's cases on the base, and adds the cases that only the base has behind them.
func (s *suitePair) pair(joined func(suiteid.Name) (*report.SuiteSide, *report.Case), head *report.Side) {
	n := len(s.heads)
	if s.base != nil {
		s.bases = make([]*report.Case, n, max(n, len(s.base.Cases)))
		for i, c := range s.heads {
			_, s.bases[i] = joined(suiteid.Name{Suite: s.id, Case: c.ID})
		}
		for _, c := range s.base.Cases {
			name := s.base.Head(c.ID)
			if s.from[c] == nil && find(head.Suite(name.Suite), name.Case) == nil {
				s.bases = append(s.bases, c)
			}
		}
		n = len(s.bases)
	}
	s.decisions = make([]decision, n)
}

// at is the case at a place below the number of decisions.
func (s *suitePair) at(i int) Case {
	p := Case{suite: s, decision: &s.decisions[i]}
	if i < len(s.heads) {
		p.Head = s.heads[i]
	}
	if s.base != nil {
		p.Base = s.bases[i]
	}
	return p
}

// all yields every case.
func (s *suitePair) all() iter.Seq[Case] {
	return func(yield func(Case) bool) {
		for i := range s.decisions {
			if !yield(s.at(i)) {
				return
			}
		}
	}
}

func find(s *report.SuiteSide, id string) *report.Case {
	if s == nil {
		return nil
	}
	return s.Case(id)
}
