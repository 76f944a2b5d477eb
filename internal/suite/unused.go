package suite

import (
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/expect"
)

// A variable that nothing reads is not part of a case's input: a column may name the author of a row, for example. What
// a suite reads is decided by its prompts, assertions, judge and target together. If one side reads a variable, the
// variable is input on both sides.
//
// A case is therefore compared if its prompt drops a variable or begins to use an existing one. If the value of a
// variable changes that is read, the case has another input.

// reads is the set of variables that suites read. nil means that any variable may be read.
type reads map[string]bool

// readBy returns the variables that at least one of the suites reads. It returns nil if one of the suites may read any
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

// onBoth returns those variables in read that the suite knows on both sides. A new column is left out: it must not
// change the identity of every row, because rows without an id are identified by their content.
func (read reads) onBoth(base, head *Suite) reads {
	lacks := func(s *Suite, name string) bool { return !s.used[name] && !slices.Contains(s.unused, name) }
	both := maps.Clone(read)
	maps.DeleteFunc(both, func(name string, _ bool) bool { return lacks(base, name) || lacks(head, name) })
	return both
}

// filter returns the variables of vars that are in read. If all of them are, it returns vars itself.
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

// expectationKey returns the expectation key of the case, computed with only the variables in read.
func (b *Body) expectationKey(read reads) Key {
	if b.beside == (Key{}) {
		return b.Keys.ExpectationKey
	}
	return keyOf([]any{b.beside, input{read.filter(b.Vars), b.source.turns()}})
}

// inputKey returns the key of the case's input, computed with only the variables in read.
func (b *Body) inputKey(read reads) Key {
	return keyOf(input{read.filter(b.Vars), b.source.turns()})
}

// likeBase has the keys that replace those of a head case. They do so if the case differs from the base only in unread
// variables or in names of variables. input is the key of the base. expectation is the key of the base too, unless the
// case is also judged differently.
type likeBase struct{ expectation, input Key }

// overlookUnused gives head cases the keys of their base cases. It does so if both differ only in variables that
// neither side reads, or only in the names of variables. all are the pairs of suites.
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

// keysButUnused returns the keys for a head case whose input differs from the base's only in variables that neither
// side reads. It returns nil for any other case.
func (p Pair) keysButUnused() *likeBase {
	read := readBy(p.BaseSuite, p.HeadSuite)
	if unread := func(name string) bool { return !read[name] }; read == nil ||
		!slices.ContainsFunc(p.BaseSuite.unused, unread) && !slices.ContainsFunc(p.HeadSuite.unused, unread) {
		return nil // no case needs to be opened
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

// keysButNames returns the base's keys for a head case in which only variables were renamed. It returns nil for any
// other case. The conditions are:
//
//   - Both sides send the same bytes.
//   - The prompts differ only in the names of their variables.
//   - No check reads a variable.
//
// Input that moves into the prompt stays a difference, because the next change could then edit it as a prompt.
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

// readsVars reports whether an assertion reads a variable of the case, or a judge sees the variables.
func readsVars(b *Body) bool {
	return b.Rubric != nil || slices.ContainsFunc(b.Expect.Assertions, func(a *expect.Assertion) bool { return a.AllVars() || len(a.Vars()) > 0 })
}

// InputKey returns the key of the case's own input, which is its variables and turns.
func (c *Case) InputKey() Key {
	if c.like != nil {
		return c.like.input
	}
	open := c.Open()
	return open.inputKey(nil)
}
