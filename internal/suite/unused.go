package suite

import (
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/expect"
)

// A variable that nothing reads is no input: a column may name the author of a row. The prompts, assertions,
// judge and target of a suite together decide which variables are read. If either side reads a variable, it is input
// on both. A prompt that drops or begins to use an existing variable is therefore compared, and changing the value of
// a variable that is read makes another input.

// reads has the variables that suites read; nil if any variable may be read.
type reads map[string]bool

// readBy returns the variables that at least one of the suites reads, or nil if one of the suites may read any
// variable.
func readBy(suites ...*Suite) reads {
	all := reads{}
	for _, s := range suites {
		if s.used == nil {
			return nil
		}
		maps.Copy(all, s.used)
	}
	return all
}

// onBoth returns the variables that cases of both sides have. A new column is left out: rows without an id are
// identified by their content, and the column must not change the identity of every row.
func (read reads) onBoth(base, head *Suite) reads {
	lacks := func(s *Suite, name string) bool { return !s.used[name] && !slices.Contains(s.unused, name) }
	both := maps.Clone(read)
	maps.DeleteFunc(both, func(name string, _ bool) bool { return lacks(base, name) || lacks(head, name) })
	return both
}

// filter returns the variables that are read, with their values. If all variables are read, it returns vars itself.
func (read reads) filter(vars map[string]string) map[string]string {
	unread := func(name, _ string) bool { return !read[name] }
	for name := range vars {
		if read != nil && unread(name, "") {
			out := maps.Clone(vars)
			maps.DeleteFunc(out, unread)
			return out
		}
	}
	return vars
}

// expectationKey returns the expectation key computed with only the variables that are read.
func (b *Body) expectationKey(read reads) Key {
	if b.beside == (Key{}) {
		return b.Keys.ExpectationKey
	}
	return keyOf([]any{b.beside, input{read.filter(b.Vars), b.source.turns()}})
}

// inputKey returns the key of the case's input with only the variables that are read.
func (b *Body) inputKey(read reads) Key {
	return keyOf(input{read.filter(b.Vars), b.source.turns()})
}

// likeBase has the keys that replace those of a head case. A key is the base's if base and head differ only by unread
// variables or by the names of variables. Otherwise, it is the head's own key.
type likeBase struct{ expectation, input Key }

// overlookUnused gives a head case the base's keys if the case differs between base and head only in variables that
// neither side reads, or in the names of variables.
func overlookUnused(all []suitePair, m *matching) {
	unused := func(s *Suite) bool { return s != nil && len(s.unused) > 0 }
	called := func(p suitePair) bool { return p.base != nil && p.head != nil && !maps.Equal(p.base.used, p.head.used) }
	if !slices.ContainsFunc(all, func(p suitePair) bool { return unused(p.base) || unused(p.head) || called(p) }) {
		return
	}
	for _, p := range all {
		for one := range m.pairs(p.base, p.head) {
			if one.Base == nil || one.Head == nil || one.Base.Keys().ExpectationKey == one.Head.Keys().ExpectationKey {
				continue
			}
			like := one.keysButUnused()
			if like == nil {
				like = one.keysButNames()
			}
			if like != nil {
				one.Head.like = like
			}
		}
	}
}

// keysButUnused returns the keys of a head case whose input equals the base's, ignoring variables that neither side
// reads. It returns nil for any other case.
func (p Pair) keysButUnused() *likeBase {
	read := readBy(p.BaseSuite, p.HeadSuite)
	if unread := func(name string) bool { return !read[name] }; read == nil ||
		!slices.ContainsFunc(p.BaseSuite.unused, unread) && !slices.ContainsFunc(p.HeadSuite.unused, unread) {
		return nil // saves opening the cases
	}
	base, head := p.Base.Open(), p.Head.Open()
	if base.inputKey(read) != head.inputKey(read) {
		return nil
	}
	like := &likeBase{head.Keys().ExpectationKey, base.InputKey()}
	if base.expectationKey(read) == head.expectationKey(read) {
		like.expectation = base.Keys().ExpectationKey
	}
	return like
}

// keysButNames returns the base's keys if (a) both sides send the same bytes, (b) the prompts differ only in their
// variables' names, and (c) no check reads a variable. Otherwise it returns nil. Input that moves into the prompt
// stays a difference, because the next change could then edit it as a prompt.
func (p Pair) keysButNames() *likeBase {
	sent := p.Base.Keys().RequestKey
	if sent != p.Head.Keys().RequestKey || sent == (Key{}) {
		return nil
	}
	base, head := p.Base.Open(), p.Head.Open()
	if base.beside == (Key{}) || base.beside != head.beside || base.source.form() != head.source.form() || readsVars(base.Body) || readsVars(head.Body) ||
		base.Probe != nil && base.Probe.Input != head.Probe.Input {
		return nil
	}
	return &likeBase{base.Keys().ExpectationKey, base.InputKey()}
}

// readsVars reports whether an assertion or a judge reads the case's variables.
func readsVars(b *Body) bool {
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
