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

// Pairs yields the cases of both sides in pairs, suite by suite: first the head's suites, then those that only the
// base has. Renamed and moved cases are paired only if both sides were joined before (see joinSuites).
func Pairs(base, head []*Suite) iter.Seq[Pair] {
	bases, heads, suites := byHeadID(base), byHeadID(head), []suitePair{}
	for _, h := range head {
		suites = append(suites, suitePair{base: bases[h.ID], head: h})
	}
	for _, b := range base {
		if heads[b.HeadID()] == nil {
			suites = append(suites, suitePair{base: b})
		}
	}
	return func(yield func(Pair) bool) {
		for _, p := range pairCases(suites...) {
			for _, one := range p.cases {
				if !yield(one) {
					return
				}
			}
		}
	}
}

// suitePair is one suite on both sides, with its cases. One side may be nil.
type suitePair struct {
	base, head  *Suite
	otherTarget *Suite // if one side is nil: the suite of that side with another target, or nil
	// The head's cases come first, each with the base case of the same name. After them come the cases that only the
	// base has. A case that moved to another suite is only in the pair of the head suite that has it now.
	cases []Pair
}

// pairCases sets the cases of all pairs, and returns all.
func pairCases(all ...suitePair) []suitePair {
	var base []*Suite
	var names suiteid.Names
	for _, p := range all {
		if p.base != nil {
			base, names = append(base, p.base), p.base.HeadNames
		}
	}
	bases, find := byHeadID(base), caseFinder{}
	for i := range all {
		p := &all[i]
		p.cases = make([]Pair, 0, max(len(casesOf(p.base)), len(casesOf(p.head))))
		paired := make([]bool, len(casesOf(p.base)))
		for k, h := range casesOf(p.head) {
			one := Pair{HeadSuite: p.head, Head: h}
			if name, known := names.Base(suiteid.Name{Suite: p.head.ID, Case: h.ID}); known {
				from := p.base
				if name.Suite != p.head.ID {
					from = bases[name.Suite]
				}
				if at := find.indexOf(from, name.Case, k); at >= 0 {
					one.BaseSuite, one.Base = from, from.Cases[at]
					if from == p.base {
						paired[at] = true
					}
				}
			}
			p.cases = append(p.cases, one)
		}
		for k, b := range casesOf(p.base) {
			if !paired[k] && p.base.HeadName(b.ID).Suite == p.base.HeadID() {
				p.cases = append(p.cases, Pair{BaseSuite: p.base, Base: b})
			}
		}
	}
	return all
}

// caseFinder has the indices of the cases of those suites in which a case was looked for by its id.
type caseFinder map[*Suite]map[string]int

// indexOf returns the index of the case with the given id in a suite, which may be nil, or -1. It tries the index near
// first, because most cases have the same index on both sides.
func (f caseFinder) indexOf(s *Suite, id string, near int) int {
	if near < len(casesOf(s)) && s.Cases[near].ID == id {
		return near
	}
	if f[s] == nil {
		f[s] = map[string]int{}
		for i, c := range casesOf(s) {
			f[s][c.ID] = i
		}
	}
	if at, ok := f[s][id]; ok {
		return at
	}
	return -1
}

// casesOf returns the cases of a suite, which may be nil.
func casesOf(s *Suite) Cases {
	if s == nil {
		return nil
	}
	return s.Cases
}

// HeadName returns the name that the case with the given id of base suite s has on the head.
func (s *Suite) HeadName(id string) suiteid.Name {
	return s.HeadNames.Head(suiteid.Name{Suite: s.HeadID(), Case: id})
}

// findRenamed returns the names of base cases that were renamed or moved to another suite. read has the variables that
// any suite reads.
func findRenamed(pairs []suitePair, read varSet) suiteid.Names {
	var baseParts, headParts []unmatchedCases
	for _, p := range pairs {
		shared, baseOnly, headOnly := read, []*Case(nil), []*Case(nil)
		if p.base != nil && p.head != nil {
			shared = varsReadBy(p.base, p.head).onBoth(p.base, p.head)
		}
		for _, pair := range p.cases {
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
