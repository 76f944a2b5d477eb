// Package compare holds one side's results against the other's, and holds both to the policy: base × head → what
// happened to each case, and a verdict with reasons. Recorded answers are compared as they are; of the cases that a live
// model was asked, package noise says which to ask again and what is proven. It does no I/O and prints nothing.
package compare

import (
	"iter"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
	"github.com/failproof/failproof/internal/suiteid"
)

// Comparison is what happened between base and head.
type Comparison struct {
	HasBase    bool
	Changes    report.Changes // of every case, in the order of suites and cases; the base's own last
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

// casePair is a case on both sides.
type casePair struct {
	base, head *report.Case
	*decision
}

// decision is what is known of a case by both sides. A run has one for each case of either.
type decision struct {
	kind        kind
	first       shortStatus // by the first answers alone
	last        shortStatus
	redrawn     bool // recorded, and decided by fresh answers
	quarantined bool
	acquitted   bool // it flipped by criteria, and the judge says otherwise of the same answers
}

// shortStatus is a status by its place among report.Statuses.
type shortStatus uint8

func short(s report.Status) shortStatus { return shortStatus(slices.Index(report.Statuses[:], s)) }

func (s shortStatus) status() report.Status { return report.Statuses[s] }

// status is what happened to the case.
func (p casePair) status() report.Status { return p.last.status() }

// id is what a case goes by that the head has.
func (p casePair) id() string { return p.head.ID }

// name is what a case goes by: as the head does, or would if it had it.
func (s *suitePair) name(p casePair) string {
	if p.head != nil {
		return p.head.ID
	}
	if name := s.base.Head(p.base.ID); name.Suite == s.id {
		return name.Case
	}
	return p.base.ID
}

// home is the suite that the base has a case in.
func (s *suitePair) home(p casePair) *report.SuiteSide {
	if from := s.from[p.base]; from != nil {
		return from
	}
	return s.base
}

// pair lines the cases of both sides up, by the gate's mode and quarantine. base is nil if there is nothing to compare with: then
// each case is new, and there is no delta.
func pair(base, head *report.Side, g config.Gate) Comparison {
	c := Comparison{HasBase: base != nil, pairs: pairSuites(base, head), Ended: report.EndedOf(head, base)}
	for s, p := range c.all() {
		p.kind = kindOf(g.Mode, p)
		p.first = short(statusOf(p))
		p.last = p.first
		p.quarantined = s.quarantines(g, p)
	}
	return c
}

// assembled counts and describes what happened to the cases of both sides; base may be nil. The error is that a result could not be read back.
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
	var total deltas
	c.Suites = nil
	for _, s := range c.pairs {
		for p := range s.all() {
			c.Counts[p.status()]++
		}
		c.Suites = append(c.Suites, summary(s, total.add(s, everyCase)))
	}
	c.Delta, c.DeltaCases = nil, 0
	if mean, ok := total.run.Value(); ok {
		mean = stats.Settled(mean)
		c.Delta, c.DeltaCases = &mean, total.cases
	}
	return c, nil
}

func (c Comparison) cases() (n int) {
	for _, s := range c.pairs {
		n += len(s.decisions)
	}
	return n
}

func pairSuites(base, head *report.Side) []*suitePair {
	if base == nil {
		base = &report.Side{}
	}
	joined, whole := base.Joined(), base
	from, to := moves(base, head)
	base = base.Moved(to)
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

// moves finds the cases that stand in another suite of the head than of the base: where each stood, by the head's suites, and where each stands.
func moves(base, head *report.Side) (from map[string]map[*report.Case]*report.SuiteSide, to map[*report.Case]report.SuitePlan) {
	if len(base.Suites) == 0 || !base.Suites[0].Names.Moves() {
		return nil, nil
	}
	joined := base.Joined()
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

// pair finds what the head's cases are on the base, and behind them the cases that only the base has.
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
func (s *suitePair) at(i int) casePair {
	p := casePair{decision: &s.decisions[i]}
	if i < len(s.heads) {
		p.head = s.heads[i]
	}
	if s.base != nil {
		p.base = s.bases[i]
	}
	return p
}

// all yields every case.
func (s *suitePair) all() iter.Seq[casePair] {
	return func(yield func(casePair) bool) {
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
