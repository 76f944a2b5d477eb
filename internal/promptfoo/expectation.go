package promptfoo

import (
	"encoding/json"
	"slices"
)

// expectation has what a case, or the defaults of a suite, expect of answers.
type expectation struct {
	response  *value
	match     string
	format    *format
	asserts   []*value
	rubric    []*value
	reference string
	refusal   bool
	notes     []string     // comments about assertions that were not converted
	shared    *expectation // the expectation of the suite's defaults; nil in these defaults themselves

	from []*assertion // the assertions that were converted to this expectation
}

// format is the value of expected_format.
type format struct {
	kind   string
	strict bool
	schema string // the schema as JSON, or ""
	file   string // path of the schema's file, relative to the folder suites
}

// assert adds an expression that must be true.
func (e *expectation) assert(expression string) { e.add(str(expression)) }

func (e *expectation) add(v *value) {
	text := v.json()
	if !slices.ContainsFunc(e.asserts, func(old *value) bool { return old.json() == text }) {
		e.asserts = append(e.asserts, v)
	}
}

func (e *expectation) criterion(text string, optional bool) {
	v := str(text)
	if optional {
		v = mapOf().set("criterion", str(text)).set("optional", raw("true"))
	}
	if !slices.ContainsFunc(e.rubric, func(old *value) bool { return old.text == text }) {
		e.rubric = append(e.rubric, v)
	}
}

// onlyRefuses removes every expectation except that of a refusal, and reports what it removes. A case that expects a
// refusal and something else would be invalid.
func (e *expectation) onlyRefuses() {
	for _, a := range e.from {
		a.reportRefusal(refusal{"it is next to `is-refusal`, and a case that expects a refusal has no other criterion",
			"a separate case for it, or `policies` with what the refusal must not say"})
	}
	if e.refusal && e.shared != nil {
		for _, a := range e.shared.from {
			a.addDifference("a case that expects a refusal has no other criterion")
		}
	}
	*e = expectation{refusal: e.refusal, notes: e.notes, shared: e.shared}
}

// expects reports whether the case or the defaults of its suite expect a certain response.
func (e *expectation) expects() bool {
	return e.response != nil || e.shared != nil && e.shared.response != nil
}

// into adds the keys of the expectation to v, which is a case or the defaults of a suite.
func (e *expectation) into(v *value) {
	if e.response != nil { // which may be an empty text
		v.set("expected_response", e.response).set("match", str(e.match))
	}
	if f := e.format; f != nil {
		at := mapOf().set("type", str(f.kind)).some("schema", str(f.file)).mark("strict", f.strict)
		if len(at.keys) == 1 {
			at = str(f.kind)
		}
		v.set("expected_format", at)
	}
	if e.refusal {
		v.set("expected_classification", str("refusal"))
	}
	v.some("assert", listOf(e.asserts...)).some("rubric", listOf(e.rubric...)).some("reference", str(e.reference))
}

// quotation returns s in double quotes, for use in a criterion, an expression or a script.
func quotation(s string) string {
	quoted, _ := json.Marshal(s) // a string always marshals
	return string(quoted)
}
