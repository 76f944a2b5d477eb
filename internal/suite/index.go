package suite

import (
	"cmp"
	"iter"
	"slices"

	"github.com/failproof/failproof/internal/suiteid"
)

// Pair is one case on both sides, each with its suite. If a side lacks the case, its two fields are nil.
type Pair struct {
	BaseSuite *Suite
	Base      *Case
	HeadSuite *Suite
	Head      *Case
}

// suitePair is one suite on both sides, with its cases. One side may be nil.
type suitePair struct {
	base, head  *Suite
	otherTarget *Suite // if one side is nil: the suite of that side with another target, or nil
	// The head's cases come first, each with the base case of the same name. After them come the cases that only the
	// base has. A case that moved to another suite is only in the pair of the head suite that has it now.
	cases []Pair
}

// Pairing is the suites of both sides, and says which of them, and which of their cases, are the same. Bases and Heads
// may be copies of the joined suites that have only some of the cases.
type Pairing struct {
	suiteid.Matches
	Bases, Heads []*Suite
}

// Join joins the suites of both sides by id, by target, or as renamed, and their cases by id, or as renamed or moved.
// It gives head cases the keys of their base cases; see adoptBaseKeys.
func Join(base, head []*Suite) Pairing {
	both, read := Pairing{Bases: base, Heads: head}, varsReadBy(slices.Concat(base, head)...)
	both.SuiteIDs = suiteid.Join(joinInput(base, read), joinInput(head, read))
	adoptBaseKeys(both.suites())
	both.Names = both.findRenamed(read)
	adoptBaseKeys(both.suites())
	return both
}

// suites returns the suites in pairs, with their cases: the base's suites, and then those that only the head has.
func (both Pairing) suites() (out []suitePair) {
	bases, heads := map[string]*Suite{}, map[string]*Suite{} // by their ids on the head
	for _, h := range both.Heads {
		heads[h.ID] = h
	}
	before, now := byAuthorID(both.Bases), byAuthorID(both.Heads)
	for _, b := range both.Bases {
		id := both.HeadID(b.ID)
		if bases[id] = b; heads[id] != nil { // the author's ids may differ
			before[suiteid.AuthorID(id)], now[suiteid.AuthorID(b.ID)] = b, heads[id]
		}
	}
	for _, b := range both.Bases {
		p := suitePair{base: b, head: heads[both.HeadID(b.ID)]}
		if p.head == nil {
			p.otherTarget = now[suiteid.AuthorID(b.ID)]
		}
		out = append(out, p)
	}
	for _, h := range both.Heads {
		if bases[h.ID] == nil {
			out = append(out, suitePair{head: h, otherTarget: before[suiteid.AuthorID(h.ID)]})
		}
	}
	find := caseFinder{}
	for i := range out {
		p := &out[i]
		p.cases = make([]Pair, 0, max(len(casesOf(p.base)), len(casesOf(p.head))))
		paired := make([]bool, len(casesOf(p.base)))
		for k, h := range casesOf(p.head) {
			one := Pair{HeadSuite: p.head, Head: h}
			if name, known := both.Base(suiteid.Name{Suite: p.head.ID, Case: h.ID}); known {
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
			if !paired[k] && both.HeadName(p.base.ID, b.ID).Suite == both.HeadID(p.base.ID) {
				p.cases = append(p.cases, Pair{BaseSuite: p.base, Base: b})
			}
		}
	}
	return out
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

// Pairs yields the cases of both sides in pairs, suite by suite: first the head's suites, then those that only the
// base has.
func (both Pairing) Pairs() iter.Seq[Pair] {
	place := map[*Suite]int{nil: len(both.Heads)}
	for i, h := range both.Heads {
		place[h] = i
	}
	return func(yield func(Pair) bool) {
		suites := both.suites()
		slices.SortStableFunc(suites, func(a, b suitePair) int { return cmp.Compare(place[a.head], place[b.head]) })
		for _, p := range suites {
			for _, one := range p.cases {
				if !yield(one) {
					return
				}
			}
		}
	}
}

// NameOf returns the head's name of a case.
func (both Pairing) NameOf(p Pair) suiteid.Name {
	if p.Head != nil {
		return suiteid.Name{Suite: p.HeadSuite.ID, Case: p.Head.ID}
	}
	return both.HeadName(p.BaseSuite.ID, p.Base.ID)
}

// joinInput returns the suites in the form that suiteid.Join takes.
func joinInput(suites []*Suite, read varSet) []suiteid.Suite[Keys] {
	out := make([]suiteid.Suite[Keys], len(suites))
	for i, s := range suites {
		identities := func() (cases []suiteid.Case[Keys]) { // their keys do not depend on the ids of the cases
			for _, c := range s.Cases {
				cases = append(cases, suiteid.Case[Keys]{ID: c.ID, Key: identity(new(c.Open()), read)})
			}
			return cases
		}
		out[i] = suiteid.Suite[Keys]{ID: s.ID, Target: s.Target, Cases: identities,
			Lines: func(sent bool) []string { return contentLines(s, sent) }}
	}
	return out
}

// byAuthorID returns a map from the ids that authors wrote to suites. Of a suite with several targets, the map has the
// first.
func byAuthorID(suites []*Suite) map[string]*Suite {
	out := make(map[string]*Suite, len(suites))
	for _, s := range suites {
		if id := suiteid.AuthorID(s.ID); out[id] == nil {
			out[id] = s
		}
	}
	return out
}

// contentLines returns a line with the id and the keys of each case. If sent is not set, the request key is left out.
// Otherwise the request says what the input is, so that its variables may have other names.
func contentLines(s *Suite, sent bool) []string {
	lines := make([]string, 0, len(s.Cases))
	for _, c := range s.Cases {
		keys := c.Keys()
		switch judging := c.keyOfJudging(); {
		case !sent:
			keys.RequestKey = Key{}
		case keys.RequestKey != (Key{}) && judging != (Key{}):
			keys.ExpectationKey = judging
		}
		lines = append(lines, c.ID+" "+string(keys.RequestKey[:])+" "+string(keys.ExpectationKey[:]))
	}
	return lines
}

// findRenamed returns the names of base cases that were renamed or moved to another suite. read has the variables that
// any suite reads.
func (both Pairing) findRenamed(read varSet) suiteid.Names {
	var baseParts, headParts []unmatchedCases
	for _, p := range both.suites() {
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
			baseParts = append(baseParts, unmatchedCases{both.HeadID(p.base.ID), p.base.Target, shared, baseOnly})
		}
		if len(headOnly) > 0 {
			headParts = append(headParts, unmatchedCases{p.head.ID, p.head.Target, shared, headOnly})
		}
	}
	if len(baseParts) == 0 || len(headParts) == 0 { // no case needs to be opened
		return suiteid.Names{}
	}
	return suiteid.FindRenamed(withIdentities(baseParts, read), withIdentities(headParts, read))
}

// unmatchedCases has those cases of one suite that have no equal counterpart of the same name.
type unmatchedCases struct {
	headID      string // the head's id of the suite
	target      string
	sharedReads varSet // variables that the suite reads and that its cases have on both sides
	cases       []*Case
}

// withIdentities returns the cases with the keys by which package suiteid finds renamed cases.
func withIdentities(parts []unmatchedCases, read varSet) []suiteid.SuiteCases[Keys] {
	out := make([]suiteid.SuiteCases[Keys], len(parts))
	for i, one := range parts {
		out[i] = suiteid.SuiteCases[Keys]{Suite: one.headID, Target: one.target}
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
