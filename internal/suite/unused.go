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

// varSet is the set of variables that suites read. nil means that any variable may be read.
type varSet map[string]bool

// varsReadBy returns the variables that at least one of the suites reads. It returns nil if one of the suites may read
// any variable.
func varsReadBy(suites ...*Suite) varSet {
	all := varSet{}
	for _, s := range suites {
		if s.used == nil {
			return nil
		}
		maps.Copy(all, s.used)
	}
	return all
}

// onBoth returns those variables in v that the suite knows on both sides. A new column is left out: it must not
// change the identity of every row, because rows without an id are identified by their content.
func (v varSet) onBoth(base, head *Suite) varSet {
	lacks := func(s *Suite, name string) bool { return !s.used[name] && !slices.Contains(s.unused, name) }
	both := maps.Clone(v)
	maps.DeleteFunc(both, func(name string, _ bool) bool { return lacks(base, name) || lacks(head, name) })
	return both
}

// filter returns the variables of vars that are in v. If all of them are, it returns vars itself.
func (v varSet) filter(vars map[string]string) map[string]string {
	unread := func(name, _ string) bool { return !v[name] }
	for name := range vars {
		if v != nil && unread(name, "") {
			out := maps.Clone(vars)
			maps.DeleteFunc(out, unread)
			return out
		}
	}
	return vars
}

// expectationKey returns the expectation key of the case, computed with only the variables in read.
func (b *Body) expectationKey(read varSet) Key {
	if b.judgingKey == (Key{}) {
		return b.Keys.ExpectationKey
	}
	return keyOf([]any{b.judgingKey, caseInput{read.filter(b.Vars), b.source.turns()}})
}

// inputKey returns the key of the case's input, computed with only the variables in read.
func (b *Body) inputKey(read varSet) Key {
	return keyOf(caseInput{read.filter(b.Vars), b.source.turns()})
}

// replacementKeys has the keys that replace those of a head case. They do so if the case differs from the base only in
// unread variables or in names of variables. input is the key of the base. expectation is the key of the base too,
// unless the case is also judged differently.
type replacementKeys struct{ expectation, input Key }

// adoptBaseKeys gives head cases the keys of their base cases. It does so if both differ only in variables that neither
// side reads, or only in the names of variables.
func adoptBaseKeys(pairs []suitePair) {
	unused := func(s *Suite) bool { return s != nil && len(s.unused) > 0 }
	readsDiffer := func(p suitePair) bool {
		return p.base != nil && p.head != nil &&
			!maps.Equal(p.base.used, p.head.used)
	}
	if !slices.ContainsFunc(pairs,
		func(p suitePair) bool { return unused(p.base) || unused(p.head) || readsDiffer(p) }) {
		return
	}
	for _, p := range pairs {
		for _, pair := range p.cases {
			if pair.Base == nil || pair.Head == nil ||
				pair.Base.Keys().ExpectationKey == pair.Head.Keys().ExpectationKey {
				continue
			}
			keys := pair.keysButUnused()
			if keys == nil {
				keys = pair.keysButNames()
			}
			if keys != nil {
				pair.Head.baseKeys = keys
			}
		}
	}
}

// keysButUnused returns the keys for a head case whose input differs from the base's only in variables that neither
// side reads. It returns nil for any other case.
func (p Pair) keysButUnused() *replacementKeys {
	read := varsReadBy(p.BaseSuite, p.HeadSuite)
	if unread := func(name string) bool { return !read[name] }; read == nil ||
		!slices.ContainsFunc(p.BaseSuite.unused, unread) && !slices.ContainsFunc(p.HeadSuite.unused, unread) {
		return nil // no case needs to be opened
	}
	base, head := p.Base.Open(), p.Head.Open()
	if base.inputKey(read) != head.inputKey(read) {
		return nil
	}
	like := &replacementKeys{head.Keys().ExpectationKey, base.InputKey()}
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
func (p Pair) keysButNames() *replacementKeys {
	sent := p.Base.Keys().RequestKey
	if sent != p.Head.Keys().RequestKey || sent == (Key{}) {
		return nil
	}
	base, head := p.Base.Open(), p.Head.Open()
	if base.judgingKey == (Key{}) || base.judgingKey != head.judgingKey || base.source.formKey() != head.source.formKey() || readsVars(base.Body) || readsVars(head.Body) ||
		base.Probe != nil && base.Probe.Input != head.Probe.Input {
		return nil
	}
	return &replacementKeys{base.Keys().ExpectationKey, base.InputKey()}
}

// readsVars reports whether an assertion reads a variable of the case, or a judge sees the variables.
func readsVars(b *Body) bool {
	return b.Rubric != nil || slices.ContainsFunc(b.Expect.Assertions, func(a *expect.Criterion) bool { return a.AllVars || len(a.Vars) > 0 })
}

// InputKey returns the key of the case's own input, which is its variables and turns.
func (c *Case) InputKey() Key {
	if c.baseKeys != nil {
		return c.baseKeys.input
	}
	open := c.Open()
	return open.inputKey(nil)
}
