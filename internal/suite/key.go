package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/expect"
)

// expectationContent has everything that decides how a case is judged, with defaults filled in. Its hash, the
// expectation key, shows whether that changed. It does not have the prompt, target, id, description, severity, tags or
// category.
//
// must_pass is left out because Redefined compares it separately. Policies are hashed by name, because the same
// configuration defines them for both sides.
type expectationContent struct {
	caseInput
	Criteria      []criterion       `json:"criteria,omitempty"`
	Format        *formatKey        `json:"format,omitempty"`
	Expected      string            `json:"expected_classification,omitempty"`
	Assertions    []string          `json:"assert,omitempty"`
	Tools         string            `json:"expected_tools,omitempty"`
	Label         string            `json:"expected_label,omitempty"`
	Labels        []string          `json:"labels,omitempty"`
	LabelIn       map[string]string `json:"label_in,omitempty"`
	Strategy      string            `json:"strategy,omitempty"` // only if there is something to measure
	Measured      *metricTexts      `json:"measured,omitempty"`
	Rubric        *Rubric           `json:"rubric,omitempty"`
	Policies      []string          `json:"policies,omitempty"` // the case's own policies, sorted
	CaseThreshold *float64          `json:"case_threshold,omitempty"`
	ExpectsFail   bool              `json:"expects_fail,omitempty"`
	WantsRefusal  bool              `json:"wants_refusal,omitempty"` // of the probe

	schema string // the JSON Schema of Format, on one line; "" for none
}

// caseInput is a case's own input: its variables, and its turns, which are the user and assistant messages that the
// suite file has for it. All other messages are the prompt: system messages, messages from a file, prompt files of
// GitHub Models, the suite's messages around a case's own, and the prompt of a FailProof case.
//
// Prompts are only in the request key. A case whose prompt changed is therefore compared, and is not redefined.
type caseInput struct {
	Vars  map[string]string `json:"vars,omitempty"`
	Turns []turn            `json:"turns,omitempty"`
}

// turn is a user or assistant message of a case.
type turn struct {
	Role string `json:"role"`
	Text string `json:"text"` // with variables not filled in
}

// metricTexts has the texts with which metrics compare an answer, except the label.
type metricTexts struct {
	Reference string   `json:"reference,omitempty"` // expected_response, if it is not a criterion
	Facts     []string `json:"key_facts,omitempty"`
	Forbidden []string `json:"forbidden_claims,omitempty"`
	Allowed   []string `json:"allowed_terms,omitempty"`
	Grounding bool     `json:"grounding,omitempty"`
	Otherwise bool     `json:"otherwise,omitempty"` // the expected label is none of the labels
}

// criterion is an expected text with its mode of comparison.
type criterion struct {
	Mode string `json:"mode"`
	Text string `json:"text"`
}

// formatKey is what the expectation key contains of expected_format.
type formatKey struct {
	Type    string `json:"type"`
	Strict  bool   `json:"strict,omitempty"`
	Pattern string `json:"pattern,omitempty"`
	Schema  string `json:"schema,omitempty"` // SHA-256 of the schema's value
}

// Key is a SHA-256 of some content. Equal keys mean equal content. The zero Key means that there is no key.
type Key [sha256.Size]byte

// String returns the key in lower-case hex.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// copyFrom sets the fields of j that are hashed as they are in judging.
func (j *expectationContent) copyFrom(judging *Judging) {
	j.Expected, j.Rubric, j.CaseThreshold, j.ExpectsFail = judging.ExpectedCategory, judging.Rubric, judging.CaseThreshold, judging.AgreesWithFail
	j.WantsRefusal = judging.Probe != nil && judging.Probe.WantsRefusal
	for _, a := range judging.Expect.Assertions {
		j.Assertions = append(j.Assertions, a.String())
	}
}

// key returns the hash of j as JSON. The order of its fields is fixed, and maps are sorted.
func (j expectationContent) key() Key {
	j.Policies = slices.Compact(slices.Sorted(slices.Values(j.Policies)))
	return keyOf(j)
}

// Redefined reports whether a case is judged differently on the head than on the base. A case that loses must_pass is
// redefined. A case that gains it is not.
func Redefined(base, head *Case) bool {
	return base.MustPass && !head.MustPass || base.Keys().ExpectationKey != head.Keys().ExpectationKey
}

// Unchanged reports whether a case has the same request on both sides and is judged in the same way. A difference in a
// variable that nothing reads counts. Both cases must be opened (see Case.Open).
func Unchanged(base, head *Case) bool {
	return base.baseKeys == nil && head.baseKeys == nil && base.Keys() == head.Keys() && slices.EqualFunc(base.Policies, head.Policies, (*expect.Policy).SameName)
}

// hash returns the SHA-256 of value as JSON, in lower-case hex.
func hash(value any) string { return keyOf(value).String() }

// keyOf returns the SHA-256 of value as JSON.
func keyOf(value any) Key {
	body, err := json.Marshal(value)
	if err != nil {
		// Strings, booleans, checked numbers, and slices and maps of them always marshal.
		panic("suite: key: " + err.Error())
	}
	return sha256.Sum256(body)
}

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

// onBoth returns those variables in read that the suite knows on both sides. A new column is left out: it must not
// change the identity of every row, because rows without an id are identified by their content.
func (read varSet) onBoth(base, head *Suite) varSet {
	lacks := func(s *Suite, name string) bool { return !s.used[name] && !slices.Contains(s.unused, name) }
	both := maps.Clone(read)
	maps.DeleteFunc(both, func(name string, _ bool) bool { return lacks(base, name) || lacks(head, name) })
	return both
}

// filter returns the variables of vars that are in read. If all of them are, it returns vars itself.
func (read varSet) filter(vars map[string]string) map[string]string {
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
func adoptBaseKeys(pairs []suitePair, m *matching) {
	unused := func(s *Suite) bool { return s != nil && len(s.unused) > 0 }
	readsDiffer := func(p suitePair) bool {
		return p.base != nil && p.head != nil && !maps.Equal(p.base.used, p.head.used)
	}
	if !slices.ContainsFunc(pairs,
		func(p suitePair) bool { return unused(p.base) || unused(p.head) || readsDiffer(p) }) {
		return
	}
	for _, p := range pairs {
		for _, pair := range m.pairs(p.base, p.head) {
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
	return b.Rubric != nil || slices.ContainsFunc(b.Expect.Assertions, func(a *expect.Assertion) bool { return a.AllVars || len(a.Vars) > 0 })
}

// InputKey returns the key of the case's own input, which is its variables and turns.
func (c *Case) InputKey() Key {
	if c.baseKeys != nil {
		return c.baseKeys.input
	}
	open := c.Open()
	return open.inputKey(nil)
}
