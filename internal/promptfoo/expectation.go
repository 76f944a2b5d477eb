package promptfoo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/text"
)

// expectation is what a case, or the defaults of a suite, expect.
type expectation struct {
	response  *value
	match     string
	format    *format
	asserts   []*value
	rubric    []*value
	reference string
	refusal   bool
	notes     []string // comments on what a person has to write
	shared    *expectation

	from []assertion // that became criteria
}

// format is the form that an answer must have.
type format struct {
	kind   string
	strict bool
	schema string // JSON; "" for none
	file   string // that holds it, from the suites' folder
}

func (e *expectation) assert(expression string) { e.add(str(expression)) }

// form adds an assertion by its name.
func (e *expectation) form(name string, v *value) { e.add(mapOf().set(name, v)) }

func (e *expectation) add(v *value) {
	text := string(v.json(nil))
	if !slices.ContainsFunc(e.asserts, func(old *value) bool { return string(old.json(nil)) == text }) {
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

// onlyRefuses takes the criteria from an answer that is to be a refusal: one that refuses meets no other here, and a suite that asks for both is none.
func (e *expectation) onlyRefuses() {
	for _, a := range e.from {
		_ = a.todo("it stands beside `is-refusal`, and a case that expects a refusal has no other criterion",
			"a case of its own for it, or in `policies` what the refusal may not say")
	}
	if e.refusal && e.shared != nil {
		for _, a := range e.shared.from {
			a.differs("it does not hold for a case that expects a refusal, which has no other criterion")
		}
	}
	*e = expectation{refusal: e.refusal, notes: e.notes, shared: e.shared}
}

// expects reports that a response stands here or in what is shared.
func (e *expectation) expects() bool {
	return e.response != nil || e.shared != nil && e.shared.response != nil
}

// into writes what is expected into a case, or the defaults.
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
	v.some("assert", linesOf(e.asserts...)).some("rubric", linesOf(e.rubric...)).some("reference", str(e.reference))
}

type assertion struct {
	*importer
	n         node // where it stands
	kind      string
	negative  bool
	value     node
	threshold node
	optional  bool // it weighs nothing
	subject   said
	partial   bool // subject is a part of the answer
	with      *context
	to        *expectation
}

// context is what an assertion is read in.
type context struct {
	vars   map[string]string // of the case; nil in what is shared by all
	always map[string]bool   // set in all cases
	tools  bool              // answers may be calls
}

// notTaken is panicked with where nothing becomes of an assertion, which is told by then; untaken is deferred where it begins.
type notTaken struct{}

func untaken() {
	if v := recover(); v != nil && v != (notTaken{}) {
		panic(v)
	}
}

// todo tells that nothing becomes of an assertion, and says so in the file too. Its callers panic with what it returns.
func (a *assertion) todo(why, instead string) notTaken {
	name := a.called()
	a.lost(a.n, "`"+name+"`", why, instead)
	note := document.Line(fmt.Sprintf("promptfoo's %s at %s is not taken over: %s", name, a.n.Pos.In(a.n.path), strings.ReplaceAll(why, "`", "")))
	if !slices.Contains(a.to.notes, note) {
		a.to.notes = append(a.to.notes, note)
	}
	return notTaken{}
}

// require ends the taking over of an assertion that is not as it has to be.
func (a *assertion) require(ok bool, why, instead string) {
	if !ok {
		panic(a.todo(why, instead))
	}
}

func (a *assertion) differs(why string) { a.changed(a.n, "`"+a.called()+"`", why, "") }

// called is its type as promptfoo writes it.
func (a *assertion) called() string {
	if a.negative {
		return "not-" + a.kind
	}
	return a.kind
}

// filled is a text of the assertion with its variables filled in.
func (a *assertion) filled(text string) string {
	if !hasMarks(text) {
		return text
	}
	t := parseTemplate(text)
	a.require(t.problem == "", t.problem, t.instead)
	return t.fill(a.with.vars)
}

// words are the texts of a list, which may stand in a file, or of a text with commas between them.
func (a *assertion) words() (out []string) {
	if strings.HasPrefix(a.value.text(), "file://") {
		if a.value = a.fromFile(a.value, document.Quote(a.value.Text)); a.value.missing() {
			panic(notTaken{})
		}
	}
	if a.value.isText() {
		out = parted(a.filled(a.value.Text))
	} else {
		for _, item := range a.value.items() {
			a.require(item.isScalar(), "its value is no list of texts", "")
			if text := a.filled(item.Text); text != "" && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	a.require(len(out) > 0, "it has no value", "")
	return out
}

// parted is a text with commas between its parts, which may stand in quotes.
func parted(text string) (out []string) {
	var cell strings.Builder
	quoted := false
	for _, r := range text + "," {
		switch {
		case r == '"':
			quoted = !quoted
		case r == ',' && !quoted:
			if part := strings.TrimSpace(cell.String()); part != "" {
				out = append(out, part)
			}
			cell.Reset()
		default:
			cell.WriteRune(r)
		}
	}
	return out
}

// scalar is the one text that an assertion takes.
func (a *assertion) scalar() string {
	a.require(a.value.isScalar(), "it has no text as its value", "")
	text := a.value.Text
	if strings.HasPrefix(text, "file://") {
		full, why := under(a.dir, text)
		if why == "" && codeFile.MatchString(text) {
			why = "its value is what a program gives, and nothing runs here"
		}
		a.require(why == "", why, "")
		var ok bool
		if text, ok = a.readText(full, a.value); !ok {
			panic(notTaken{})
		}
		text = strings.TrimSpace(text)
	}
	text = a.filled(text)
	a.require(text != "", "its value is empty", "")
	return text
}

// variable is the variable that is all of an assertion's value, where it is read for all cases and each has it.
func (a *assertion) variable() (string, bool) {
	if a.with.vars != nil || !a.value.isText() {
		return "", false
	}
	t := parseTemplate(a.value.Text)
	if t.problem != "" || len(t.vars) != 1 || t.text != "{{ "+t.vars[0]+" }}" || !a.with.always[t.vars[0]] {
		return "", false
	}
	return "vars." + t.vars[0], true
}

func (a *assertion) held(expression said) {
	if a.negative {
		expression = negated(expression)
	}
	a.to.assert(expression.text)
}

func (a *assertion) name(form string) string {
	if a.negative {
		return "not_" + form
	}
	return form
}

// graded adds a criterion for the judge.
func (a *assertion) graded(criterion string) {
	a.require(len(criterion) <= 4000 && !strings.Contains(criterion, "{{"), "a criterion has 4000 bytes at most, and no `{{`", "several criteria")
	if a.negative {
		criterion = "This is not so: " + criterion
	}
	if t := a.threshold; !t.missing() {
		a.changed(t, "`threshold` of `"+a.kind+"`", "the judge says met or not met, and gives no score", "")
	}
	if a.partial {
		a.differs("the judge is shown the whole answer, not what the transform takes of it")
	}
	a.to.criterion(criterion, a.optional)
}

// quotation is a text as a criterion or message holds it.
func quotation(s string) string { return string(text.AppendJSON(nil, strings.TrimSpace(s))) }
