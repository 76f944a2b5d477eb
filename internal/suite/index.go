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
// Renamed and moved cases are paired only if both sides were joined before (see suitePairs).
func Pairs(base, head []*Suite) iter.Seq[Pair] {
	return func(yield func(Pair) bool) {
		m := matchingOf(base)
		heads, all := byID(head), make([]suitePair, 0, len(head))
		for _, h := range head {
			all = append(all, suitePair{base: m.bases[h.ID], head: h})
		}
		for _, b := range base {
			if heads[b.HeadID()] == nil {
				all = append(all, suitePair{base: b})
			}
		}
		for _, p := range all {
			for one := range m.pairs(p.base, p.head) {
				if !yield(one) {
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
	paired map[*Case]bool // base cases for which a head case was found
}

func matchingOf(base []*Suite) *matching {
	m := &matching{bases: map[string]*Suite{}, cases: map[*Suite]map[string]*Case{}, paired: map[*Case]bool{}}
	for _, b := range base {
		m.names, m.bases[b.HeadID()] = b.Names, b
	}
	return m
}

// find returns the case with the given id in a base suite, or nil. It marks the case as paired.
func (m *matching) find(base *Suite, id string) *Case {
	if base == nil {
		return nil
	}
	if m.cases[base] == nil {
		m.cases[base] = base.Cases.ByID()
	}
	c := m.cases[base][id]
	if c != nil {
		m.paired[c] = true
	}
	return c
}

// pairs yields the pairs of one suite. A case that only one side has makes a pair with an empty side. A case that moved
// to another suite is yielded only with the head suite that has it now.
func (m *matching) pairs(base, head *Suite) iter.Seq[Pair] {
	return func(yield func(Pair) bool) {
		if head != nil {
			for _, h := range head.Cases {
				p := Pair{HeadSuite: head, Head: h}
				if was, known := m.names.Base(suiteid.Name{Suite: head.ID, Case: h.ID}); known {
					from := base
					if was.Suite != head.ID {
						from = m.bases[was.Suite]
					}
					if p.Base = m.find(from, was.Case); p.Base != nil {
						p.BaseSuite = from
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
			if m.paired[b] {
				continue
			}
			if name := (suiteid.Name{Suite: base.HeadID(), Case: b.ID}); m.names.Head(name).Suite != name.Suite {
				continue
			}
			if !yield(Pair{BaseSuite: base, Base: b}) {
				return
			}
		}
	}
}

// Head returns the name that the case with the given id of base suite s has on the head.
func (s *Suite) Head(id string) suiteid.Name {
	return s.Names.Head(suiteid.Name{Suite: s.HeadID(), Case: id})
}

// renamed returns the names of base cases that were renamed or moved to another suite. read has the variables that any
// suite reads.
func renamed(all []suitePair, read reads) suiteid.Names {
	m := matchingOf(nil)
	var gone, come []some
	for _, p := range all {
		left, added := some{suite: p.base, own: read}, some{suite: p.head, own: read}
		if p.base != nil && p.head != nil {
			own := readBy(p.base, p.head).onBoth(p.base, p.head)
			left.own, added.own = own, own
		}
		for one := range m.pairs(p.base, p.head) {
			if one.Base != nil && one.Head != nil && one.Base.Keys().ExpectationKey == one.Head.Keys().ExpectationKey {
				continue
			}
			left.add(one.Base)
			added.add(one.Head)
		}
		if len(left.cases) > 0 {
			gone = append(gone, left)
		}
		if len(added.cases) > 0 {
			come = append(come, added)
		}
	}
	if len(gone) == 0 || len(come) == 0 { // no case needs to be opened
		return suiteid.Names{}
	}
	return suiteid.Rename(identified(gone, read), identified(come, read))
}

// some has those cases of one suite that have no equal counterpart of the same name.
type some struct {
	suite *Suite
	own   reads // variables that the suite reads and that its cases have on both sides
	cases []*Case
}

func (s *some) add(c *Case) {
	if c != nil {
		s.cases = append(s.cases, c)
	}
}

// identified returns the cases with the keys by which package suiteid finds renamed cases.
func identified(all []some, read reads) []suiteid.Some[Keys] {
	out := make([]suiteid.Some[Keys], len(all))
	for i, one := range all {
		out[i] = suiteid.Some[Keys]{Suite: one.suite.HeadID(), Target: one.suite.Target}
		for _, c := range one.cases {
			open := c.Open()
			out[i].Cases = append(out[i].Cases, suiteid.Case[Keys]{ID: c.ID, Key: open.identity(read), Own: open.identity(one.own), Sent: Keys{RequestKey: open.Keys().RequestKey}})
		}
	}
	return out
}

// identity returns keys that are equal for cases with the same input and expectation. Only the variables in used count.
// If a case has no input of its own, its request counts too.
func (c *Case) identity(used reads) Keys {
	open := c.Open()
	keys := Keys{open.Keys().RequestKey, open.expectationKey(used)}
	if len(used.filter(open.Vars)) > 0 || len(open.source.turns()) > 0 {
		keys.RequestKey = Key{}
	}
	return keys
}
