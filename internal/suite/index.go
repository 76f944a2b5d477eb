package suite

import (
	"iter"

	"github.com/failproof/failproof/internal/suiteid"
)

// Pair is a case on both sides, each with its suite. The fields of a side without the case are nil.
type Pair struct {
	BaseSuite *Suite
	Base      *Case
	HeadSuite *Suite
	Head      *Case
}

// Pairs yields the cases of both sides, suite by suite. In each suite, the head's cases come first, each paired with
// the base's case of the same name. The cases that only the base has follow. Suites that only the base has come last.
// Renamed and moved cases are paired only if both sides were joined before.
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

// matching finds the base case of each head case.
type matching struct {
	names  suiteid.Names
	bases  map[string]*Suite // by the head's ids for them
	cases  map[*Suite]map[string]*Case
	paired map[*Case]bool // base cases that have a head case
}

func matchingOf(base []*Suite) *matching {
	m := &matching{bases: map[string]*Suite{}, cases: map[*Suite]map[string]*Case{}, paired: map[*Case]bool{}}
	for _, b := range base {
		m.names, m.bases[b.HeadID()] = b.Names, b
	}
	return m
}

// find returns the case of a base suite with an id, or nil, and marks it as paired.
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

// pairs yields the pairs of a suite. One side of a pair may be nil. A case that moved to another suite is yielded with
// that suite.
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

// Head returns the head's name for a case of a base suite.
func (s *Suite) Head(id string) suiteid.Name {
	return s.Names.Head(suiteid.Name{Suite: s.HeadID(), Case: id})
}

// renamed returns the head's names for the base's cases that were renamed or moved.
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
	if len(gone) == 0 || len(come) == 0 { // saves opening the cases
		return suiteid.Names{}
	}
	return suiteid.Rename(identified(gone, read), identified(come, read))
}

// some has the unpaired cases of a suite.
type some struct {
	suite *Suite
	own   reads // variables that the suite reads on both sides
	cases []*Case
}

func (s *some) add(c *Case) {
	if c != nil {
		s.cases = append(s.cases, c)
	}
}

// identified returns the cases with the keys by which suiteid finds them under another name.
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

// identity returns keys that are equal for cases with the same input and expectation. Only the variables in the set
// used count. A case without its own input is also identified by its request.
func (c *Case) identity(used reads) Keys {
	open := c.Open()
	keys := Keys{open.Keys().RequestKey, open.expectationKey(used)}
	if len(used.filter(open.Vars)) > 0 || len(open.source.turns()) > 0 {
		keys.RequestKey = Key{}
	}
	return keys
}
