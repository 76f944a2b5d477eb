package suite

import (
	"iter"

	"github.com/failproof/failproof/internal/lookup"
)

// Index finds the cases of a suite by their ids. It may be asked by several at once.
type Index struct {
	cases []Case
	ids   lookup.Table
}

// NewIndex is the index of a suite's cases. It holds as long as the suite has the same ones.
func NewIndex(s *Suite) *Index {
	x := &Index{cases: s.Cases}
	for i := range x.cases {
		x.ids.Add(x.cases[i].ID, i, x.id)
	}
	return x
}

func (x *Index) id(i int) string { return x.cases[i].ID }

// Case is the one of an id; nil where there is none, or no index.
func (x *Index) Case(id string) *Case {
	if x == nil {
		return nil
	}
	if i, found := x.ids.Find(id, x.id); found {
		return &x.cases[i]
	}
	return nil
}

// Pairs yields the head's cases with the base's form of them, in the head's order, then the cases that only the base has; nil where a side has
// none. Either suite may be nil.
func Pairs(base, head *Suite) iter.Seq2[*Case, *Case] {
	return func(yield func(base, head *Case) bool) {
		before := &joining{suite: &Suite{}}
		if base != nil {
			before = &joining{suite: base, joined: make([]bool, len(base.Cases))}
		}
		if head != nil {
			for i := range head.Cases {
				if h := &head.Cases[i]; !yield(before.find(h.ID), h) {
					return
				}
			}
		}
		for i, joined := range before.joined {
			if !joined && !yield(&base.Cases[i], nil) {
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
	at := j.next
	if at >= len(j.suite.Cases) || j.suite.Cases[at].ID != id {
		if j.index == nil {
			j.index = NewIndex(j.suite)
		}
		var found bool
		if at, found = j.index.ids.Find(id, j.index.id); !found {
			return nil
		}
	}
	j.joined[at], j.next = true, at+1
	return &j.suite.Cases[at]
}
