package promptfoo

import (
	"cmp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// known is what becomes of assertions of a type; nil for one that has no counterpart.
func known(kind string) func(a *assertion) {
	for _, group := range []map[string]func(a *assertion){textKinds, judgedKinds, formKinds, codeKinds} {
		if do := group[kind]; do != nil {
			return do
		}
	}
	return nil
}

// assertion takes over one that is written as a map.
func (im *importer) assertion(n node, subject node, with *context, to *expectation) {
	defer untaken()
	n = im.resolve(n)
	if n.missing() {
		return
	}
	a := &assertion{importer: im, n: n, with: with, to: to}
	switch a.setKind(cmp.Or(n.get("type").text(), "assertion")); {
	case n.get("type").missing():
		panic(a.todo("it is no map with a `type`", ""))
	case a.kind == "assert-set":
		im.assertionSet(a, subject)
		return
	}
	im.keys(n, "of an assertion", handlers{
		"type": nil, "value": keep(&a.value), "threshold": keep(&a.threshold),
		"weight": a.weigh, "metric": im.leave("`metric`", "a metric of one's own name adds assertions up, and judges nothing"),
		"transform": keep(&subject),
		"provider":  im.grader,
		"config": func(n node) {
			if a.kind != "javascript" && a.kind != "python" { // which are told themselves
				im.lost(n, "`config` of an assertion", "it has no counterpart here", "")
			}
		},
		"rubricPrompt":     im.todo("`rubricPrompt`", "the judge's question is failproof's own, in which no answer can leave its block", "criteria that say what the prompt asks for, in `rubric`"),
		"contextTransform": im.todo("`contextTransform`", "it is code", "the context as a variable, which the judge is shown"),
	})
	a.run(subject)
}

func (a *assertion) setKind(kind string) {
	a.kind = kind
	if rest, ok := strings.CutPrefix(kind, "not-"); ok && kind != "not-empty" {
		a.kind, a.negative = rest, true
	}
}

// weigh heeds a weight: 0 never fails a test.
func (a *assertion) weigh(n node) {
	if n.text() == "0" {
		a.optional = true
		a.changed(n, "`weight: 0`", "a criterion of the judge's is optional then, and any other assertion is left out", "")
		return
	}
	a.left(n, "`weight`", "every assertion decides for itself")
}

// run takes the assertion over.
func (a *assertion) run(subject node) {
	do := known(a.kind)
	switch {
	case do == nil && otherKinds[a.kind] != [2]string{}:
		panic(a.todo(otherKinds[a.kind][0], otherKinds[a.kind][1]))
	case do == nil:
		panic(a.todo("promptfoo's assertions of this type have no counterpart here", "an expression, or a criterion of `rubric`"))
	case a.optional && judgedKinds[a.kind] == nil:
		return
	case a.with.vars == nil && hasMarks(a.value.text()) && !a.fillsByVariable():
		panic(a.todo("it depends on the case, and is referred to from what holds for all", "the assertion in each case"))
	}
	var err error
	if a.subject, a.partial, err = subjectOf(subject, a.with.tools); err != nil {
		panic(a.todo("its transform is code that cannot be translated: "+err.Error(), "an expression over `response.text` or `response.json`"))
	}
	if do(a); a.kind != "is-refusal" {
		a.to.from = append(a.to.from, *a)
	}
}

// subjectOf is what a transform makes assertions look at, and whether that is a part of the answer alone.
func subjectOf(transform node, tools bool) (said, bool, error) {
	if transform.missing() {
		return said{"response.text", isText, 0}, false, nil
	}
	out, err := translator{tools: tools}.value(transform.text())
	if out.text == "trim(response.text)" { // white space around an answer counts for nothing
		out.text = "response.text"
	}
	return out, out.text != "response.text", err
}

// fillsByVariable reports an assertion that may name its variable in an expression.
func (a *assertion) fillsByVariable() bool {
	_, ok := a.variable()
	return ok && slices.Contains([]string{"equals", "contains", "icontains", "starts-with"}, a.kind)
}

// byCase reports an assertion of defaultTest that has to stand in each case, because its text depends on the case.
func (im *importer) byCase(n node, always map[string]bool) bool {
	n = im.resolve(n)
	a := &assertion{importer: im, n: n, value: n.get("value"), with: &context{always: always}}
	a.setKind(n.get("type").text())
	return holdsMarks(a.value.Node) && !a.fillsByVariable() || holdsMarks(n.Get("assert"))
}

// holdsMarks reports a text in n that promptfoo fills in; in a program there is none.
func holdsMarks(n *document.Node) bool {
	return n != nil && (n.Kind == document.String && hasMarks(n.Text) || slices.ContainsFunc(n.Values, holdsMarks) || slices.ContainsFunc(n.List(), holdsMarks))
}

// assertionSet takes over a set, of which all must hold, or a share.
func (im *importer) assertionSet(a *assertion, subject node) {
	var members []node
	im.keys(a.n, "of an assertion", handlers{
		"type": nil, "assert": func(n node) { members = n.items() }, "threshold": keep(&a.threshold),
		"weight": a.weigh, "metric": im.leave("`metric`", "a metric of one's own name adds assertions up, and judges nothing"),
		"config": im.todo("`config` of a set of assertions", "it has no counterpart here", ""),
	})
	share := a.threshold.text()
	if share == "" || share == "1" || share == "1.0" {
		for _, m := range members {
			im.assertion(m, subject, a.with, a.to)
		}
		return
	}
	one := &expectation{}
	before := len(im.findings)
	for _, m := range members {
		im.assertion(m, subject, a.with, one)
	}
	lost := slices.ContainsFunc(im.findings[before:], func(f Finding) bool { return f.Level == Lost })
	any, ok := anyOf(one)
	if value, known := decimal(share); !lost && ok && known && value > 0 && value*float64(len(members)) <= 1.0001 {
		a.to.assert(any)
		return
	}
	im.findings = im.findings[:before]
	panic(a.todo("a share of its assertions is enough there, and every assertion decides here", "one expression with `or`, or a criterion of `rubric` that says what is enough"))
}

// anyOf is one expression that holds where one of the assertions does.
func anyOf(e *expectation) (string, bool) {
	if e.response != nil || e.format != nil || len(e.rubric) > 0 || e.refusal || len(e.asserts) == 0 {
		return "", false
	}
	any := said{"false", isBool, 0}
	for _, v := range e.asserts {
		one, ok := said{v.text, isBool, 3}, true
		if v.kind == document.Map {
			one, ok = formAsExpression(v.keys[0], v.items[0])
		}
		if !ok {
			return "", false
		}
		any = either(any, one)
	}
	return any.text, true
}

func formAsExpression(form string, v *value) (said, bool) {
	positive, negative := strings.CutPrefix(form, "not_")
	if formExpressions[positive] == "" || v.kind == document.List {
		return said{}, false
	}
	text := v.text
	if positive == "icontains" {
		text = strings.ToLower(text)
	}
	out := formExpression(positive, "response.text", exprText(text))
	if negative {
		out = negated(out)
	}
	return out, true
}
