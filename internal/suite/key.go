package suite

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/text"
)

// expectationContent has everything that decides how a case is judged, with defaults filled in. Its hash, the
// expectation key, shows whether that changed. It does not have the prompt, target, id, description, severity, tags or
// category.
//
// must_pass is left out because Redefined compares it separately. Policies are hashed by name, because the same
// configuration defines them for both sides. The order of a list counts only if it may decide how an answer is judged
// (see sortLists).
type expectationContent struct {
	caseInput
	Criteria      []criterion       `json:"criteria,omitempty"`
	Format        *formatKey        `json:"format,omitempty"`
	Expected      classify.Category `json:"expected_classification,omitempty"`
	Assertions    []string          `json:"assert,omitempty"`
	Tools         string            `json:"expected_tools,omitempty"`
	Label         string            `json:"expected_label,omitempty"`
	Labels        []string          `json:"labels,omitempty"`
	LabelIn       map[string]string `json:"label_in,omitempty"`
	Strategy      string            `json:"strategy,omitempty"` // only if there is something to measure
	Measured      *metricTexts      `json:"measured,omitempty"`
	Rubric        *Rubric           `json:"rubric,omitempty"`
	Policies      []string          `json:"policies,omitempty"` // the case's own policies
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
func (k Key) String() string {
	var text [2 * len(Key{})]byte
	hex.Encode(text[:], k[:])
	return string(text[:])
}

// copyFrom sets the fields of e that are hashed as they are in judging. It must come last.
func (e *expectationContent) copyFrom(judging *Judging) {
	e.Expected, e.Rubric, e.CaseThreshold, e.ExpectsFail = judging.ExpectedCategory, judging.Rubric, judging.CaseThreshold, judging.AgreesWithFail
	e.WantsRefusal = judging.Probe != nil && judging.Probe.WantsRefusal
	for _, a := range judging.Expect.Assertions {
		e.Assertions = append(e.Assertions, a.Expected)
	}
	e.sortLists()
}

// sortLists sorts the lists in which the order means nothing. It also removes repetitions in the lists of what must all
// hold. Of facts and claims, the number counts in a metric.
func (e *expectationContent) sortLists() {
	byMode := func(a, b criterion) int { return cmp.Or(cmp.Compare(a.Mode, b.Mode), cmp.Compare(a.Text, b.Text)) }
	e.Criteria = slices.Compact(sorted(e.Criteria, byMode))
	e.Assertions = slices.Compact(sorted(e.Assertions, cmp.Compare))
	e.Policies = slices.Compact(sorted(e.Policies, cmp.Compare))
	if m := e.Measured; m != nil {
		m.Facts, m.Forbidden = sorted(m.Facts, cmp.Compare), sorted(m.Forbidden, cmp.Compare)
		m.Allowed = slices.Compact(sorted(m.Allowed, cmp.Compare))
	}
	if e.Rubric != nil {
		r := *e.Rubric // judging keeps its own
		r.Criteria = sorted(r.Criteria, func(a, b Criterion) int { return cmp.Compare(a.Text, b.Text) })
		e.Rubric = &r
	}
}

// sorted returns a sorted copy of the list, or the list itself if there is nothing to sort.
func sorted[T any](list []T, compare func(a, b T) int) []T {
	if len(list) < 2 {
		return list
	}
	return slices.SortedFunc(slices.Values(list), compare)
}

// key returns the hash of e as JSON. The order of its fields is fixed, and maps are sorted.
func (e *expectationContent) key() Key { return keyOf(e) }

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
	// Strings, booleans, checked numbers, and slices and maps of them always marshal.
	return sha256.Sum256(text.Must(json.Marshal(value)))
}
