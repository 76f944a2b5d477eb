package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"slices"

	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
)

// Changes are what happened to the cases, in the order of suites and cases, the base's own last. A run has one for every case that it asks, and
// nearly all say no more than that an answer passes as before: those are made when they are looked at. The zero Changes are none. They are not
// changed, and may be looked at by several at once.
type Changes struct {
	n     int
	at    func(i int) Change
	list  []*Change // in place of at
	kinds []uint8   // by place, in Kinds; nil: each change says it itself
}

// ChangesOf are those of a list.
func ChangesOf(list ...Change) Changes {
	c := Changes{n: len(list), list: make([]*Change, len(list))}
	for i := range list {
		c.list[i] = &list[i]
	}
	return c
}

// With are the changes and one more behind them, of those of a list.
func (c Changes) With(one *Change) Changes {
	return Changes{n: c.n + 1, list: append(c.list, one)}
}

// MadeChanges are n changes of which each is made, the same one each time, when it is looked at.
func MadeChanges(n int, at func(i int) Change) Changes { return Changes{n: n, at: at} }

// Len is how many there are.
func (c Changes) Len() int { return c.n }

// At is the change at a place below Len.
func (c Changes) At(i int) Change {
	one := c.unsorted(i)
	if c.kinds != nil {
		one.Kind = Kinds[c.kinds[i]]
	}
	return one
}

func (c Changes) unsorted(i int) Change {
	if c.at == nil {
		return *c.list[i]
	}
	return c.at(i)
}

// KindAt is the kind of the change at a place, which need not be made for that where they are sorted.
func (c Changes) KindAt(i int) Kind {
	if c.kinds != nil {
		return Kinds[c.kinds[i]]
	}
	return c.unsorted(i).Kind
}

// All yields the changes with their places.
func (c Changes) All() iter.Seq2[int, Change] {
	return func(yield func(int, Change) bool) {
		for i := range c.n {
			if !yield(i, c.At(i)) {
				return
			}
		}
	}
}

// Besides yields those of another kind than one, with their places. Of changes that are sorted the ones of that kind are not made.
func (c Changes) Besides(kind Kind) iter.Seq2[int, Change] {
	return func(yield func(int, Change) bool) {
		for i := range c.n {
			if c.KindAt(i) != kind && !yield(i, c.At(i)) {
				return
			}
		}
	}
}

// List is all of them at once.
func (c Changes) List() []Change {
	out := make([]Change, 0, c.n)
	for _, one := range c.All() {
		out = append(out, one)
	}
	return out
}

// Sorted are the changes with the kinds that of says.
func (c Changes) Sorted(of func(Change) Kind) Changes {
	kinds := make([]uint8, c.n)
	for i := range kinds {
		kinds[i] = uint8(slices.Index(Kinds[:], of(c.unsorted(i))))
	}
	c.kinds = kinds
	return c
}

// MarshalJSON writes a list.
func (c Changes) MarshalJSON() ([]byte, error) { return json.Marshal(c.List()) }

// UnmarshalJSON reads a list.
func (c *Changes) UnmarshalJSON(text []byte) error {
	list, err := readChanges(text)
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		wrong.Field = joinKeys("changes", wrong.Field)
	}
	if err == nil {
		*c = ChangesOf(list...)
	}
	return err
}

// readChanges reads one after the other: the decoder holds a copy of what it is reading.
func readChanges(text []byte) (list []Change, err error) {
	if text[0] != '[' { // null is an empty list; nothing else is one
		return nil, json.Unmarshal(text, &list)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	for dec.More() {
		var one Change
		if err := dec.Decode(&one); err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

func joinKeys(outer, inner string) string {
	if inner == "" {
		return outer
	}
	return outer + "." + inner
}

// Before is what a redefined case was on the base.
type Before struct {
	OtherInput bool            `json:"other_input,omitempty"` // it asked something else
	Asked      model.Untrusted `json:"asked,omitempty"`
	Expected   []expect.Demand `json:"expected,omitempty"` // where it is known
}

// AsksElse reports a redefined case whose question is another than on the base, where it passed: nothing shows how what it asked is answered now.
func (c Change) AsksElse() bool {
	return c.Change == Redefined && c.Before != nil && c.Before.OtherInput && c.Base.Right() && c.Head.Right()
}

// Reworded counts the cases that pass on both sides and are answered in other words than before.
type Reworded struct {
	Passing int             `json:"passing"`  // cases that pass on both sides, of which both have as many answers
	Changed int             `json:"changed"`  // of them
	SuiteID string          `json:"suite_id"` // of the first of these
	CaseID  string          `json:"case_id"`
	Before  model.Untrusted `json:"before"` // the beginning of its answer
	Now     model.Untrusted `json:"now"`
}
