package promptfoo

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/text"
)

// assertion is one of promptfoo's assertions, and where it stands.
type assertion struct {
	context
	im        *importer
	to        *expectation
	from      node
	kind      string // without not-
	negative  bool
	value     node
	threshold node
	transform node   // what takes the part of an answer that it looks at
	part      string // the same, as JavaScript; "": it looks at all of the answer
	optional  bool   // it weighs nothing
}

// context is what the conversion of an assertion depends on beside its text.
type context struct {
	vars  map[string]string // of the case; nil in what is shared by all
	tools bool              // answers may be calls
}

// refusal is the reason why an assertion cannot be converted, and the nearest alternative.
type refusal struct{ why, instead string }

func (r refusal) Error() string { return r.why }

// errReported says that an assertion cannot be converted and that a finding gives the reason.
var errReported = errors.New("reported")

// assertion converts an assertion that is written as a map.
func (im *importer) assertion(n, transform node, with context, to *expectation) {
	if n = im.src.resolve(n); n.missing() {
		return
	}
	a := &assertion{context: with, im: im, to: to, from: n, transform: transform}
	a.kind, a.negative = kindOf(cmp.Or(n.get("type").text(), "assertion"))
	a.reportRefusal(a.convert())
}

// reportRefusal reports an assertion that cannot be converted, also as a comment in the suite.
func (a *assertion) reportRefusal(err error) {
	why, is := errors.AsType[refusal](err)
	if !is {
		return
	}
	name := a.name()
	a.im.src.addToDo(a.from, "`"+name+"`", why.why, why.instead)
	note := document.Line(fmt.Sprintf("promptfoo's %s at %s is not converted: %s", name, a.from.Pos.In(a.from.path),
		strings.ReplaceAll(why.why, "`", "")))
	if !slices.Contains(a.to.notes, note) {
		a.to.notes = append(a.to.notes, note)
	}
}

// kindOf separates a type from its prefix not-.
func kindOf(name string) (kind string, negative bool) {
	if rest, ok := strings.CutPrefix(name, "not-"); ok && name != "not-empty" {
		return rest, true
	}
	return name, false
}

func (a *assertion) convert() error {
	switch {
	case a.from.get("type").missing():
		return refusal{"it is not a map with a `type`", ""}
	case a.kind == "assert-set":
		return a.convertSet()
	}
	a.readKeys()
	k, known := kinds[a.kind]
	switch {
	case !known:
		instead := "an expression, or a criterion of `rubric`"
		if like, ok := text.Suggest(a.kind, slices.Sorted(maps.Keys(kinds))); ok {
			instead = "`" + like + "`, if that was meant"
		}
		return refusal{"failproof has no equivalent of this assertion type", instead}
	case k.convert == nil:
		return refusal{k.why, k.instead}
	case a.optional && !k.judged:
		return nil
	}
	var err error
	if a.part, err = partOf(a.transform.text()); err != nil {
		return refusal{"its transform cannot run: " + err.Error(), "JavaScript that stands in the configuration"}
	}
	if err := k.convert(a); err != nil {
		return err
	}
	if a.kind != "is-refusal" {
		a.to.from = append(a.to.from, a)
	}
	return nil
}

func (a *assertion) readKeys() {
	a.im.src.keys(a.from, "of an assertion", handlers{
		"type": nil, "value": keep(&a.value), "threshold": keep(&a.threshold), "transform": keep(&a.transform),
		"weight": a.weigh, "metric": a.im.src.skip("`metric`", ownMetric), "provider": a.im.grader,
		"config": a.im.src.toDo("`config` of an assertion", "failproof has no equivalent",
			"its values in the script"),
		"rubricPrompt": a.im.src.toDo("`rubricPrompt`", ownQuestion, criteriaInstead),
		"contextTransform": a.im.src.toDo("`contextTransform`", "it is code",
			"the context as a variable, which the judge sees"),
	})
}

const (
	ownMetric       = "a custom metric only groups assertions; it does not affect pass or fail"
	ownQuestion     = "the judge's question is fixed, so that no answer can escape its block"
	criteriaInstead = "criteria that say what the prompt asks for, in `rubric`"
)

// weigh reads a weight. An assertion of weight 0 never fails a test.
func (a *assertion) weigh(n node) {
	if n.text() == "0" {
		a.optional = true
		a.im.src.addChange(n, "`weight: 0`",
			"a judge's criterion becomes optional, and any other assertion is dropped", "")
		return
	}
	a.im.src.addLeftOut(n, "`weight`", "every assertion must pass")
}

// byCase reports whether an assertion of defaultTest belongs in each case, because its text depends on the case.
func byCase(n node) bool {
	return holdsMarks(n.Get("value")) || holdsMarks(n.Get("assert"))
}

// holdsMarks reports whether n holds a text that promptfoo fills in.
func holdsMarks(n *document.Node) bool {
	return n != nil && (n.Kind == document.String && hasMarks(n.Text) || slices.ContainsFunc(n.Values, holdsMarks) ||
		slices.ContainsFunc(n.List(), holdsMarks))
}

// convertSet converts a set of assertions, all or a share of which must hold.
func (a *assertion) convertSet() error {
	var members []node
	src := a.im.src
	src.keys(a.from, "of an assertion", handlers{
		"type": nil, "assert": func(n node) { members = n.items() }, "threshold": keep(&a.threshold),
		"weight": a.weigh, "metric": src.skip("`metric`", ownMetric),
		"config": src.toDo("`config` of a set of assertions", "failproof has no equivalent", ""),
	})
	share := a.threshold.text()
	if share == "" || share == "1" || share == "1.0" {
		for _, m := range members {
			a.im.assertion(m, a.transform, a.context, a.to)
		}
		return nil
	}
	one := &expectation{}
	before := len(src.findings)
	for _, m := range members {
		a.im.assertion(m, a.transform, a.context, one)
	}
	lost := slices.ContainsFunc(src.findings[before:], func(f Finding) bool { return f.Level == ToDo })
	any, ok := anyOf(one)
	if least, known := decimal(share); !lost && ok && known && least > 0 && least*float64(len(members)) <= 1.0001 {
		a.to.assert(any)
		return nil
	}
	src.findings = src.findings[:before]
	return refusal{"there a share of its assertions is enough; here every assertion must pass",
		"one expression with `or`, or a criterion of `rubric` that says what is enough"}
}

// anyOf returns one expression that is true if any of the assertions is.
func anyOf(e *expectation) (string, bool) {
	if e.response != nil || e.format != nil || len(e.rubric) > 0 || e.refusal || len(e.asserts) == 0 {
		return "", false
	}
	var all []string
	for _, v := range e.asserts {
		one := v.text
		if v.kind == document.Map {
			form, negative := strings.CutPrefix(v.keys[0], "not_")
			if formExpressions[form] == "" || v.items[0].kind == document.List {
				return "", false
			}
			if one = strings.Replace(formExpressions[form], "#", exprText(v.items[0].text), 1); negative {
				one = "not (" + one + ")"
			}
		} else if strings.Contains(one, " or ") {
			one = "(" + one + ")"
		}
		all = append(all, one)
	}
	return strings.Join(all, " or "), true
}

// name returns an assertion's type as promptfoo writes it.
func (a *assertion) name() string {
	if a.negative {
		return "not-" + a.kind
	}
	return a.kind
}

// addDifference reports that the converted assertion means something slightly different.
func (a *assertion) addDifference(why string) { a.im.src.addChange(a.from, "`"+a.name()+"`", why, "") }

// addExpression adds an expression.
func (a *assertion) addExpression(expression string) {
	if a.negative {
		expression = "not (" + expression + ")"
	}
	a.to.assert(expression)
}

// form adds an assertion by the name that failproof has for it.
func (a *assertion) form(name string, v *value) {
	if a.negative {
		name = "not_" + name
	}
	a.to.add(mapOf().set(name, v))
}

// fillVariables fills the variables of the case into a text of the assertion.
func (a *assertion) fillVariables(text string) (string, error) {
	if !hasMarks(text) {
		return text, nil
	}
	t := parseTemplate(text)
	if t.problem != "" {
		return "", refusal{t.problem, t.instead}
	}
	return t.fill(a.vars), nil
}

// scalar returns the one text that an assertion takes.
func (a *assertion) scalar() (string, error) {
	if !a.value.isScalar() {
		return "", refusal{"it has no text as its value", ""}
	}
	text, err := a.im.src.textOf(a.value)
	if err == nil {
		text, err = a.fillVariables(text)
	}
	if err == nil && text == "" {
		err = refusal{"its value is empty", ""}
	}
	return text, err
}

// words returns the texts of a list, which may be a file, or of one text with commas.
func (a *assertion) words() (out []string, err error) {
	if strings.HasPrefix(a.value.text(), "file://") {
		if a.value = a.im.src.fromFile(a.value, document.Quote(a.value.Text)); a.value.missing() {
			return nil, errReported
		}
	}
	if a.value.isText() {
		text, err := a.fillVariables(a.value.Text)
		if err != nil {
			return nil, err
		}
		out = splitList(text)
	} else {
		for _, item := range a.value.items() {
			if !item.isScalar() {
				return nil, refusal{"its value is not a list of texts", ""}
			}
			text, err := a.fillVariables(item.Text)
			if err != nil {
				return nil, err
			}
			if text != "" && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	if len(out) == 0 {
		return nil, refusal{"it has no value", ""}
	}
	return out, nil
}

// splitList splits a text at its commas. A part may be in quotes.
func splitList(text string) (out []string) {
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
