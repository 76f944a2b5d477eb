package suite

import (
	"iter"

	"github.com/failproof/failproof/internal/suiteid"
)

// Pair is one case on both sides, each with its suite. If a side lacks the case, its two fields are nil.
type Pair struct {
	BaseSuite *Suite
	Base      *Case
	HeadSuite *Suite
	Head      *Case
}

// Pairs yields the cases of both sides in pairs, suite by suite. In each suite, the head's cases come first, each
// paired with the base case of the same name. After them come the cases that only the base has. Suites that only the
// base has come last.
//
// Renamed and moved cases are paired only if both sides were joined before (see joinSuites).
func Pairs(base, head []*Suite) iter.Seq[Pair] {
	return func(yield func(Pair) bool) {
		m, heads := newMatching(base), byID(head)
		for _, h := range head {
			for p := range m.pairs(m.bases[h.ID], h) {
				if !yield(p) {
					return
				}
			}
		}
		for _, b := range base {
			if heads[b.HeadID()] != nil {
				continue
			}
			for p := range m.pairs(b, nil) {
				if !yield(p) {
					return
				}
			}
		}
	}
}

// matching finds the base case for each head case.
type matching struct {
	names  suiteid.Names
	bases  map[string]*Suite // base suites by the ids that they have on the head
	cases  map[*Suite]map[string]*Case
	paired map[*Suite][]bool // by the index of a base case: whether a head case was found for it
}

func newMatching(base []*Suite) *matching {
	m := &matching{bases: map[string]*Suite{}, cases: map[*Suite]map[string]*Case{}, paired: map[*Suite][]bool{}}
	for _, b := range base {
		m.names, m.bases[b.HeadID()] = b.HeadNames, b
	}
	return m
}

// find returns the case with the given id in a base suite, or nil. It marks the case as paired. It looks first at the
// index near, because most cases have the same index on both sides.
func (m *matching) find(base *Suite, id string, near int) (found *Case) {
	switch {
	case base == nil:
		return nil
	case near < len(base.Cases) && base.Cases[near].ID == id:
		found = base.Cases[near]
	default:
		if m.cases[base] == nil {
			m.cases[base] = base.Cases.ByID()
		}
		found = m.cases[base][id]
	}
	if found != nil {
		if m.paired[base] == nil {
			m.paired[base] = make([]bool, len(base.Cases))
		}
		m.paired[base][found.index] = true
	}
	return found
}

// isPaired reports whether find returned the case b of a base suite.
func (m *matching) isPaired(base *Suite, b *Case) bool {
	paired := m.paired[base]
	return paired != nil && paired[b.index]
}

// pairs yields the pairs of one suite. A case that only one side has makes a pair with an empty side. A case that moved
// to another suite is only in the pairs of the head suite that has it now.
func (m *matching) pairs(base, head *Suite) iter.Seq[Pair] {
	return func(yield func(Pair) bool) {
		if head != nil {
			for i, h := range head.Cases {
				p := Pair{HeadSuite: head, Head: h}
				if baseName, known := m.names.Base(suiteid.Name{Suite: head.ID, Case: h.ID}); known {
					baseSuite := base
					if baseName.Suite != head.ID {
						baseSuite = m.bases[baseName.Suite]
					}
					if p.Base = m.find(baseSuite, baseName.Case, i); p.Base != nil {
						p.BaseSuite = baseSuite
					}
				}
				if !yield(p) {
					return
				}
			}
		}
		if base == nil {
			return
		}
		for _, b := range base.Cases {
			name := suiteid.Name{Suite: base.HeadID(), Case: b.ID}
			if !m.isPaired(base, b) && m.names.Head(name).Suite == name.Suite && !yield(Pair{BaseSuite: base, Base: b}) {
				return
			}
		}
	}
}

// HeadName returns the name that the case with the given id of base suite s has on the head.
func (s *Suite) HeadName(id string) suiteid.Name {
	return s.HeadNames.Head(suiteid.Name{Suite: s.HeadID(), Case: id})
}

// findRenamed returns the names of base cases that were renamed or moved to another suite. read has the variables that
// any suite reads.
func findRenamed(pairs []suitePair, read varSet) suiteid.Names {
	m := newMatching(nil)
	var baseParts, headParts []unmatchedCases
	for _, p := range pairs {
		shared, baseOnly, headOnly := read, []*Case(nil), []*Case(nil)
		if p.base != nil && p.head != nil {
			shared = varsReadBy(p.base, p.head).onBoth(p.base, p.head)
		}
		for pair := range m.pairs(p.base, p.head) {
			switch {
			case pair.Base == nil:
				headOnly = append(headOnly, pair.Head)
			case pair.Head == nil:
				baseOnly = append(baseOnly, pair.Base)
			case pair.Base.Keys().ExpectationKey != pair.Head.Keys().ExpectationKey:
				baseOnly, headOnly = append(baseOnly, pair.Base), append(headOnly, pair.Head)
			}
		}
		if len(baseOnly) > 0 {
			baseParts = append(baseParts, unmatchedCases{p.base, shared, baseOnly})
		}
		if len(headOnly) > 0 {
			headParts = append(headParts, unmatchedCases{p.head, shared, headOnly})
		}
	}
	if len(baseParts) == 0 || len(headParts) == 0 { // no case needs to be opened
		return suiteid.Names{}
	}
	return suiteid.FindRenamed(withIdentities(baseParts, read), withIdentities(headParts, read))
}

// unmatchedCases has those cases of one suite that have no equal counterpart of the same name.
type unmatchedCases struct {
	suite       *Suite
	sharedReads varSet // variables that the suite reads and that its cases have on both sides
	cases       []*Case
}

// withIdentities returns the cases with the keys by which package suiteid finds renamed cases.
func withIdentities(parts []unmatchedCases, read varSet) []suiteid.SuiteCases[Keys] {
	out := make([]suiteid.SuiteCases[Keys], len(parts))
	for i, one := range parts {
		out[i] = suiteid.SuiteCases[Keys]{Suite: one.suite.HeadID(), Target: one.suite.Target}
		for _, c := range one.cases {
			open := c.Open()
			own := identity(&open, one.sharedReads)
			out[i].Cases = append(out[i].Cases, suiteid.Case[Keys]{ID: c.ID, Key: identity(&open, read), SuiteKey: own,
				RequestKey: Keys{RequestKey: open.Keys().RequestKey},
				Question:   Keys{own.RequestKey, open.inputKey(one.sharedReads)}})
		}
	}
	return out
}

// identity returns keys that are equal for opened cases with the same input and expectation. Only the variables in used
// count. If a case has no input of its own, its request counts too.
func identity(open *Case, used varSet) Keys {
	keys := Keys{open.Keys().RequestKey, open.expectationKey(used)}
	if len(used.filter(open.Vars)) > 0 || len(open.source.turns()) > 0 {
		keys.RequestKey = Key{}
	}
	return keys
}
