package suite

import (
	"iter"

	"github.com/failproof/failproof/internal/lookup"
	"github.com/failproof/failproof/internal/suiteid"
)

// Index finds the cases of a suite by their ids. It may be asked by several at once.
type Index struct {
	cases *Cases
	ids   lookup.Table
}

// NewIndex is the index of a suite's cases. It holds as long as the suite has the same ones.
func NewIndex(s *Suite) *Index {
	x := &Index{cases: &s.Cases}
	x.ids.Reserve(x.cases.Len())
	for c := range x.cases.All() {
		x.ids.Add(c.ID, c.place, x.id)
	}
	return x
}

func (x *Index) id(i int) string { return x.cases.At(i).ID }

// Case is the one of an id; nil where there is none, or no index.
func (x *Index) Case(id string) *Case {
	if x == nil {
		return nil
	}
	if i, found := x.ids.Find(id, x.id); found {
		return x.cases.At(i)
	}
	return nil
}

// Pairs yields the head's cases with the base's form of them, in the head's order, then the cases that only the base has; nil where a side has
// none. Either suite may be nil. Cases that changed their names are one where the suites were joined.
func Pairs(base, head *Suite) iter.Seq2[*Case, *Case] {
	if base == nil {
		return namedAlike(base, head, suiteid.Names{})
	}
	return namedAlike(base, head, base.Names)
}

// renamed finds the cases that only go by another id on the head.
func renamed(base, head *Suite) suiteid.Names {
	var gone, come []suiteid.Case[Keys]
	for b, h := range namedAlike(base, head, suiteid.Names{}) {
		if b != nil && h != nil && b.Keys().ExpectationKey == h.Keys().ExpectationKey {
			continue
		}
		if b != nil {
			gone = append(gone, suiteid.Case[Keys]{ID: b.ID, Key: b.identity()})
		}
		if h != nil {
			come = append(come, suiteid.Case[Keys]{ID: h.ID, Key: h.identity()})
		}
	}
	return suiteid.Rename(gone, come)
}

// identity is equal for what is one case, whatever it is called: it has the same input and is judged alike. A case without input of its own,
// as a line of a prompt and an expected answer is, is known by what is sent as well.
func (c *Case) identity() Keys {
	keys := c.Keys()
	if open := c.Open(); len(open.Vars) > 0 || len(open.turns) > 0 {
		keys.RequestKey = Key{}
	}
	return keys
}

func namedAlike(base, head *Suite, names suiteid.Names) iter.Seq2[*Case, *Case] {
	return func(yield func(base, head *Case) bool) {
		before := &joining{suite: &Suite{}}
		if base != nil {
			before = &joining{suite: base, joined: make([]bool, base.Cases.Len())}
		}
		if head != nil {
			for h := range head.Cases.All() {
				var b *Case
				if id, known := names.Base(h.ID); known {
					b = before.find(id)
				}
				if !yield(b, h) {
					return
				}
			}
		}
		for i, joined := range before.joined {
			if !joined && !yield(base.Cases.At(i), nil) {
				return
			}
		}
	}
}

// joining finds the base's form of the head's cases one by one. Most stand on both sides in one order, and need no index.
type joining struct {
	suite  *Suite
	joined []bool // which of its cases were found
	next   int    // the place behind the case that was found last
	index  *Index // nil until a case does not stand there
}

func (j *joining) find(id string) *Case {
	if at := j.next; at < j.suite.Cases.Len() {
		if c := j.suite.Cases.At(at); c.ID == id {
			return j.found(c)
		}
	}
	if j.index == nil {
		j.index = NewIndex(j.suite)
	}
	return j.found(j.index.Case(id))
}

func (j *joining) found(c *Case) *Case {
	if c != nil {
		j.joined[c.place], j.next = true, c.place+1
	}
	return c
}
