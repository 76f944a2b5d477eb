package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"github.com/failproof/failproof/internal/expect"
)

// judgedBy is everything that judges a case, besides its prompt and target, in the form that is hashed. Values are
// effective ones, with defaults filled in, so that writing a default changes no key. Ids, description, severity, tags
// and category are no part of it, and must_pass is compared apart: see Redefined. A policy enters by its name, whose
// meaning is the configuration's, and the same for both sides.
type judgedBy struct {
	input
	Criteria      []criterion       `json:"criteria,omitempty"`
	Format        *formatKey        `json:"format,omitempty"`
	Expected      string            `json:"expected_classification,omitempty"`
	Assertions    []string          `json:"assert,omitempty"`
	Tools         string            `json:"expected_tools,omitempty"`
	Label         string            `json:"expected_label,omitempty"`
	Labels        []string          `json:"labels,omitempty"`
	LabelIn       map[string]string `json:"label_in,omitempty"`
	Strategy      string            `json:"strategy,omitempty"` // only where there is something that it measures
	Measured      *measuredBy       `json:"measured,omitempty"`
	Rubric        *Rubric           `json:"rubric,omitempty"`
	Policies      []string          `json:"policies,omitempty"` // the case's own, sorted
	CaseThreshold *float64          `json:"case_threshold,omitempty"`
	ExpectsFail   bool              `json:"expects_fail,omitempty"`
	WantsRefusal  bool              `json:"wants_refusal,omitempty"` // of a probe

	schema string // the JSON Schema of Format, on one line; "" for none
}

// input is what a case itself asks, whatever the prompt around it. Of its `messages` that is the turns of user and
// assistant. System turns are the prompt, and so are turns read from a file, prompt files of GitHub Models, and what
// the suite says around a case's part. The prompt of a FailProof case is in the file of cases, but it is the candidate
// and not the input. A prompt enters the request key alone, so that a changed one is compared rather than called
// redefined.
type input struct {
	Vars  map[string]string `json:"vars,omitempty"`
	Turns []turn            `json:"turns,omitempty"`
}

type turn struct {
	Role string `json:"role"`
	Text string `json:"text"` // before its variables are filled in
}

// measuredBy is what metrics are taken by, beside the label.
type measuredBy struct {
	Reference string   `json:"reference,omitempty"` // where expected_response is no criterion
	Facts     []string `json:"key_facts,omitempty"`
	Forbidden []string `json:"forbidden_claims,omitempty"`
	Allowed   []string `json:"allowed_terms,omitempty"`
	Grounding bool     `json:"grounding,omitempty"`
	Otherwise bool     `json:"otherwise,omitempty"` // the label is none of the labels
}

// criterion is an expected text and how it is compared.
type criterion struct {
	Mode string `json:"mode"`
	Text string `json:"text"`
}

type formatKey struct {
	Type    string `json:"type"`
	Strict  bool   `json:"strict,omitempty"`
	Pattern string `json:"pattern,omitempty"`
	Schema  string `json:"schema,omitempty"` // SHA-256 of the schema's value
}

// Key is a SHA-256; equal keys mean equal content. The zero Key is none.
type Key [sha256.Size]byte

// String is the key in lower-case hex, as files have it.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// copy takes over what a case's judging holds as it was written.
func (j *judgedBy) copy(from *Judging) {
	j.Expected, j.Rubric, j.CaseThreshold, j.ExpectsFail = from.Expected, from.Rubric, from.CaseThreshold, from.AgreesWithFail
	j.WantsRefusal = from.Probe != nil && from.Probe.WantsRefusal
	for _, a := range from.Expect.Assertions {
		j.Assertions = append(j.Assertions, a.String())
	}
}

// key is of j as JSON: field order is fixed and maps are sorted.
func (j judgedBy) key() Key {
	j.Policies = slices.Compact(slices.Sorted(slices.Values(j.Policies)))
	return keyOf(j)
}

// Redefined reports whether a case is judged by something else on the head than on the base. Becoming must-pass does
// not redefine it, and losing the mark does.
func Redefined(base, head *Case) bool {
	return base.MustPass && !head.MustPass || base.Keys().ExpectationKey != head.Keys().ExpectationKey
}

// Alike reports whether both sides ask a case alike and judge its answers by the same, variables that nobody reads
// included. Both are opened.
func Alike(base, head *Case) bool {
	return base.like == nil && head.like == nil && base.Keys() == head.Keys() && slices.EqualFunc(base.Policies, head.Policies, (*expect.Policy).Is)
}

// hash is the SHA-256, in lower-case hex, of a value as JSON.
func hash(value any) string { return keyOf(value).String() }

// keyOf is the key of a value as JSON.
func keyOf(value any) Key {
	body, err := json.Marshal(value)
	if err != nil {
		// Strings, booleans, checked numbers, and slices and maps of them always marshal.
		panic("suite: key: " + err.Error())
	}
	return sha256.Sum256(body)
}
