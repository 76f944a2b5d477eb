package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"github.com/failproof/failproof/internal/expect"
)

// judgedBy has all that decides how a case is judged, with defaults filled in. Its hash shows whether that changed. It
// has no prompt, target, id, description, severity, tag or category. Redefined compares must_pass itself. Policies are
// hashed by name, because one configuration defines them for both sides.
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
	Strategy      string            `json:"strategy,omitempty"` // only if there is something to measure
	Measured      *measuredBy       `json:"measured,omitempty"`
	Rubric        *Rubric           `json:"rubric,omitempty"`
	Policies      []string          `json:"policies,omitempty"` // the case's own, sorted
	CaseThreshold *float64          `json:"case_threshold,omitempty"`
	ExpectsFail   bool              `json:"expects_fail,omitempty"`
	WantsRefusal  bool              `json:"wants_refusal,omitempty"` // of a probe

	schema string // the JSON Schema of Format, on one line; "" for none
}

// input is the case's own input: its variables, and its turns, the user and assistant messages in the suite file. All
// else is the prompt: system messages, messages read from a file, prompt files of GitHub Models, the suite's messages
// around a case's own, and the prompt of a FailProof case. Prompts are in the request key alone. A changed prompt is
// therefore compared, and does not make its case redefined.
type input struct {
	Vars  map[string]string `json:"vars,omitempty"`
	Turns []turn            `json:"turns,omitempty"`
}

// turn is a user or assistant message of a case, before its variables are filled in.
type turn struct {
	Role string `json:"role"`
	Text string `json:"text"` // with variables not filled in
}

// measuredBy holds the texts with which metrics compare an answer, without the label.
type measuredBy struct {
	Reference string   `json:"reference,omitempty"` // if expected_response is no criterion
	Facts     []string `json:"key_facts,omitempty"`
	Forbidden []string `json:"forbidden_claims,omitempty"`
	Allowed   []string `json:"allowed_terms,omitempty"`
	Grounding bool     `json:"grounding,omitempty"`
	Otherwise bool     `json:"otherwise,omitempty"` // the label is none of the labels
}

// criterion is an expected text with its mode of comparison.
type criterion struct {
	Mode string `json:"mode"`
	Text string `json:"text"`
}

// formatKey is an expected_format as it is hashed.
type formatKey struct {
	Type    string `json:"type"`
	Strict  bool   `json:"strict,omitempty"`
	Pattern string `json:"pattern,omitempty"`
	Schema  string `json:"schema,omitempty"` // SHA-256 of the schema's value
}

// Key is a SHA-256; equal keys mean equal content. The zero Key is none.
type Key [sha256.Size]byte

// String returns the key in lower-case hex.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// copy copies the parts of a case's judging that are hashed as written.
func (j *judgedBy) copy(from *Judging) {
	j.Expected, j.Rubric, j.CaseThreshold, j.ExpectsFail = from.Expected, from.Rubric, from.CaseThreshold, from.AgreesWithFail
	j.WantsRefusal = from.Probe != nil && from.Probe.WantsRefusal
	for _, a := range from.Expect.Assertions {
		j.Assertions = append(j.Assertions, a.String())
	}
}

// key returns the key of j as JSON, which has a fixed field order and sorted maps.
func (j judgedBy) key() Key {
	j.Policies = slices.Compact(slices.Sorted(slices.Values(j.Policies)))
	return keyOf(j)
}

// Redefined reports whether a case is judged differently on the head than on the base. Losing the must-pass mark
// redefines a case; gaining it does not.
func Redefined(base, head *Case) bool {
	return base.MustPass && !head.MustPass || base.Keys().ExpectationKey != head.Keys().ExpectationKey
}

// Alike reports whether a case has the same request on both sides and is judged in the same way. A difference in an
// unread variable counts. Both cases need their Body; see Open.
func Alike(base, head *Case) bool {
	return base.like == nil && head.like == nil && base.Keys() == head.Keys() && slices.EqualFunc(base.Policies, head.Policies, (*expect.Policy).Is)
}

// hash returns the SHA-256, in lower-case hex, of a value as JSON.
func hash(value any) string { return keyOf(value).String() }

// keyOf returns the key of a value as JSON.
func keyOf(value any) Key {
	body, err := json.Marshal(value)
	if err != nil {
		// Strings, booleans, checked numbers, and slices and maps of them always marshal.
		panic("suite: key: " + err.Error())
	}
	return sha256.Sum256(body)
}
