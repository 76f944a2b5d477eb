package promptfoo

import (
	"encoding/json"
	"slices"
)

// expectation has what a case, or the defaults of a suite, expect of answers.
type expectation struct {
	response       *value
	match          string
	format         *format
	asserts        []*value
	rubric         []*value
	reference      string
	expectsRefusal bool
	notes          []string     // comments about assertions that were not converted
	defaults       *expectation // the expectation of the suite's defaults; nil in these defaults themselves

	assertions []*assertion // the assertions that were converted to this expectation
}

// format is the value of expected_format.
type format struct {
	kind   string
	strict bool
	schema string // the schema as JSON, or ""
	file   string // path of the schema's file, relative to the folder suites
}

// addExpression adds an expression that must be true.
func (e *expectation) addExpression(expression string) { e.add(str(expression)) }

func (e *expectation) add(v *value) {
	text := v.json()
	if !slices.ContainsFunc(e.asserts, func(old *value) bool { return old.json() == text }) {
		e.asserts = append(e.asserts, v)
	}
}

func (e *expectation) addCriterion(text string, optional bool) {
	v := str(text)
	if optional {
		v = mapOf().set("criterion", str(text)).set("optional", literal("true"))
	}
	if !slices.ContainsFunc(e.rubric, func(old *value) bool { return old.text == text }) {
		e.rubric = append(e.rubric, v)
	}
}

// keepOnlyRefusal removes every expectation except that of a refusal, and reports what it removes. A case that expects
// a refusal and something else would be invalid.
func (e *expectation) keepOnlyRefusal() {
	for _, a := range e.assertions {
		a.reportError(conversionError{"it is next to `is-refusal`, and a case that expects a refusal has no other criterion",
			"a separate case for it, or `policies` with what the refusal must not say"})
	}
	if e.expectsRefusal && e.defaults != nil {
		for _, a := range e.defaults.assertions {
			a.addDifference("a case that expects a refusal has no other criterion")
		}
	}
	*e = expectation{expectsRefusal: e.expectsRefusal, notes: e.notes, defaults: e.defaults}
}

// hasResponse reports whether the case or the defaults of its suite expect a certain response.
func (e *expectation) hasResponse() bool {
	return e.response != nil || e.defaults != nil && e.defaults.response != nil
}

// writeTo adds the keys of the expectation to v, which is a case or the defaults of a suite.
func (e *expectation) writeTo(v *value) {
	if e.response != nil { // which may be an empty text
		v.set("expected_response", e.response).set("match", str(e.match))
	}
	if f := e.format; f != nil {
		formatValue := mapOf().set("type", str(f.kind)).setNonEmpty("schema", str(f.file)).setTrue("strict", f.strict)
		if len(formatValue.keys) == 1 {
			formatValue = str(f.kind)
		}
		v.set("expected_format", formatValue)
	}
	if e.expectsRefusal {
		v.set("expected_classification", str("refusal"))
	}
	v.setNonEmpty("assert", listOf(e.asserts...)).setNonEmpty("rubric", listOf(e.rubric...)).setNonEmpty("reference",
		str(e.reference))
}

// quotation returns s in double quotes, for use in a criterion, an expression or a script.
func quotation(s string) string {
	quoted, _ := json.Marshal(s) // a string always marshals
	return string(quoted)
}
