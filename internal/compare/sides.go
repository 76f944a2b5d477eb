// Package compare compares the results of base and head case by case. It has package noise decide which noisy cases
// to rerun and what the reruns prove. Its caller makes the reruns. It decides no verdict, does no I/O and prints
// nothing.
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
	NoiseTest      *noise.Finding         // test of the noisy cases; nil without any, or without a base
	SampledTest    *noise.Finding         // test of the sampled cases; nil without any, or without a base
	RecordedReruns *report.RecordedReruns // test of the recorded cases that flipped; nil without recorded reruns
	// the chance of a false alarm that the gate accepts for each recorded case that flipped; 0 without a base
	FlipLevel float64
	pairs     []*suitePair
	paired    int // number of cases in pairs, counted on each side
}

// suitePair is one suite on both sides. head is nil if the suite was removed, and base if it is new.
type suitePair struct {
	id         string
	base, head *report.SuiteSide // base has the cases that moved to this suite, and lacks those that left it
	cases      []*Case           // the head's cases, then the removed ones
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
	c.pairs, c.paired = pairSuites(base, head), countCases(base, head)
	for _, s := range c.pairs {
		for i, p := range s.cases {
			if old := known[cmp.Or(p.Head, p.Base)]; old != nil {
				old.suite, old.baseSuite, s.cases[i] = s, p.baseSuite, old
				continue
			}
			p.kind, p.Quarantined = kindOf(g.Mode, p), isQuarantined(p, g)
			p.firstStatus = statusOf(p)
		}
	}
}

// countCases returns the number of cases of the sides together. A nil side has none.
func countCases(sides ...*report.Side) (n int) {
	for _, side := range sides {
		if side != nil {
			for _, s := range side.Suites {
				n += len(s.Cases)
			}
		}
	}
	return n
}

// assemble returns c with its counts, changes and score table. base may be nil. assemble fails if a result cannot be
// read back.
func assemble(c Comparison, base, head *report.Side) (Comparison, error) {
	c.Counts = map[report.Status]int{}
	for _, status := range report.Statuses {
		c.Counts[status] = 0
	}
	var err error
	if c.Changes, err = describe(c, base, head); err != nil {
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
func (c Comparison) Regressions() int { return c.Count((*Case).IsRegression) }

// SampledFlips returns the number of cases that flipped between two sampled answers and that no reruns decide.
func (c Comparison) SampledFlips() int { return c.Count(func(p *Case) bool { return p.SampledFlip }) }

// pairSuites pairs the suites and cases of both sides: the head's suites, then the removed ones.
func pairSuites(base, head *report.Side) (pairs []*suitePair) {
	base = cmp.Or(base, &report.Side{})
	find, byID := base.CaseFinder(), map[string]*suitePair{}
	moved := map[*report.Case]report.SuitePlan{} // the head's suite of each base case that moved
	for _, s := range head.Suites {
		pair := &suitePair{id: s.ID, head: s, cases: make([]*Case, 0, len(s.Cases))}
		for _, c := range s.Cases {
			p := &Case{Head: c, suite: pair, id: c.ID}
			p.baseSuite, p.Base = find(suiteid.Name{Suite: s.ID, Case: c.ID})
			if p.Base != nil {
				p.baseID = base.Matches.HeadID(p.baseSuite.ID)
			}
			if isMoved(p) {
				moved[p.Base] = s.SuitePlan
			}
			pair.cases = append(pair.cases, p)
		}
		pairs, byID[s.ID] = append(pairs, pair), pair
	}
	for _, s := range base.WithMovedCases(moved).Suites {
		id := base.Matches.HeadID(s.ID)
		pair := byID[id]
		if pair == nil {
			if len(s.Cases) == 0 && len(base.Suite(s.ID).Cases) > 0 { // all of its cases moved
				continue
			}
			pair = &suitePair{id: id}
			pairs = append(pairs, pair)
		}
		pair.base = s
		for _, c := range s.Cases {
			name := base.Matches.HeadName(s.ID, c.ID)
			if _, movedHere := moved[c]; movedHere || head.Find(name) != nil {
				continue
			}
			p := &Case{Base: c, suite: pair, id: c.ID, baseSuite: s, baseID: id}
			if name.Suite == id {
				p.id = name.Case
			}
			pair.cases = append(pair.cases, p)
		}
	}
	return pairs
}
