package suite

import (
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/expect"
)

// A variable that nobody reads is no input: a column of a table may hold who wrote the row, or why. Whether one is
// read, the prompts, the assertions, the judge and the target of a suite say together, and of two sides each: what
// only one of them reads is input on both. So a prompt that drops a variable, or begins to use one that was there, is
// compared as any other prompt, and whoever gives a variable that is read another value asks something else.

// reads reports whether a suite reads a variable.
type reads func(name string) bool

// readBy returns the variables that some suites read; nil if one of them may read any.
func readBy(suites ...*Suite) reads {
	if slices.ContainsFunc(suites, func(s *Suite) bool { return s.used == nil }) {
		return nil
	}
	return func(name string) bool {
		return slices.ContainsFunc(suites, func(s *Suite) bool { return s.used[name] })
	}
}

// onBoth keeps the variables that cases of both sides have: a column that comes or goes changes the question of all
// rows, and makes none of them another row. Rows without an id are identified by their content.
func (of reads) onBoth(base, head *Suite) reads {
	if of == nil {
		return nil
	}
	has := func(s *Suite, name string) bool { return s.used[name] || slices.Contains(s.unused, name) }
	return func(name string) bool { return of(name) && has(base, name) && has(head, name) }
}

// readByAll returns the variables read on either side, looked up once, since there may be many suites.
func readByAll(sides ...[]*Suite) reads {
	all := map[string]bool{}
	for _, side := range sides {
		for _, s := range side {
			if s.used == nil {
				return nil
			}
			for name := range s.used {
				all[name] = true
			}
		}
	}
	return func(name string) bool { return all[name] }
}

// filter returns the variables that are read; vars itself if all are.
func (of reads) filter(vars map[string]string) map[string]string {
	unread := 0
	for name := range vars {
		if of != nil && !of(name) {
			unread++
		}
	}
	if unread == 0 {
		return vars
	}
	out := make(map[string]string, len(vars)-unread)
	for name, value := range vars {
		if of(name) {
			out[name] = value
		}
	}
	return out
}

// expectationKey is the key of a body whose variables are those that are read.
func (b *Body) expectationKey(of reads) Key {
	if b.beside == (Key{}) {
		return b.Keys.ExpectationKey
	}
	return keyOf([]any{b.beside, input{of.filter(b.Vars), b.asks.turns()}})
}

// inputKey returns the key of a body's input, with the variables that are read.
func (b *Body) inputKey(of reads) Key {
	return keyOf(input{of.filter(b.Vars), b.asks.turns()})
}

// likeBase are the keys of a head's case, one or both of which are its base form's.
type likeBase struct{ expectation, input Key }

// overlookUnused gives the head's cases the keys of the base if their input, or what judges them, differs only in
// variables that neither side reads, or in the names of variables that are filled in.
func overlookUnused(all []suitePair, m *matching) {
	unused := func(s *Suite) bool { return s != nil && len(s.unused) > 0 }
	called := func(p suitePair) bool { return p.base != nil && p.head != nil && !maps.Equal(p.base.used, p.head.used) }
	if !slices.ContainsFunc(all, func(p suitePair) bool { return unused(p.base) || unused(p.head) || called(p) }) {
		return
	}
	for _, p := range all {
		for one := range m.cases(p.base, p.head) {
			if one.Base == nil || one.Head == nil || one.Base.Keys().ExpectationKey == one.Head.Keys().ExpectationKey {
				continue
			}
			like := one.butForUnused()
			if like == nil {
				like = one.butForNames()
			}
			if like != nil {
				one.Head.like = like
			}
		}
	}
}

// butForUnused are the keys of a case of the head that asks what the base's does, but for variables that neither side
// reads; nil of another.
func (p Pair) butForUnused() *likeBase {
	of := readBy(p.BaseSuite, p.HeadSuite)
	if unread := func(name string) bool { return !of(name) }; of == nil ||
		!slices.ContainsFunc(p.BaseSuite.unused, unread) && !slices.ContainsFunc(p.HeadSuite.unused, unread) {
		return nil // and no case need be opened
	}
	base, head := p.Base.Open(), p.Head.Open()
	if base.inputKey(of) != head.inputKey(of) {
		return nil
	}
	like := &likeBase{head.Keys().ExpectationKey, base.InputKey()}
	if base.expectationKey(of) == head.expectationKey(of) {
		like.expectation = base.Keys().ExpectationKey
	}
	return like
}

// butForNames are the base's keys where the model is sent the same on both sides, byte for byte, by prompts that
// differ in what their variables are called alone, and the answer is judged by the same without a look at any
// variable; nil elsewhere. What is input stays input: a question that is written into the prompt could be edited as a
// prompt is by the next change.
func (p Pair) butForNames() *likeBase {
	sent := p.Base.Keys().RequestKey
	if sent != p.Head.Keys().RequestKey || sent == (Key{}) {
		return nil
	}
	base, head := p.Base.Open(), p.Head.Open()
	if base.beside == (Key{}) || base.beside != head.beside || base.asks.form() != head.asks.form() || base.looksAtVars() || head.looksAtVars() ||
		base.Probe != nil && base.Probe.Input != head.Probe.Input {
		return nil
	}
	return &likeBase{base.Keys().ExpectationKey, base.InputKey()}
}

// looksAtVars reports a case whose answers are judged with a look at its variables, by an assertion or a judge.
func (b *Body) looksAtVars() bool {
	return b.Rubric != nil || slices.ContainsFunc(b.Expect.Assertions, func(a *expect.Assertion) bool { return a.AllVars() || len(a.Vars()) > 0 })
}

// InputKey returns the key of the case's own input: its variables and turns.
func (c *Case) InputKey() Key {
	if c.like != nil {
		return c.like.input
	}
	open := c.Open()
	return open.inputKey(nil)
}
