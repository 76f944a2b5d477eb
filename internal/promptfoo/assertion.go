package promptfoo

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/text"
)

// assertion is an assertion of promptfoo that is being converted.
type assertion struct {
	im        *importer
	expect    *expectation // to which the result is added
	origin    node
	name      string // its type as promptfoo writes it, such as not-contains
	kind      string // its type without the prefix not-, such as contains
	negative  bool
	value     node
	threshold node
	transform transform // without code if the whole answer is judged
}

// flatten returns the assertions in all that can fail a test. In place of a set whose assertions must all pass, it
// returns these.
func flatten(all []node) (out []node) {
	for _, n := range all {
		n = resolve(n)
		name, share := n.get("type").text(), n.get("threshold").text()
		weight, weighted := n.get("weight").AsNumber()
		switch {
		case n.isMissing():
		case weighted && weight == 0:
			addFinding(LeftOut, n, "`"+name+"`", "its weight is 0, so it never fails a test")
		case name == "assert-set" && (share == "" || share == "1"):
			handleKeys(n, "of an assertion", handlers{"type": nil, "threshold": nil, "assert": func(n node) {
				out = append(out, flatten(n.items())...)
			}})
		default:
			out = append(out, n)
		}
	}
	return out
}

// convertAll converts the assertions in all and adds the results to expect. A case that expects a refusal expects
// nothing else.
func (im *importer) convertAll(all []node, expect *expectation) {
	for _, ofRefusals := range []bool{true, false} {
		for _, n := range all {
			a := &assertion{im: im, expect: expect, origin: n, transform: expect.transform}
			a.name = cmp.Or(n.get("type").text(), "assertion")
			a.kind, a.negative = strings.CutPrefix(a.name, "not-")
			if ofRefusals == (a.name == "is-refusal") {
				a.reportError(a.convert())
			}
		}
	}
}

// reportError reports err, a conversionError or nil, in a finding and in a comment of the suite.
func (a *assertion) reportError(err error) {
	if err == nil {
		return
	}
	addError(a.origin, "`"+a.name+"`", err)
	note := document.Line("promptfoo's " + a.name + " at " + a.origin.Pos.WithPath(a.origin.path) + " is not converted: " +
		strings.ReplaceAll(err.Error(), "`", ""))
	if !slices.Contains(a.expect.notes, note) {
		a.expect.notes = append(a.expect.notes, note)
	}
}

func (a *assertion) convert() error {
	k, known := kinds[a.kind]
	switch why := unconvertedKinds[a.kind]; {
	case a.origin.get("type").isMissing():
		return because("it is not a map with a `type`")
	case why != (conversionError{}):
		return why
	case !known:
		instead := "an expression, or a criterion of `rubric`"
		if like, ok := text.Suggest(a.kind, slices.Sorted(maps.Keys(kinds))); ok {
			instead = "`" + like + "`, if that was meant"
		}
		return because("failproof has no equivalent of this assertion type", instead)
	case a.name != "is-refusal" && (a.expect.expectsRefusal || a.expect.defaults.expectsRefusal):
		return because("it is next to `is-refusal`, and a case that expects a refusal has no other criterion",
			"a separate case for it, or `policies` with what the refusal must not say")
	}
	handleKeys(a.origin, "of an assertion", handlers{
		"type": nil, "value": storeIn(&a.value), "threshold": storeIn(&a.threshold),
		"transform": func(n node) { a.transform = parseTransform(n) }, "provider": a.im.targets.readGrader,
	})
	if err := a.transform.err; err != nil {
		return because("its transform cannot run: "+err.Error(), "JavaScript that stands in the configuration")
	}
	if a.transform.code != "" && k.part != "" {
		return a.convertPart(k.part)
	} else if k.convert != nil {
		return k.convert(a)
	}
	want, err := a.texts()
	if err != nil {
		return err
	}
	return k.compare(a, want)
}

// usesVariables reports whether n, the value of an assertion of defaultTest, or the file that it names, contains
// variables, so that each case needs its own assertion.
func usesVariables(n node) bool {
	if n.namesFile() && !codeFile.MatchString(n.Text) {
		text, _ := textOf(n) // the conversion reports the error
		return hasPlaceholders(text)
	}
	return hasPlaceholders(jsonOf(n.Node))
}

// addDifference reports that the conversion of the assertion behaves differently, and why.
func (a *assertion) addDifference(why string) {
	addFinding(Changed, a.origin, "`"+a.name+"`", why)
}

// addExpression adds an expression to the result. If the assertion is negative, it adds the opposite.
func (a *assertion) addExpression(expression string) {
	if a.negative {
		expression = "not (" + expression + ")"
	}
	a.expect.add(str(expression))
}

// addNamed adds the assertion of failproof with the given name and value to the result. If a is negative, it adds the
// opposite.
func (a *assertion) addNamed(name string, v *value) {
	if a.negative {
		name = "not_" + name
	}
	a.expect.add(mapOf().set(name, v))
}

// fillText returns text with the values of vars in place of its variables. It fails for any other placeholder.
func fillText(text string, vars map[string]string) (string, error) {
	if !hasPlaceholders(text) {
		return text, nil
	}
	t, err := parseTemplate(text)
	return t.fill(vars), err
}

// scalar returns the value of the assertion as one text, or the text of the file that the value names.
func (a *assertion) scalar() (string, error) {
	if !a.value.isScalar() {
		return "", because("it has no text as its value")
	}
	text, err := textOf(a.value)
	if err == nil {
		text, err = fillText(text, a.expect.vars)
	}
	if err == nil && text == "" {
		err = because("its value is empty")
	}
	return text, err
}

// texts returns the value of the assertion: a text or, if it looks for any or all of several texts, a list of them. The
// source of a list is a list, a file with a list, or a text with commas.
func (a *assertion) texts() (*value, error) {
	if !strings.HasSuffix(a.kind, "-any") && !strings.HasSuffix(a.kind, "-all") {
		text, err := a.scalar()
		return str(text), err
	}
	var words []string
	list := contentOf(a.value)
	for _, item := range list.items() {
		if !item.isScalar() {
			return nil, because("its value is not a list of texts")
		}
		text, err := fillText(item.Text, a.expect.vars)
		if err != nil {
			return nil, err
		}
		parts := []string{text}
		if list.isText() {
			parts = splitList(text)
		}
		words = append(words, slices.DeleteFunc(parts, func(part string) bool { return part == "" })...)
	}
	if len(words) == 0 {
		return nil, because("it has no value")
	}
	return textList(words), nil
}

// splitList returns the parts of a text between its commas. Commas within double quotes separate nothing.
func splitList(text string) (out []string) {
	parts := strings.Split(text, `"`)
	for i := 1; i < len(parts); i += 2 {
		parts[i] = strings.ReplaceAll(parts[i], ",", "\x00")
	}
	for part := range strings.SplitSeq(strings.Join(parts, ""), ",") {
		out = append(out, strings.ReplaceAll(strings.TrimSpace(part), "\x00", ","))
	}
	return out
}

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
	defaults       *expectation // the expectation of the suite's defaults; empty in these defaults themselves

	// These decide on the meaning of assertions.
	vars      map[string]string // nil for the defaults of a suite
	hasTools  bool              // whether answers may be tool calls
	transform transform
}

// format is the value of expected_format.
type format struct {
	kind   string
	strict bool
	schema string // the schema as JSON, or ""
	file   string // path of the schema's file, relative to the folder suites
}

// add adds v, an assertion of failproof, unless it is there already.
func (e *expectation) add(v *value) {
	text := v.json()
	if !slices.ContainsFunc(e.asserts, func(old *value) bool { return old.json() == text }) {
		e.asserts = append(e.asserts, v)
	}
}

// hasResponse reports whether the case or the defaults of its suite expect a certain response.
func (e *expectation) hasResponse() bool { return e.response != nil || e.defaults.response != nil }

// writeTo adds the keys of the expectation to v, which is a case or the defaults of a suite.
func (e *expectation) writeTo(v *value) {
	if e.response != nil { // which may be an empty text
		v.set("expected_response", e.response).set("match", str(e.match))
	}
	if f := e.format; f != nil {
		v.set("expected_format", mapOf().set("type", str(f.kind)).setNonEmpty("schema", str(f.file)).
			setTrue("strict", f.strict))
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
