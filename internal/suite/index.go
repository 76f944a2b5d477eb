package suite

import (
	"iter"

	"github.com/failproof/failproof/internal/suiteid"
)

// Index finds the cases of a suite by id. It is safe for concurrent use.
type Index struct{ byID map[string]*Case }

// NewIndex returns the index of a suite's cases. It is valid as long as the suite has the same cases.
func NewIndex(s *Suite) *Index {
	x := &Index{make(map[string]*Case, s.Cases.Len())}
	for _, c := range s.Cases {
		x.byID[c.ID] = c
	}
	return x
}

// Case is the one of an id; nil where there is none, or no index.
func (x *Index) Case(id string) *Case {
	if x == nil {
		return nil
	}
	return x.byID[id]
}

// Pair is a case on both sides, each with its suite there; a side that lacks it is zero.
type Pair struct {
	BaseSuite *Suite
	Base      *Case
	HeadSuite *Suite
	Head      *Case
}

// Pairs yields, suite by suite, the head's cases with their form on the base, then the base's own; suites that only the
// base has come last. Renamed suites and cases, and moved cases, are paired if the sides were joined.
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
			for one := range m.cases(p.base, p.head) {
				if !yield(one) {
					return
				}
			}
		}
	}
}

// matching finds the base's form of the head's cases.
type matching struct {
	names suiteid.Names
	bases map[string]*Suite // by the ids that the head has for them
	found map[*Suite]*joining
}

func matchingOf(base []*Suite) *matching {
	m := &matching{bases: make(map[string]*Suite, len(base)), found: map[*Suite]*joining{}}
	for _, b := range base {
		m.names, m.bases[b.HeadID()] = b.Names, b
	}
	return m
}

func (m *matching) in(base *Suite) *joining {
	if base == nil {
		return &joining{suite: &Suite{}}
	}
	if m.found[base] == nil {
		m.found[base] = &joining{suite: base, index: NewIndex(base), joined: make([]bool, base.Cases.Len())}
	}
	return m.found[base]
}

// cases yields the pairs of a suite; one of its sides may be nil. A case that moved to another suite is left to that
// one.
func (m *matching) cases(base, head *Suite) iter.Seq[Pair] {
	return func(yield func(Pair) bool) {
		before := m.in(base)
		if head != nil {
			for h := range head.Cases.All() {
				p := Pair{HeadSuite: head, Head: h}
				if was, known := m.names.Base(suiteid.Name{Suite: head.ID, Case: h.ID}); known {
					from := before
					if was.Suite != head.ID {
						from = m.in(m.bases[was.Suite])
					}
					if p.Base = from.find(was.Case); p.Base != nil {
						p.BaseSuite = from.suite
					}
				}
				if !yield(p) {
					return
				}
			}
		}
		for i, joined := range before.joined {
			if joined {
				continue
			}
			b := base.Cases.At(i)
			if name := (suiteid.Name{Suite: base.HeadID(), Case: b.ID}); m.names.Head(name).Suite != name.Suite {
				continue
			}
			if !yield(Pair{BaseSuite: base, Base: b}) {
				return
			}
		}
	}
}

// Head is what the head calls a case of a base's suite.
func (s *Suite) Head(id string) suiteid.Name {
	return s.Names.Head(suiteid.Name{Suite: s.HeadID(), Case: id})
}

// renamed finds what the head calls the cases of suites that are joined.
func renamed(all []suitePair, of reads) suiteid.Names {
	m := &matching{found: map[*Suite]*joining{}}
	var gone, come []some
	for _, p := range all {
		left, added := some{suite: p.base, own: of}, some{suite: p.head, own: of}
		if p.base != nil && p.head != nil {
			own := readBy(p.base, p.head).onBoth(p.base, p.head)
			left.own, added.own = own, own
		}
		for one := range m.cases(p.base, p.head) {
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
	if len(gone) == 0 || len(come) == 0 { // and no case need be opened
		return suiteid.Names{}
	}
	return suiteid.Rename(identified(gone, of), identified(come, of))
}

// some are cases of a suite.
type some struct {
	suite *Suite
	own   reads // of the suite on both sides
	cases []*Case
}

func (s *some) add(c *Case) {
	if c != nil {
		s.cases = append(s.cases, c)
	}
}

// identified are cases as what they are, whatever they are called.
func identified(all []some, by reads) []suiteid.Some[Keys] {
	out := make([]suiteid.Some[Keys], len(all))
	for i, of := range all {
		out[i] = suiteid.Some[Keys]{Suite: of.suite.HeadID(), Target: of.suite.Target}
		for _, c := range of.cases {
			open := c.Open()
			out[i].Cases = append(out[i].Cases, suiteid.Case[Keys]{ID: c.ID, Key: open.identity(by), Own: open.identity(of.own), Sent: Keys{RequestKey: open.Keys().RequestKey}})
		}
	}
	return out
}

// identity is equal for what is one case, whatever it is called: it has the same input, as far as somebody reads it,
// and is judged alike. A case without input of its own, as a line of a prompt and an expected answer is, is known by
// what is sent as well.
func (c *Case) identity(of reads) Keys {
	open := c.Open()
	keys := Keys{open.Keys().RequestKey, open.expectationKey(of)}
	if len(of.filter(open.Vars)) > 0 || len(open.asks.turns()) > 0 {
		keys.RequestKey = Key{}
	}
	return keys
}

// joining finds the base's form of the head's cases one by one.
type joining struct {
	suite  *Suite
	index  *Index
	joined []bool // which of its cases were found
}

func (j *joining) find(id string) *Case {
	c := j.index.Case(id)
	if c != nil {
		j.joined[c.place] = true
	}
	return c
}
