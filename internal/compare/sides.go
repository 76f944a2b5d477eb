// Package compare compares the results of base and head case by case. It has package noise decide which noisy cases
// to rerun and what the reruns prove. It decides no verdict, does no I/O and prints nothing.
package compare

import (
	"cmp"
	"iter"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suiteid"
)

// Comparison is the result of comparing base and head.
type Comparison struct {
	HasBase        bool
	Changes        []report.Change // one for every case, in the order of suites and cases; removed cases last
	Counts         map[report.Status]int
	Delta          *float64 // change of the run score over shared cases; nil if there are none
	DeltaCases     int
	Reworded       *report.Reworded       // passing cases whose answers changed; nil if there are none
	Suites         []report.SuiteSummary  // the score table: the head's suites, then removed ones
	Ended          []report.EarlyEnd      // why trials of either side were not run
	NoiseTest      *noise.Finding         // test of the noisy cases; nil without any, or without a base
	SampledTest    *noise.Finding         // test of the sampled cases; nil without any, or without a base
	RecordedReruns *report.RecordedReruns // test of the recorded cases that flipped; nil without recorded reruns
	pairs          []*suitePair
}

// suitePair is one suite on both sides. head is nil if the suite was removed, and base if it is new.
type suitePair struct {
	id         string
	base, head *report.SuiteSide // base has the cases that moved to this suite, and lacks those that left it
	// by base case: its base suite, if the case moved here; nil if no case did
	movedFrom map[*report.Case]*report.SuiteSide
	cases     []*Case // the head's cases, then the removed ones
}

// pairCases pairs the cases of base and head. base may be nil.
func pairCases(base, head *report.Side, g config.Gate) Comparison {
	c := Comparison{HasBase: base != nil}
	c.addCases(base, head, g)
	return c
}

// addCases pairs the cases that base and head got since the last call, and decides the first status, the kind and the
// quarantine of each. The pairs that exist already are kept.
func (c *Comparison) addCases(base, head *report.Side, g config.Gate) {
	known := map[*report.Case]*Case{}
	for p := range c.All() {
		known[cmp.Or(p.Head, p.Base)] = p
	}
	c.pairs = pairSuites(base, head)
	for _, s := range c.pairs {
		for i, p := range s.cases {
			if old := known[cmp.Or(p.Head, p.Base)]; old != nil {
				old.suite, s.cases[i] = s, old
				continue
			}
			p.kind, p.Quarantined = kindOf(g.Mode, p), isQuarantined(p, g)
			setFirstStatus(p)
		}
	}
}

// assemble returns c with its counts, changes and score table. base may be nil. assemble fails if a result cannot be
// read back.
func assemble(c Comparison, base, head *report.Side) (Comparison, error) {
	c.Counts = map[report.Status]int{}
	for _, status := range report.Statuses {
		c.Counts[status] = 0
	}
	var err error
	if c.Changes, err = describe(c.pairs, base, head); err != nil {
		return c, err
	}
	if c.Reworded, err = countReworded(c, base, head); err != nil {
		return c, err
	}
	for p := range c.All() {
		c.Counts[p.Status]++
	}
	deltas, means := c.deltas(func(*Case) bool { return true }, headSuite), map[string]*float64{}
	for i, d := range deltas {
		means[d.SuiteID] = &deltas[i].Mean
	}
	for _, s := range c.pairs {
		c.Suites = append(c.Suites, summary(s, means[s.id]))
	}
	if mean, cases, ok := RunDelta(deltas); ok {
		c.Delta, c.DeltaCases = &mean, cases
	}
	return c, nil
}

// All yields every case. The cases of the head's suites come first, then those of removed suites.
func (c Comparison) All() iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		for _, s := range c.pairs {
			for _, p := range s.cases {
				if !yield(p) {
					return
				}
			}
		}
	}
}

// Count returns the number of cases that the filter accepts.
func (c Comparison) Count(filter func(*Case) bool) (n int) {
	for p := range c.All() {
		if filter(p) {
			n++
		}
	}
	return n
}

// PlannedTrials returns how many trials were planned, on both sides together.
func (c Comparison) PlannedTrials() (n int) {
	for _, s := range c.pairs {
		for _, side := range []*report.SuiteSide{s.base, s.head} {
			if side != nil {
				n += side.Counts().Planned
			}
		}
	}
	return n
}

// Regressions returns the number of regressed cases that are not quarantined.
func (c Comparison) Regressions() int {
	return c.Count(func(p *Case) bool { return p.Status == report.Regressed && !p.Quarantined })
}

// SampledFlips returns the number of cases that flipped between two sampled answers and that no reruns decide.
func (c Comparison) SampledFlips() int { return c.Count(func(p *Case) bool { return p.SampledFlip }) }

func pairSuites(base, head *report.Side) []*suitePair {
	if base == nil {
		base = &report.Side{}
	}
	joined, unmoved := base.CaseFinder(), base
	oldSuites, newSuites := moves(base, head)
	base = base.WithMovedCases(newSuites)
	bases := map[string]*report.SuiteSide{}
	for _, s := range base.Suites {
		bases[s.HeadID()] = s
	}
	var pairs []*suitePair
	for _, s := range head.Suites {
		one := &suitePair{id: s.ID, base: bases[s.ID], head: s, movedFrom: oldSuites[s.ID]}
		one.setCases(joined, head)
		pairs = append(pairs, one)
	}
	for _, s := range base.Suites {
		emptied := len(s.Cases) == 0 && unmoved.Suite(s.ID) != nil && len(unmoved.Suite(s.ID).Cases) > 0
		if id := s.HeadID(); head.Suite(id) == nil && !emptied {
			one := &suitePair{id: id, base: s}
			one.setCases(joined, head)
			pairs = append(pairs, one)
		}
	}
	return pairs
}

// moves finds the cases that moved to another suite. oldSuites maps the id of a head suite and a base case to the base
// suite that the case left. newSuites maps a base case to its suite on the head.
func moves(base, head *report.Side) (oldSuites map[string]map[*report.Case]*report.SuiteSide,
	newSuites map[*report.Case]report.SuitePlan) {
	if len(base.Suites) == 0 || !base.Suites[0].Names.Moves() {
		return nil, nil
	}
	joined := base.CaseFinder()
	for _, s := range head.Suites {
		for _, c := range s.Cases {
			baseSuite, was := joined(suiteid.Name{Suite: s.ID, Case: c.ID})
			if was == nil || baseSuite.HeadID() == s.ID {
				continue
			}
			if oldSuites == nil {
				oldSuites, newSuites = map[string]map[*report.Case]*report.SuiteSide{}, map[*report.Case]report.SuitePlan{}
			}
			if oldSuites[s.ID] == nil {
				oldSuites[s.ID] = map[*report.Case]*report.SuiteSide{}
			}
			oldSuites[s.ID][was], newSuites[was] = baseSuite, s.SuitePlan
		}
	}
	return oldSuites, newSuites
}

// setCases sets the cases of s: the head's cases with their base cases, then the cases that only the base has. joined
// returns the base case with the given name on the head.
func (s *suitePair) setCases(joined func(suiteid.Name) (*report.SuiteSide, *report.Case), head *report.Side) {
	if s.head != nil {
		for _, c := range s.head.Cases {
			_, was := joined(suiteid.Name{Suite: s.id, Case: c.ID})
			s.cases = append(s.cases, &Case{Base: was, Head: c, suite: s})
		}
	}
	if s.base == nil {
		return
	}
	for _, c := range s.base.Cases {
		name := s.base.HeadName(c.ID)
		if s.movedFrom[c] == nil && head.Find(name) == nil {
			s.cases = append(s.cases, &Case{Base: c, suite: s})
		}
	}
}
