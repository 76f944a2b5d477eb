package promptfoo

import (
	"cmp"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
)

// formKinds look at the form of an answer, and at what is told of it.
var formKinds = map[string]func(a *assertion){
	"is-json": func(a *assertion) { jsonForm(a, true) }, "contains-json": func(a *assertion) { jsonForm(a, false) },
	"is-xml": func(a *assertion) { xmlForm(a, true) }, "contains-xml": func(a *assertion) { xmlForm(a, false) },
	"is-refusal": refusal,
	"latency":    func(a *assertion) { atMost(a, "latency_ms") }, "cost": func(a *assertion) { atMost(a, "cost_usd") },
	"finish-reason":                 func(a *assertion) { a.held(said{"response.finish_reason == " + exprText(a.scalar()), isBool, 1}) },
	"is-valid-openai-tools-call":    calls,
	"is-valid-openai-function-call": calls,
	"is-valid-function-call":        calls,
	"tool-call-f1":                  toolNames,
}

// otherKinds are known and have no counterpart: why, and the nearest way.
var otherKinds = map[string][2]string{
	"levenshtein":             {"a distance in letters is not measured", "`match: exact`, `contains`, or a criterion of `rubric` that says what may differ"},
	"rouge-n":                 {"a share of words in common is not held to a bar", "`key_facts`, the facts that the answer should cover"},
	"bleu":                    {"a share of words in common is not held to a bar", "`key_facts`, the facts that the answer should cover"},
	"gleu":                    {"a share of words in common is not held to a bar", "`key_facts`, the facts that the answer should cover"},
	"meteor":                  {"a share of words in common is not held to a bar", "`key_facts`, the facts that the answer should cover"},
	"perplexity":              {"the probabilities of tokens are not asked for", ""},
	"perplexity-score":        {"the probabilities of tokens are not asked for", ""},
	"classifier":              {"no classifier is asked", "`expected_label` with `labels`, or a criterion of `rubric`"},
	"moderation":              {"no moderation service is asked", "`policies` with patterns, or a criterion of `rubric`"},
	"guardrails":              {"what a provider's guardrails say is not read", "`expected_classification: refusal` where it is right that one declines"},
	"webhook":                 {"no other service is asked about an answer", "a criterion of `rubric`"},
	"ruby":                    {"it is code, and nothing runs here", "an expression"},
	"context-relevance":       {"it judges what was retrieved, which is a variable here and no answer", "an application of your own as the target, `provider: http`, which retrieves by itself"},
	"context-recall":          {"it judges what was retrieved, which is a variable here and no answer", "an application of your own as the target, `provider: http`, which retrieves by itself"},
	"select-best":             {"it holds answers of several prompts or models against each other", "base against head is what failproof compares; each target has its own results"},
	"max-score":               {"it holds answers of several prompts or models against each other", "base against head is what failproof compares; each target has its own results"},
	"is-sql":                  {"nothing parses SQL here", "`regex`, or a criterion of `rubric`"},
	"contains-sql":            {"nothing parses SQL here", "`regex`, or a criterion of `rubric`"},
	"is-html":                 {"nothing parses HTML here", "`regex: \"(?is)<html.*</html>\"`, or `expected_format: xml` for well-formed HTML"},
	"contains-html":           {"nothing parses HTML here", "`regex`"},
	"trajectory:goal-success": {"answers are judged, not what an agent did on the way", ""},
	"trace-span-count":        {"answers are judged, not traces", ""},
	"trace-span-duration":     {"answers are judged, not traces", "`response.latency_ms` of the whole answer"},
	"trace-error-spans":       {"answers are judged, not traces", ""},
	"pi":                      {"the service that it asks is not asked", "a criterion of `rubric`"},
	"agent-rubric":            {"no agent is the judge", "criteria of `rubric`"},
	"video-rubric":            {"answers are texts", ""},
	"search-rubric":           {"the judge does not search", "criteria of `rubric` with a `reference`"},
	"meta:is-consistent":      {"it has no counterpart here", ""},
}

// jsonForm asks for JSON, with a schema where there is one.
func jsonForm(a *assertion, strict bool) {
	schema := ""
	if !a.value.missing() {
		n := a.value
		if n.isText() && strings.HasPrefix(n.Text, "file://") {
			n = a.fromFile(n, document.Quote(n.Text))
			a.require(!n.missing(), "its schema cannot be read", "")
		} else if n.isText() {
			root, ds := document.Parse(n.path, []byte(n.Text))
			a.require(!document.HasErrors(ds) && root != nil, "its schema is no JSON", "")
			n = node{root, n.path}
		}
		schema = string(valueOf(n.Node).json(nil))
	}
	switch {
	case a.negative:
		a.held(said{"response.json != nil", isBool, 1})
		a.differs("an answer of which JSON can be made, by leaving text around it out, counts as JSON")
		return
	case a.partial && a.subject.kind == isAny:
		a.held(said{a.subject.text + " != nil", isBool, 1})
		return
	case a.partial:
		panic(a.todo("it looks at a part of the answer", "an expression over `response.json`"))
	case a.with.tools && schema == "":
		a.differs("where the model is offered tools, the JSON of an answer is its call")
		a.held(said{"len(response.tool_calls) > 0", isBool, 1})
		return
	}
	if schema != "" {
		if _, err := expect.CompileFormat("json", strict, []byte(schema), ""); err != nil {
			panic(a.todo("its schema is refused: "+err.Error(), "a schema that refers to nothing outside of itself"))
		}
	}
	a.formed(&format{kind: "json", strict: strict, schema: schema})
}

func xmlForm(a *assertion, strict bool) {
	a.require(a.value.missing() && !a.negative && !a.partial, "a form of XML is well-formed or not; elements are not asked for", "`expected_format: xml`, and `contains` for each element")
	a.formed(&format{kind: "xml", strict: strict})
}

// formed joins a form with what stands there already.
func (a *assertion) formed(f *format) {
	old := a.to.format
	if old == nil && a.to.shared != nil {
		old = a.to.shared.format
	}
	if old != nil {
		a.require(old.kind == f.kind && (old.schema == "" || f.schema == "" || old.schema == f.schema), "an answer has one form, and another is asked for already", "one schema that says both")
		f.strict = f.strict || old.strict
		if f.schema == "" {
			f.schema, f.file = old.schema, old.file
		}
	}
	if f.schema != "" && f.file == "" {
		root, _ := document.Parse("schema.json", []byte(f.schema))
		f.file = a.jsonFile("schemas/"+cmp.Or(slug(root.Get("title").AsText()), "answer")+".schema.json", f.schema)
	}
	if old != nil && *old == *f {
		return
	}
	a.to.format = f
}

func refusal(a *assertion) {
	switch {
	case a.partial:
		panic(a.todo("it looks at a part of the answer", ""))
	case a.negative:
		a.left(a.n, "`not-is-refusal`", "a refusal never passes, where it is not expected")
	default:
		a.to.refusal = true
	}
}

// atMost holds a figure of the answer to a bar. Recorded answers may not tell it.
func atMost(a *assertion, fact string) {
	bar := cmp.Or(a.threshold.text(), a.value.text())
	_, ok := decimal(bar)
	a.require(ok && !a.negative, "it has no plain number as its threshold", "`response."+fact+" <= 1000`")
	a.to.assert("response." + fact + " == nil or response." + fact + " <= " + bar)
}

func calls(a *assertion) {
	a.require(a.with.tools, "no tools are offered in a form that is taken over", "`tools` of the suite, and `expected_tools`")
	a.differs("that a tool is called is asked for; its arguments are not held to the tool's schema, `expected_tools` says what they must be")
	a.held(said{"len(response.tool_calls) > 0", isBool, 1})
}

// toolNames asks for calls of these tools.
func toolNames(a *assertion) {
	words := a.words()
	a.differs("all of these tools must be called; a share of them is not enough")
	a.held(said{"all(" + exprTexts(words) + ", # in map(response.tool_calls, .name))", isBool, 0})
}

// codeKinds are programs, of which those that are one expression are translated.
var codeKinds = map[string]func(a *assertion){
	"javascript": func(a *assertion) { program(a, javascript) },
	"python":     func(a *assertion) { program(a, python) },
}

func program(a *assertion, l language) {
	code := a.value.text()
	const nearest = "an expression over `response.text`, `response.json` and `vars`, where it is one condition; a criterion of `rubric` where it is a judgement"
	switch {
	case strings.HasPrefix(code, "file://"):
		panic(a.todo("it is code in a file, and nothing runs here", nearest))
	case code == "":
		panic(a.todo("it has no value", ""))
	case !a.threshold.missing():
		panic(a.todo("it gives a score that is held to a threshold, and an assertion is true or false", nearest))
	case hasMarks(code) && a.with.vars != nil:
		code = a.filled(code)
	}
	t := translator{language: l, tools: a.with.tools}
	if a.partial {
		t.output = &a.subject
	}
	out, err := t.condition(code)
	if err == errCode {
		err = untranslated("it is more than one expression")
	}
	if err != nil {
		panic(a.todo("it is code that cannot be translated: "+err.Error(), nearest))
	}
	a.held(said{out, isBool, 3})
}
