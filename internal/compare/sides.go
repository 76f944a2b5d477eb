// Package compare holds one side's results against the other's, and holds both to the policy: base × head → what
// happened to each case, and a verdict with reasons. Recorded answers are compared as they are; of the cases that a live
// model was asked, package noise says which to ask again and what is proven. It does no I/O and prints nothing.
package compare

import (
	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
)

// Comparison is what happened between base and head.
type Comparison struct {
	HasBase    bool
	Changes    []report.Change // every case, in the order of suites and cases; the base's own last
	Counts     map[report.Status]int
	Delta      *float64              // like for like; nil if no case is on both sides
	DeltaCases int                   // the cases it covers
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
	base, head *report.SuiteSide
	cases      []casePair
}

type casePair struct {
	base, head  *report.Case
	kind        kind
	first       report.Status // by the first answers alone
	status      report.Status
	redrawn     bool // recorded, and decided by fresh answers
	quarantined bool
	acquitted   bool // it flipped by criteria, and the judge says otherwise of the same answers
}

// id names a case in a message.
func (p casePair) id() string {
	if p.head != nil {
		return p.head.ID
	}
	return p.base.ID
}

// pair lines the cases of both sides up, by the gate's mode and quarantine. base is nil if there is nothing to compare with: then
// each case is new, and there is no delta.
func pair(base, head *report.Side, g config.Gate) Comparison {
	c := Comparison{HasBase: base != nil, pairs: pairSuites(base, head), Ended: report.EndedOf(head, base)}
	for _, s := range c.pairs {
		for i := range s.cases {
			p := &s.cases[i]
			p.kind = kindOf(g.Mode, p.base, p.head)
			p.first = statusOf(*p)
			p.status = p.first
			p.quarantine(g, s.id)
		}
	}
	return c
}

// assembled counts and describes what happened to the cases.
func (c Comparison) assembled() Comparison {
	c.Counts = map[report.Status]int{}
	for _, status := range report.Statuses {
		c.Counts[status] = 0
	}
	var total deltas
	shared := outcomes{}
	c.Changes, c.Suites = make([]report.Change, 0, c.cases()), nil
	for _, s := range c.pairs {
		for _, p := range s.cases {
			c.Counts[p.status]++
			c.Changes = append(c.Changes, shared.change(s, p))
		}
		c.Suites = append(c.Suites, summary(s, total.add(s, everyCase)))
	}
	c.Delta, c.DeltaCases = nil, 0
	if mean, ok := total.run.Value(); ok {
		mean = settled(mean)
		c.Delta, c.DeltaCases = &mean, total.cases
	}
	return c
}

func (c Comparison) cases() (n int) {
	for _, s := range c.pairs {
		n += len(s.cases)
	}
	return n
}

func pairSuites(base, head *report.Side) []*suitePair {
	if base == nil {
		base = &report.Side{}
	}
	bases := map[string]*report.SuiteSide{}
	for _, s := range base.Suites {
		bases[s.HeadID()] = s
	}
	var pairs []*suitePair
	for _, s := range head.Suites {
		pairs = append(pairs, pairCases(s.ID, bases[s.ID], s))
	}
	for _, s := range base.Suites {
		if id := s.HeadID(); head.Suite(id) == nil {
			pairs = append(pairs, pairCases(id, s, nil))
		}
	}
	return pairs
}

func pairCases(id string, base, head *report.SuiteSide) *suitePair {
	s := &suitePair{id: id, base: base, head: head}
	if head != nil {
		s.cases = make([]casePair, 0, len(head.Cases))
		for _, c := range head.Cases {
			s.add(find(base, c.ID), c)
		}
	}
	if base != nil {
		for _, c := range base.Cases {
			if find(head, c.ID) == nil {
				s.add(c, nil)
			}
		}
	}
	return s
}

func find(s *report.SuiteSide, id string) *report.Case {
	if s == nil {
		return nil
	}
	return s.Case(id)
}

func (s *suitePair) add(base, head *report.Case) {
	s.cases = append(s.cases, casePair{base: base, head: head})
}

// outcomes shares the outcomes that say nothing but "all trials passed"; most of a large suite are such.
type outcomes map[[2]int]*report.Outcome

func (o outcomes) change(s *suitePair, p casePair) report.Change {
	at := p.head
	if at == nil {
		at = p.base
	}
	c := report.Change{
		SuiteID: s.id, CaseID: at.ID, Change: p.status,
		Base: o.outcome(p.base, p.head, toLookAt(p)), Head: o.outcome(p.head, p.base, toLookAt(p)),
		Path: at.Path, Line: at.Line, Severity: at.Severity, MustPass: at.MustPass,
	}
	told := c.Change == report.Removed || c.Change == report.Redefined || c.Base != nil && c.Base.Excerpt != "" || c.Head != nil && c.Head.Excerpt != ""
	if at.Shown != nil && (told || !at.Passes()) {
		c.Asked, c.Expected = untrusted(at.Shown.Asked), at.Shown.Expected
	}
	c.Quarantined, c.Noisy = p.quarantined, p.isRedrawn()
	c.Drawn = p.base != nil && p.base.Drawn || p.head != nil && p.head.Drawn
	c.KeptByHand = p.head != nil && p.head.KeptByHand
	if p.redefined() && p.head.UnderBase.Trials > 0 {
		c.Head.UnderBase = &p.head.UnderBase.Primary
	}
	return c
}

// toLookAt reports a case that passes, and whose answers are worth showing all the same: nothing judged the head's, or it got worse, or is
// one to another prompt.
func toLookAt(p casePair) bool {
	if p.head == nil || p.head.Shown == nil {
		return false
	}
	return p.head.KeptByHand || p.head.Shown.Details.Unjudged() || p.base != nil && p.base.Shown != nil && report.GotWorse(p.base.Shown.OverallScore, p.head.Shown.OverallScore)
}

// outcome describes one side of a case. The answer of a case that passes is worth showing only beside one that does not, or where a person
// has to look.
func (o outcomes) outcome(c, other *report.Case, look bool) *report.Outcome {
	if c == nil {
		return nil
	}
	plain := c.Passes() && c.Shown == nil && c.UnderBase == (report.UnderBase{}) && c.Trial == 1
	key := [2]int{c.Tally.Trials, c.Trial}
	if known, ok := o[key]; plain && ok {
		return known
	}
	out := &report.Outcome{
		Primary: c.Primary, Passed: c.Tally.Passed, Trials: c.Tally.Trials, Unscored: c.Tally.Unscored, Trial: c.Trial,
	}
	if c.Shown != nil {
		out.Details, out.OverallScore, out.LatencyMS = c.Shown.Details, c.Shown.OverallScore, c.Shown.LatencyMS
		if look || c.Primary != classify.Pass || other != nil && !other.Passes() {
			out.Excerpt = untrusted(c.Shown.Excerpt)
		}
	}
	if plain {
		o[key] = out
	}
	return out
}
