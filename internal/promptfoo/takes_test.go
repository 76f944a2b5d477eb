package promptfoo_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/promptfoo"
)

func files(pairs ...string) fstest.MapFS {
	out := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return out
}

// taken is a configuration with these tests and one prompt and provider, and what became of it, which is valid.
func taken(t *testing.T, tests string, more ...string) promptfoo.Result {
	t.Helper()
	tree := files(append([]string{"promptfooconfig.yaml", "prompts: ['{{q}}']\nproviders: [openai:gpt-5-mini]\n" + tests}, more...)...)
	r := promptfoo.Import(promptfoo.Input{Tree: tree, Config: "promptfooconfig.yaml"})
	if r.Extent() != promptfoo.ExtentNone {
		if _, ds := faults(t, asTree(t, r, nil)); document.HasErrors(ds) {
			t.Errorf("%s\nis refused: %v\n%s", tests, ds, text(r, "suites/prompt.yaml"))
		}
	}
	return r
}

// importOf is what becomes of a configuration.
func importOf(config string) promptfoo.Result {
	return promptfoo.Import(promptfoo.Input{Tree: files("promptfooconfig.yaml", config), Config: "promptfooconfig.yaml"})
}

func text(r promptfoo.Result, name string) string {
	for _, f := range r.Files {
		if f.Name == name {
			return string(f.Text)
		}
	}
	return ""
}

func findingsText(r promptfoo.Result, level promptfoo.Level) string {
	var out strings.Builder
	for _, f := range r.Findings {
		if f.Level == level {
			fmt.Fprintf(&out, "%s: %s\n", f.Place(), f)
		}
	}
	return out.String()
}

func TestAnAssertionBecomes(t *testing.T) {
	for _, c := range []struct{ assertion, want, level, told string }{
		{"{type: equals, value: Hello}", "expected_response: Hello\n    match: exact", "", ""},
		{"{type: not-equals, value: Hello}", "not (trim(response.text) == 'Hello')", "", ""},
		{"{type: equals, value: {a: 1}}", `expected_response: "{\"a\": 1}"`, "", ""},
		{"{type: contains, value: a}", "{contains: a}", "", ""},
		{"{type: not-icontains, value: a}", "{not_icontains: a}", "", ""},
		{"{type: contains-any, value: [a, b]}", "contains_any: [a, b]", "", ""},
		{"{type: contains-all, value: 'a, \"b, c\"'}", `contains_all: [a, "b, c"]`, "", ""},
		{"{type: contains-any, value: ','}", "", "to do", "it has no value"},
		{"{type: icontains-any, value: [A, b]}", "any(['a', 'b'], lower(response.text) contains #)", "", ""},
		{"{type: icontains-all, value: [A, b]}", "all(['a', 'b'], lower(response.text) contains #)", "", ""},
		{"{type: starts-with, value: a}", "{starts_with: a}", "", ""},
		{"{type: regex, value: '\\d\\u00e9'}", `{regex: "\\d\\x{00e9}"}`, "", ""},
		{"{type: regex, value: 'a(?=b)'}", `new RegExp(\"a(?=b)\").test(`, "", ""},
		{"{type: is-json}", "expected_format: {type: json, strict: true}", "", ""},
		{"{type: contains-json, value: {type: object, title: A refund}}", `schema: "../schemas/a-refund.schema.json"`, "", ""},
		{"{type: is-json, value: {$ref: 'https://example.com/a'}}", "", "to do", "schema is refused"},
		{"{type: is-xml}", "expected_format: {type: xml, strict: true}", "", ""},
		{"{type: latency, threshold: 900}", "response.latency_ms == nil or response.latency_ms <= 900", "", ""},
		{"{type: cost, threshold: 0.01}", "response.cost_usd == nil or response.cost_usd <= 0.01", "", ""},
		{"{type: finish-reason, value: stop}", "response.finish_reason == 'stop'", "", ""},
		{"{type: word-count, value: 9}", "response.words == 9", "", ""},
		{"{type: word-count, value: {min: 3, max: 9}}", "response.words >= 3 and response.words <= 9", "", ""},
		{"{type: word-count, value: {min: 3, max: many}}", "", "to do", "no whole number"},
		{"{type: word-count, value: {}}", "", "to do", "neither `min` nor `max`"},
		{"{type: word-count, value: {min: 3, maximum: 9}}", "response.words >= 3", "to do", "`maximum`"},
		{"{type: equals, value: {a: '{{ q | upper }}'}}", "", "to do", "is computed"},
		{"{type: javascript, value: output.length / 9, threshold: .5}", "", "to do", "not a plain number"},
		{"{type: is-refusal}", "expected_classification: refusal", "", ""},
		{"{type: llm-rubric, value: 'Is polite to {{q}}'}", "[Is polite to hi]", "", ""},
		{"{type: not-llm-rubric, value: Rude}", `["This is not so: Rude"]`, "", ""},
		{"{type: llm-rubric, value: Polite, threshold: 0.8}", "rubric: [Polite]", "changed", "met or not met"},
		{"{type: llm-rubric, value: Polite, weight: 0}", "vars: {q: hi}", "left", "never fails a test"},
		{"{type: llm-rubric, value: Polite, weight: 0.0}", "vars: {q: hi}", "left", "never fails a test"},
		{"{type: g-eval, value: [Polite, Short]}", "rubric: [Polite, Short]", "changed", "reasoning steps"},
		{"{type: factuality, value: Paris is in France}", "reference: Paris is in France", "", ""},
		{"{type: similar, value: Paris, threshold: 0.6}", `Says in substance: \"Paris\"`, "changed", "at least 0.6"},
		{"{type: answer-relevance, threshold: 0.8}", `["Answers what was asked, and nothing else"]`, "changed", "judge decides"},
		{"{type: rouge-n, value: a}", "", "to do", "`key_facts`"},
		{"{type: levenshtein, value: a}", "", "to do", "distance"},
		{"{type: select-best, value: a}", "", "to do", "base against head"},
		{"{type: javascript, value: output.length < 9}", "{javascript: output.length < 9}", "", ""},
		{"{type: not-javascript, value: output.length < 9}", "{not_javascript: output.length < 9}", "", ""},
		{"{type: javascript, value: output.length / 9, threshold: 0.5}", "script: output.length / 9, threshold: 0.5", "", ""},
		{"{type: javascript, value: \"output.includes('{{q}}') && output.includes(`${1}`)\"}", "output.includes('hi') && output.includes(`${1}`)", "", ""},
		{"{type: javascript, value: output.total <= 900}", "{script: output.total <= 900, json: true}", "", ""},
		{"{type: javascript, value: output.includes(1), transform: 'output.name'}", "script: output.includes(1), transform: output.name, json: true", "", ""},
		{"{type: javascript, value: \"require('fs').readFileSync(output)\"}", "", "to do", "it uses `require`"},
		{"{type: javascript, value: \"const a = await load(output); return a\"}", "", "to do", "it uses `await`"},
		{"{type: javascript, value: \"output.includes('we await your import (now)')\"}", "we await your import (now)", "", ""},
		{"{type: javascript, value: 'file://a.js'}", "", "to do", "which is not run"},
		{"{type: python, value: len(output) < 9}", "", "to do", "it is Python"},
		{"{type: nonsense, value: a}", "", "to do", "no equivalent"},
		{"{type: contains, value: a, transform: output.name}", "transform: output.name\n          json: true", "", ""},
		{"{type: contains, value: a, transform: output.trim()}", "{contains: a}", "", ""},
		{"{type: contains, value: a, transform: \"output.replace(/^```json\\\\n?/, '').replace(/```$/, '').trim()\"}", "{contains: a}", "", ""},
		{"{type: contains, value: a, transform: 'file://t.js'}", "", "to do", "its transform cannot run: it is code in a file"},
		{"{type: llm-rubric, value: Polite, transform: \"output.replace(/```/g, '')\"}", "rubric: [Polite]", "", ""},
		{"{type: contains, value: a, colour: blue}", "{contains: a}", "to do", "`colour`"},
		{"{type: contains, value: a, metric: m}", "{contains: a}", "left", "`metric`"},
		{"{type: assert-set, threshold: 0.5, assert: [{type: contains, value: a}, {type: contains, value: b}]}", "", "to do", "only if all"},
		{"{type: not-assert-set, assert: [{type: contains, value: a}]}", "", "to do", "only if all"},
		{"{type: assert-set, weight: 0, assert: [{type: contains, value: a}]}", "vars: {q: hi}", "left", "never fails a test"},
		{"{type: equals, value: Hello}, {type: equals, value: Ho}", "trim(response.text) == 'Ho'", "", ""},
		{"{type: equals, value: a, transform: output.name}", ") === \\\"a\\\"", "", ""},
		{"{type: equals, value: {a: 1}, transform: output.name}", "", "to do", "no text as its value"},
		{"{type: not-equals, value: {a: 1}}", "", "to do", "a second thing"},
		{"{type: contains-any, value: [a, {b: c}]}", "", "to do", "not a list of texts"},
		{"{type: contains-any, value: [a, '{{ q | upper }}']}", "", "to do", "is computed"},
		{"{type: contains-json}", "expected_format: {type: json}", "", ""},
		{"{type: not-is-json}", "[not (response.json != nil)]", "changed", "counts as JSON"},
		{"{type: not-is-json, value: {type: object}}", "", "to do", "may be other JSON"},
		{"{type: is-json, transform: output.name}", "JSON.parse(", "", ""},
		{"{type: is-json, value: {type: object}, transform: output.name}", "", "to do", "a part of the answer"},
		{"{type: is-json, value: '{type: ['}", "", "to do", "its schema is not JSON"},
		{"{type: is-json, value: 'file://../s.json'}", "", "to do", "its schema cannot be read"},
		{"{type: is-xml, value: {requiredElements: [a]}}", "", "to do", "elements are not"},
		{"{type: is-xml, transform: output.name}", "", "to do", "a part of the answer"},
		{"{type: not-is-refusal}", "vars: {q: hi}", "left", "only if it is expected"},
		{"{type: latency}", "", "to do", "no plain number"},
		{"{type: not-cost, threshold: 1}", "", "to do", "no plain number"},
		{"{type: javascript}", "", "to do", "it has no value"},
		{"{type: llm-rubric, value: {prompt: a}}", "", "to do", "no text as its value"},
		{"{type: similar, value: [a, b]}", "", "to do", "no text as its value"},
		{"{type: factuality, value: A}, {type: factuality, value: B}", `Contradicts nothing of this: \"B\"`, "", ""},
		{"{type: llm-rubric, value: " + strings.Repeat("a", 4001) + "}", "", "to do", "4000 characters"},
		{"{type: similar, value: a, provider: 'openai:embedding:x'}", "Says in substance", "left", "provider of embeddings"},
		{"{type: contains-json, value: {type: object}}, {type: is-json}", "strict: true}", "", ""},
		{"{type: levenshtein, value: a, metric: m}", "", "to do", "distance"},
		{"{type: assert-set, assert: [{type: contains, value: a}, {type: contains, value: b}]}", "- {contains: a}\n      - {contains: b}", "", ""},
	} {
		r := taken(t, "tests: [{vars: {q: hi}, assert: ["+c.assertion+"]}]")
		if got := text(r, "suites/prompt.yaml"); !strings.Contains(got, c.want) {
			t.Errorf("%s became\n%s", c.assertion, got)
		}
		for _, level := range []promptfoo.Level{promptfoo.ToDo, promptfoo.Changed, promptfoo.LeftOut} {
			told := findingsText(r, level)
			if told = strings.ReplaceAll(told, "promptfooconfig.yaml:1:1: the judge", ""); string(level) == c.level != strings.Contains(told, c.told) && c.told != "" {
				t.Errorf("%s: %s: %s", c.assertion, level, told)
			}
			if c.level == "" && level == promptfoo.ToDo && told != "" {
				t.Errorf("%s: %s", c.assertion, told)
			}
		}
		if c.level == "to do" && c.want == "" && !strings.Contains(text(r, "suites/prompt.yaml"), "is not converted") {
			t.Errorf("%s: the suite does not say that it lacks something", c.assertion)
		}
	}
}

// What is said of several places is said once, with all of them in the file.
func TestAlikeFindingsAreOne(t *testing.T) {
	one := "{vars: {q: hi}, assert: [{type: javascript, value: \"require('fs')\"}, {type: levenshtein, value: a}]}"
	r := taken(t, "tests:\n  - "+one+"\n  - "+one+"\n  - "+one)
	var got []string
	for _, g := range r.Groups() {
		if g.Level == promptfoo.ToDo {
			got = append(got, g.Place()+" "+strings.SplitAfter(g.String(), ":")[0])
		}
	}
	if want := "promptfooconfig.yaml:4:30 3 × `javascript`:, promptfooconfig.yaml:4:74 3 × `levenshtein`:"; strings.Join(got, ", ") != want {
		t.Errorf("%q", got)
	}
	if file := text(r, promptfoo.FindingsFile); !strings.Contains(file, "Likewise at `promptfooconfig.yaml:5:30`, `promptfooconfig.yaml:6:30`.") {
		t.Errorf("the list is\n%s", file)
	}
}

func TestATransformOfAProviderIsThatOfItsTests(t *testing.T) {
	const config = "prompts: ['{{q}}']\nproviders: [{id: openai:gpt-5-mini, transform: output.text}]\ntests: [{vars: {q: hi}, assert: [{type: javascript, value: output === 'a'}]"
	r := importOf(config + "}]")
	if got := text(r, "suites/prompt.yaml"); r.Extent() != promptfoo.ExtentFull || !strings.Contains(got, "{script: output === 'a', transform: output.text, json: true}") {
		t.Errorf("%s:\n%s%s", r.Extent(), got, findingsText(r, promptfoo.ToDo))
	}
	if told := findingsText(importOf(config+", options: {transform: output.trim()}}]"), promptfoo.ToDo); !strings.Contains(told, "the provider has a transform as well") {
		t.Errorf("two transforms: %s", told)
	}
}

// promptfoo asks the variable `prompt` where a configuration names no prompts.
func TestAConfigurationWithoutPromptsAsksTheVariable(t *testing.T) {
	const test = "{vars: {prompt: Say hello}, assert: [{type: contains, value: hello}]}]"
	for _, tests := range []string{"tests: [" + test, "scenarios: [{config: [" + test + "}]"} {
		r := importOf("providers: [openai:gpt-5-mini]\n" + tests)
		if got := text(r, "suites/prompt.yaml"); r.Extent() != promptfoo.ExtentFull || !strings.Contains(got, `content: "{{ prompt }}"`) {
			t.Errorf("%s: %s:\n%s%s", tests, r.Extent(), got, findingsText(r, promptfoo.ToDo))
		}
	}
}

func TestEveryLineOfATableIsACase(t *testing.T) {
	r := taken(t, "tests: file://t.csv", "t.csv", "q,__expected,__expected2,__description,__metadata:kind,__metric\n"+
		"one,contains: a,llm-rubric(0.8): Polite,The first,x,m\ntwo,plain: text,,,,\n")
	got := text(r, "suites/prompt.yaml")
	for _, want := range []string{"id: the-first", `tags: ["kind:x"]`, "{contains: a}", "rubric: [Polite]", `expected_response: "plain: text"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
	if told := findingsText(r, promptfoo.ToDo); !strings.Contains(told, "t.csv:1:56: the column \"__metric\"") {
		t.Errorf("a column that is not converted is not named:\n%s", told)
	}
}

// What is no test, variable, prompt or setting is told, and what stands beside it is converted.
func TestWhatHasAnUnknownFormIsAFinding(t *testing.T) {
	for _, c := range []struct{ tests, want, level, told string }{
		{"tests: [{vars: {q: a}, options: file://o.yaml}]", "q: a", "to do", "the keys of a test's options: this is not a map"},
		{"tests: [{vars: {q: a}, assert: file://a.yaml}]", "q: a", "to do", "not a map with a `type`"},
		{"tests: [{vars: {q: a}}, {$ref: '#/none'}, {vars: {$ref: '#/none'}}]\nscenarios: [{config: [{$ref: '#/none'}]}]", "q: a", "to do", "nothing is there"},
		{"defaultTest: file://none.yaml\ntests: [{vars: {q: a}}]", "q: a", "to do", "it does not exist"},
		{"tests: [{vars: {q: a}}, null]\ndefaultTest: {assert: null, options: null, vars: null, metadata: null}", "q: a", "", ""},
		{"tests: [{vars: {q: a}}, [{vars: {q: b}}]]", "q: a", "to do", "a test: it is not a map"},
		{"tests: [{vars: {q: a}, assert: [{$ref: '#/none'}]}]", "q: a", "to do", "nothing is there"},
		{"assertionTemplates: {x: {type: contains, value: b}}\ntests: [{vars: {q: a}, assert: [{$ref: '#/assertionTemplates/x'}]}]", "{contains: b}", "", ""},
		{"tests: [{vars: {q: a}, assert: [{type: contains, value: file://none.txt}]}]", "q: a", "to do", "its file cannot be read"},
		{"tests: [{vars: {q: a}, assert: [{type: contains-any, value: file://none.json}]}]", "q: a", "to do", "it does not exist"},
		{"tests: [{vars: {q: a}, threshold: 0.5}]", "q: a", "changed", "`threshold` of a test"},
		{"tests: [{vars: {q: a}, options: {transform: 'file://t.js'}}]", "q: a", "to do", "`transform`: it cannot run"},
		{"tests: [{vars: {q: a}, metadata: {kind: {a: b}, of: [x]}}]", `tags: ["of:x"]`, "left", "a tag must be text"},
		{"tests: [{vars: {q: a}}, file://t.xlsx, https://a.example/t]", "q: a", "to do", "ends in .csv"},
		{"tests: [{vars: {q: a}}, file://a.yaml, file://none.csv, file://none.jsonl]", "q: c", "to do", "it does not exist"},
		{"tests: [{vars: {q: a}}]\nscenarios: [file://s.yaml]", "q: a", "to do", "the keys of a scenario"},
		{"scenarios: [{config: [{vars: {q: a}}]}]", "q: a", "", ""},
		{"tests: [{vars: {q: null}}]", `q: ""`, "", ""},
		{"tests: [{vars: {q: a, n: []}}]", "q: a", "to do", "its list is empty"},
		{"tests: [{vars: {q: a, a-b: c}}]", "q: a", "to do", "a name is of letters"},
		{"tests: [{vars: 7}, {vars: {q: a}}]", "q: a", "to do", "`vars`: this is not a map"},
		{"tests: [{vars: file://v.yaml}]", "q: 1", "", ""},
		{"tests: [{vars: [file://v*.yaml, file://w.yaml]}]", "q: d", "", ""},
		{"tests: [{vars: file://list.yaml}]", "cases:", "to do", "the file is not a map"},
		{"tests: [{vars: file://none*.yaml}]", "cases:", "to do", "names no file"},
		{"defaultTest: {assert: [{type: llm-rubric, value: file://rubric.txt}]}\ntests: [{vars: {q: a}}]", "Answers a", "changed", "the judge"},
		{"defaultTest: {assert: [{type: contains, value: b}]}\ntests: [{vars: {q: a}, options: {transform: output.c}}]", "{contains: b}", "to do",
			"the assertions of `defaultTest` do not get its result"},
		{"tests: [{vars: file://v.csv}]", "cases:", "to do", "the file is not a map"},
		{"tests: [{vars: {q: 'file://w.yaml'}}]", `q: "{\"q\": \"d\"}"`, "", ""},
		{"tests: [{vars: {q: 'file://bad.yaml'}}]", "cases:", "to do", "bad.yaml:1:"},
		{"tests: [{vars: {q: 'file://code.py'}}]", "cases:", "to do", "it is code, which is not run"},
		{"tests: [{vars: {q: 'file://latin.txt'}}]", "cases:", "to do", "not UTF-8"},
		{"tests: [{vars: {q: '{{ n | upper }}', n: a}}]", `q: "{{ n | upper }}"`, "to do", "it is used as written: `{{n | upper}}` is computed"},
		{"tests: [{vars: {q: '{{ n }}'}}]", `q: "{{ n }}"`, "to do", "that the test does not set"},
		{"evaluateOptions: {repeat: 3}\ntests: [{vars: {q: a}}]", "trials: 3", "", ""},
		{"evaluateOptions: {repeat: 101}\ntests: [{vars: {q: a}}]", "q: a", "to do", "from 1 to 100"},
		{"defaultTest: {options: {provider: echo}}\ntests: [{vars: {q: a}}]", "q: a", "to do", "a judge is a model"},
		{"defaultTest: {vars: {q: b}}\ntests: [{vars: {q: a}}, {vars: {n: c}}]", "q: b", "", ""},
	} {
		r := taken(t, c.tests, "a.yaml", "[{vars: {q: c}}]", "v.yaml", "q: 1", "w.yaml", "q: d", "list.yaml", "[1]",
			"bad.yaml", "a: {", "latin.txt", "\xe9", "code.py", "", "rubric.txt", "Answers {{q}}", "v.csv", "q,r")
		if got := text(r, "suites/prompt.yaml"); !strings.Contains(got, c.want) {
			t.Errorf("%s became\n%s", c.tests, got)
		}
		for _, level := range []promptfoo.Level{promptfoo.ToDo, promptfoo.Changed, promptfoo.LeftOut} {
			if told := findingsText(r, level); string(level) == c.level && !strings.Contains(told, c.told) || c.level == "" && told != "" {
				t.Errorf("%s: %s: %s", c.tests, level, told)
			}
		}
	}
}

func TestAPromptBecomes(t *testing.T) {
	for _, c := range []struct{ prompt, config, want, told string }{
		{"{label: a}", "", "", "neither `raw` nor `id`"},
		{"{raw: '{{q}}', config: {response_format: {type: json_object}}}", "", `content: "{{ q }}"`, "`config` of a prompt"},
		{"''", "", "", "it is empty"},
		{"{$ref: '#/none'}", "", "", "nothing is there"},
		{"null", "", "", "neither `raw` nor `id`"},
		{"file://none.txt", "", "", "it does not exist"},
		{"file://bad.json", "", "", "bad.json:1:"},
		{"prompts/none", "", "", "it does not exist"},
		{"none.py:f", "", "", "code, which is not run"},
		{"Hello", "", "content: Hello", ""},
		{"file://none.json", "", "", "it has no messages"},
		{"file://filter.json", "", "", "is computed"},
		{"'{% if q %}a{% endif %}'", "", "", "is a statement"},
		{"'{{q}} ${HOME}'", "", "", "variable of the environment"},
		{"file://two.txt", "", `content: "One {{ q }}"`, ""},
		{"file://developer.json", "", "role: system, content: Be kind", ""},
		{"file://name.json", "", `content: "{{ q }}"`, "`name` of a message"},
		{"file://one.txt", "systemPrompt: Be kind", "role: system, content: Be kind", ""},
		{"file://chat.json", "systemPrompt: Be short", "content: Be short", ""},
	} {
		tree := files("promptfooconfig.yaml", "prompts: ["+c.prompt+"]\nproviders: [{id: openai:gpt-5-mini, config: {"+c.config+"}}]\ntests: [{vars: {q: hi}}]",
			"bad.json", `[{"role"`, "none.json", "[]", "filter.json", `[{"role": "user", "content": "{{ q | upper }}"}]`, "two.txt", "---\nOne {{q}}\n---\n",
			"developer.json", `[{"role": "developer", "content": "Be kind"}, {"role": "user", "content": "{{q}}"}]`, "one.txt", "{{q}}",
			"name.json", `[{"role": "user", "name": "Ada", "content": "{{q}}"}]`,
			"chat.json", `[{"role": "system", "content": "Be kind"}, {"role": "user", "content": "{{q}}"}]`)
		r := promptfoo.Import(promptfoo.Input{Tree: tree, Config: "promptfooconfig.yaml", InPlace: true})
		found := c.want == "" && r.Suites == 0
		for _, f := range r.Files {
			found = found || c.want != "" && strings.HasPrefix(f.Name, "suites/") && strings.Contains(string(f.Text), c.want)
		}
		if told := findingsText(r, promptfoo.ToDo); !found || !strings.Contains(told, c.told) || c.told == "" && told != "" {
			t.Errorf("%s: %s\n%s", c.prompt, told, r.Files)
		}
		if r.Suites > 0 {
			if _, ds := faults(t, asTree(t, r, tree)); document.HasErrors(ds) {
				t.Errorf("%s: %v", c.prompt, ds)
			}
		}
	}
}

func TestAListOfWordsMayStandInAFile(t *testing.T) {
	r := taken(t, "tests: [{vars: {q: a}, assert: [{type: contains-any, value: file://words.json}]}]", "words.json", `["tomorrow", "in a day"]`)
	if got := text(r, "suites/prompt.yaml"); !strings.Contains(got, "contains_any: [tomorrow, in a day]") {
		t.Errorf("the words are not in\n%s", got)
	}
}

func TestAProviderWhoseNameIsComputedIsAFinding(t *testing.T) {
	tree := files("promptfooconfig.yaml", "prompts: ['{{q}}']\nproviders: ['openai:gpt-4o-{{env.SIZE}}']\ntests: [{vars: {q: hi}}]")
	if r := promptfoo.Import(promptfoo.Input{Tree: tree, Config: "promptfooconfig.yaml"}); !strings.Contains(findingsText(r, promptfoo.ToDo), "its name is computed") {
		t.Errorf("it is not told:\n%s", findingsText(r, promptfoo.ToDo))
	}
}

func TestAPatternNamesTheFilesThatPromptfooFinds(t *testing.T) {
	for pattern, want := range map[string]int{"cases/*.yaml": 1, "cases/**/*.yaml": 2, "cases/?.yaml": 1, "cases/{a,b/c}.yaml": 2, "**/[bc].*": 2, "cases/*.yml": 0} {
		r := taken(t, "tests: 'file://"+pattern+"'", "cases/a.yaml", "[{vars: {q: a}}]", "cases/b/c.yaml", "[{vars: {q: c}}]", "b.json", `[{"vars": {"q": "b"}}]`, "node_modules/b.json", `[{"vars": {"q": "b"}}]`)
		if r.Cases != want {
			t.Errorf("%s names files of %d cases, want %d", pattern, r.Cases, want)
		}
	}
}

func TestALineThatIsNoTestIsAFinding(t *testing.T) {
	r := taken(t, "tests: file://t.jsonl", "t.jsonl", "{\"vars\": {\"q\": \"a\"}}\n7\n")
	if r.Cases != 1 || !strings.Contains(findingsText(r, promptfoo.ToDo), "t.jsonl:2:1: a test: it is not a map") {
		t.Errorf("%d cases: %s", r.Cases, findingsText(r, promptfoo.ToDo))
	}
}

func TestListsOfValuesAreACaseEach(t *testing.T) {
	if r := taken(t, "tests: [{vars: {q: [a, b], n: [1, 2, 3]}}]"); r.Cases != 6 {
		t.Errorf("%d cases", r.Cases)
	}
	if r := taken(t, "tests: [{vars: {q: [a, b]}, options: {disableVarExpansion: true}}]"); r.Cases != 1 {
		t.Errorf("%d cases", r.Cases)
	}
	if r := taken(t, "scenarios: [{config: [{vars: {q: a}}, {vars: {q: b}}], tests: [{vars: {n: 1}}, {vars: {n: 2}}]}]"); r.Cases != 4 {
		t.Errorf("%d cases", r.Cases)
	}
	r := taken(t, "scenarios: [{config: [{vars: {q: a}, options: {transform: output.text}}], tests: [{assert: [{type: contains, value: b}]}]}]")
	if got := text(r, "suites/prompt.yaml"); !strings.Contains(got, "transform: output.text") {
		t.Errorf("the transform of a scenario is dropped:\n%s", got)
	}
	many := "[" + strings.Repeat("a, ", 99) + "a]"
	if r := taken(t, "tests: [{vars: {q: "+many+", n: "+many+", m: "+many+"}}, {vars: {q: a}}]"); r.Cases != 1 || !strings.Contains(findingsText(r, promptfoo.ToDo), "more than 1000 cases") {
		t.Errorf("%d cases: %s", r.Cases, findingsText(r, promptfoo.ToDo))
	}
}

func TestManyCasesGoIntoAFileOfLines(t *testing.T) {
	r := taken(t, "tests: file://t.csv", "t.csv", "q\n"+strings.Repeat("a\n", 301))
	if got := text(r, "cases/prompt.jsonl"); strings.Count(got, "\n") != 301 || !strings.Contains(text(r, "suites/prompt.yaml"), `cases: {file: "../cases/prompt.jsonl"}`) {
		t.Errorf("%d cases:\n%s", r.Cases, got)
	}
}

func TestAFileInPlaceIsNamedAndOneElsewhereIsCopied(t *testing.T) {
	tree := files("evals/promptfooconfig.yaml", "prompts: [file://../prompts/a.txt]\nproviders: [openai:gpt-5-mini]\ntests: [{vars: {d: file://b.txt}, assert: [{type: is-json, value: {type: object}}]}]", "prompts/a.txt", "Read {{d}}", "evals/b.txt", "B")
	in := promptfoo.Input{Tree: tree, Config: "evals/promptfooconfig.yaml", InPlace: true}
	r := promptfoo.Import(in)
	if got := text(r, "suites/a.yaml"); !strings.Contains(got, `prompt: "../prompts/a.txt"`) || !strings.Contains(got, `d: {file: "../evals/b.txt"}`) {
		t.Errorf("in place:\n%s", got)
	}
	if len(r.Copied) > 0 {
		t.Errorf("in place %q is called a copy", r.Copied)
	}
	if _, ds := faults(t, asTree(t, r, tree)); document.HasErrors(ds) {
		t.Error(ds)
	}
	in.InPlace = false
	r = promptfoo.Import(in)
	if text(r, "files/a.txt") != "Read {{d}}" || text(r, "files/b.txt") != "B" || !slices.Equal(r.Copied, []string{"evals/b.txt", "prompts/a.txt"}) {
		t.Errorf("%v, copied are %q", r.Files, r.Copied)
	}
	if _, ds := faults(t, asTree(t, r, nil)); document.HasErrors(ds) {
		t.Error(ds)
	}
}

func TestASchemaInPlaceIsNamedAndOneElsewhereIsCopied(t *testing.T) {
	const named = "schema: \"../schemas/s.json\""
	for _, c := range []struct {
		schema  string
		inPlace bool
		want    string
		told    string
	}{
		{"schemas/s.json", true, named, ""},
		{"schemas/s.json", false, "schema: \"../files/schemas/s.json\"", `schemas/s.json: the file: it is copied to "files/schemas/s.json"`},
		{"schemas/s.yaml", true, "schema: \"../schemas/answer.schema.json\"", "promptfooconfig.yaml:3:57: the schema: copied out of its file, and the copy is judged"},
	} {
		tree := files("promptfooconfig.yaml", "prompts: ['{{q}}']\nproviders: [openai:gpt-5-mini]\ntests: [{vars: {q: hi}, assert: [{type: is-json, value: 'file://"+c.schema+"'}]}]",
			"schemas/s.json", `{"type": "object"}`, "schemas/s.yaml", "type: object")
		r := promptfoo.Import(promptfoo.Input{Tree: tree, Config: "promptfooconfig.yaml", InPlace: c.inPlace})
		if got := text(r, "suites/prompt.yaml"); !strings.Contains(got, c.want) {
			t.Errorf("%s, %v: %s", c.schema, c.inPlace, got)
		}
		if told := findingsText(r, promptfoo.Changed); !strings.HasPrefix(told, c.told) || c.told == "" && told != "" {
			t.Errorf("%s, %v: told %s", c.schema, c.inPlace, told)
		}
		if _, ds := faults(t, asTree(t, r, tree)); document.HasErrors(ds) {
			t.Errorf("%s, %v: %v", c.schema, c.inPlace, ds)
		}
	}
}

func TestWhatIsCopiedOutOfAFileIsListed(t *testing.T) {
	for _, c := range []struct{ prompt, config, told string }{
		{"file://one.txt", "", ""},
		{"file://two.txt", "", "two.txt:1:1: the prompt in \"two.txt\": …two.txt:3:1: "},
		{"file://chat.json", "", "promptfooconfig.yaml:1:11: the prompt in \"chat.json\": …"},
		{"'{{q}}'", "tools: file://tools.json", "promptfooconfig.yaml:2:53: the list of tools: …"},
		{"'{{q}}'", "systemPrompt: file://system.txt", "promptfooconfig.yaml:2:60: the instructions of the provider: …"},
		{"'{{q}}'", "response_format: file://format.json", "promptfooconfig.yaml:2:63: `response_format`: …"},
		{"'{{q}}'", "responseSchema: file://schema.yaml", "promptfooconfig.yaml:2:62: the schema: …"},
		{"'{{q}}'", "responseSchema: file://schema.json", ""}, // named, and not copied
	} {
		tree := files("promptfooconfig.yaml", "prompts: ["+c.prompt+"]\nproviders: [{id: openai:gpt-5-mini, config: {"+c.config+
			"}}]\ntests: [{vars: {q: hi}, assert: [{type: contains, value: hi}]}]",
			"one.txt", "Say {{q}}", "two.txt", "Say {{q}}\n---\nAnswer {{q}}", "chat.json", `[{"role": "user", "content": {{q | dump}}}]`,
			"tools.json", `[{"type": "function", "function": {"name": "f"}}]`, "system.txt", "Be kind.", "schema.json", `{"type": "object"}`,
			"schema.yaml", "type: object", "format.json", `{"type": "json_schema", "json_schema": {"schema": {"type": "object"}}}`)
		r := promptfoo.Import(promptfoo.Input{Tree: tree, Config: "promptfooconfig.yaml", InPlace: true})
		told := findingsText(r, promptfoo.Changed)
		for _, part := range strings.Split(c.told, "…") {
			if !strings.Contains(told, part) || (told == "") != (c.told == "") {
				t.Errorf("%s, %s: told %q, want %q", c.prompt, c.config, told, c.told)
			}
		}
		if left := findingsText(r, promptfoo.ToDo); left != "" {
			t.Errorf("%s, %s: left to do: %s", c.prompt, c.config, left)
		}
		if _, ds := faults(t, asTree(t, r, tree)); document.HasErrors(ds) {
			t.Errorf("%s, %s: %v", c.prompt, c.config, ds)
		}
	}
}

func TestAPromptFileBesideInstructionsStaysTheFileThatIsTested(t *testing.T) {
	tree := files("promptfooconfig.yaml", "prompts: [file://one.txt]\nproviders: [{id: openai:gpt-5-mini, config: {systemPrompt: Be kind.}}]\n"+
		"tests: [{vars: {q: hi}, assert: [{type: contains, value: hi}]}]", "one.txt", "Say {{q}}")
	r := promptfoo.Import(promptfoo.Input{Tree: tree, Config: "promptfooconfig.yaml", InPlace: true})
	if got := text(r, "suites/one.yaml"); !strings.Contains(got, `file: "../one.txt"`) || !strings.Contains(got, "Be kind.") {
		t.Errorf("the suite:\n%s", got)
	}
	if _, ds := faults(t, asTree(t, r, tree)); document.HasErrors(ds) {
		t.Error(ds)
	}
}

func TestAPromptThatIsLeftOutIsSaidToHaveNoSuite(t *testing.T) {
	for _, prompt := range []string{"file://p.txt", "file://p.py", "file://chat.json", "'{{q | upper}}'", "langfuse://p"} {
		tree := files("promptfooconfig.yaml", "prompts: ['{{q}}', "+prompt+"]\nproviders: [openai:gpt-5-mini]\ntests: [{vars: {q: hi}, assert: [{type: contains, value: hi}]}]",
			"p.txt", "{{q | upper}}", "chat.json", `[{"role": "tool", "content": "hi"}]`)
		r := promptfoo.Import(promptfoo.Input{Tree: tree, Config: "promptfooconfig.yaml", InPlace: true})
		if told := findingsText(r, promptfoo.ToDo); r.Suites != 1 || strings.Count(told, "no suite for the prompt") != 1 {
			t.Errorf("%s: %d suites, and it says %s", prompt, r.Suites, told)
		}
	}
}

func TestWhoIsAsked(t *testing.T) {
	for _, c := range []struct{ provider, want, told string }{
		{"openai:chat:gpt-4o-mini", "gpt-4o-mini: {provider: openai, model: gpt-4o-mini, api_key_env: OPENAI_API_KEY}", ""},
		{"openai:responses:gpt-5", "api: responses", ""},
		{"anthropic:messages:claude-haiku-4-5", "provider: anthropic, model: claude-haiku-4-5, api_key_env: ANTHROPIC_API_KEY", ""},
		{"ollama:chat:llama3.3", `base_url: "http://localhost:11434/v1"`, ""},
		{"{id: 'azure:chat:gpt', config: {apiHost: me.openai.azure.com, apiVersion: 2024-10-21}}", "https://me.openai.azure.com/openai/v1", ""},
		{"google:gemini-2.5-flash", "generativelanguage.googleapis.com/v1beta/openai", ""},
		{"{id: 'openai:gpt-5', config: {apiKey: '{{env.MY_KEY}}', seed: 7, top_k: 3}}", "api_key_env: MY_KEY seed: 7 extra_body: {top_k: 3}", ""},
		{"{id: https, config: {url: 'https://a.example/x', headers: {X-Key: 'Token ${KEY}'}, body: {q: '{{prompt}}', u: '{{user}}'}, transformResponse: 'json.data[0].text'}}",
			`body: {q: "{{ prompt }}", u: "{{ vars.user }}"} answer: response.json.data[0].text`, ""},
		{"databricks:dbrx", "https://YOUR-WORKSPACE.cloud.databricks.com", "comes from the environment"},
		{"{id: 'openai:gpt-5', config: {max_tokens: 1.5}}", "gpt-5: {provider: openai, model: gpt-5, api_key_env: OPENAI_API_KEY}", "not a number that"},
		{"bedrock:amazon.nova-pro-v1:0", "provider: recorded", "failproof calls endpoints"},
		{"exec:python a.py", "provider: recorded", "failproof calls endpoints"},
		{"openai:image:dall-e-3", "provider: recorded", "it gives no text"},
		{"{$ref: '#/none'}", "provider: recorded", "nothing is there"},
		{"openai:completion:davinci", "provider: recorded", "it gives no text"},
		{"{id: 'openai:gpt-5', config: {apiKeyEnvar: MINE, organization: acme, stop: [a, b], passthrough: {x: 1}}}",
			"api_key_env: MINE stop: [a, b] headers: {OpenAI-Organization: acme} extra_body: {x: 1}", ""},
		{"{id: 'openai:gpt-5', config: {apiHost: 'https://me.example/'}}", `base_url: "https://me.example/v1"`, ""},
		{"{id: 'mistral:large', config: {apiHost: me.example}}", `base_url: "https://api.mistral.ai/v1"`, "not a plain address"},
		{"{id: 'openai:gpt-5', config: {apiBaseUrl: 'https://me.example/?a=b'}}", "provider: openai", "not a plain address"},
		{"{id: 'anthropic:messages:claude-haiku-4-5', config: {top_k: 3, stop: [a]}}", "provider: anthropic", "cannot be set"},
		{"{id: 'databricks:dbrx', config: {workspaceUrl: 'https://me.example/'}}", "base_url: https://me.example/serving-endpoints", ""},
		{"{id: 'databricks:dbrx', config: {workspaceUrl: '{{env.W}}'}}", "https://YOUR-WORKSPACE", "not a plain address"},
		{"{id: 'openai:gpt-5', config: {headers: X-A, passthrough: x}}", "gpt-5: {", "`headers`: this is not a map"},
		{"{id: 'openai:gpt-5', config: {headers: {Host: a.example, X-A: b}}}", "headers: {X-A: b}", ""},
		{"{id: 'openai:gpt-5', config: {systemPrompt: '{{ q | upper }}'}}", "provider: openai", "not text with variables"},
		{"{id: 'openai:gpt-5', config: {response_format: {type: json_object}}}", "provider: openai", "only a JSON Schema"},
		{"{id: 'openai:gpt-5', config: {response_format: file://none.json}}", "provider: openai", "it does not exist"},
		{"{id: http, config: {body: {q: '{{prompt}}'}}}", "provider: recorded", "missing or computed"},
		{"{id: 'https://a.example/x', config: {method: PUT, body: {q: '{{prompt}}'}}}", "provider: recorded", "called with POST"},
		{"{id: 'https://a.example/x', config: {body: {q: hi}}}", "provider: recorded", "variables in its values"},
		{"{id: 'https://a.example/x', config: {body: {q: '{{ q | upper }}'}}}", "provider: recorded", "is computed"},
		{"{id: 'https://a.example/x', config: {body: 'q={{prompt}}'}}", "provider: recorded", "not an object"},
		{strings.Repeat("openai:gpt-5, ", 17), "gpt-5-16: {", "at most 16 targets"},
	} {
		tree := files("promptfooconfig.yaml", "prompts: ['{{q}}']\nproviders: ["+c.provider+"]\ntests: [{vars: {q: hi, user: Ada}}]")
		r := promptfoo.Import(promptfoo.Input{Tree: tree, Config: "promptfooconfig.yaml"})
		if got := text(r, ".github/failproof.yml"); !strings.Contains(strings.Join(strings.Fields(got), " "), strings.Join(strings.Fields(c.want), " ")) {
			t.Errorf("%s became\n%s", c.provider, got)
		}
		if told := findingsText(r, promptfoo.ToDo); !strings.Contains(told, c.told) || c.told == "" && told != "" {
			t.Errorf("%s: %s", c.provider, told)
		}
		if _, ds := faults(t, asTree(t, r, nil)); document.HasErrors(ds) {
			t.Errorf("%s: %v", c.provider, ds)
		}
	}
}

func TestAPromptThatNoProviderNamesHasNoTarget(t *testing.T) {
	r := importOf("prompts: [{raw: '{{q}}', label: a}]\nproviders: [{id: openai:gpt-5, prompts: [b]}]\ntests: [{vars: {q: hi}}]")
	if told := findingsText(r, promptfoo.ToDo); r.Suites != 1 || !strings.Contains(told, "no provider names its label") {
		t.Errorf("%d suites: %s", r.Suites, told)
	}
}

func TestProvidersAndPromptsInFiles(t *testing.T) {
	tree := files("promptfooconfig.yaml", "prompts: [prompts/*]\nproviders: [file://p.yaml]\ntests: [{vars: {q: hi}}]", "p.yaml", "[{id: 'openai:gpt-5', label: big}, 'openai:gpt-5-mini']",
		"prompts/a.txt", "A {{q}}", "prompts/b.json", `[{"role": "system", "content": "Kind"}, {"role": "user", "content": "{{q}}"}]`)
	r := promptfoo.Import(promptfoo.Input{Tree: tree, Config: "promptfooconfig.yaml", InPlace: true})
	if got := text(r, ".github/failproof.yml"); !strings.Contains(got, "\n  big: ") || !strings.Contains(got, "\n  gpt-5-mini: ") || r.Suites != 2 || r.Extent() != promptfoo.ExtentFull {
		t.Errorf("%s, %d suites, %s:\n%s", got, r.Suites, r.Extent(), findingsText(r, promptfoo.ToDo))
	}
	if got := text(r, "suites/b.yaml"); !strings.Contains(got, `prompt: "../prompts/b.json"`) {
		t.Errorf("%s", got)
	}
	if _, ds := faults(t, asTree(t, r, tree)); document.HasErrors(ds) {
		t.Error(ds)
	}
}

func TestAFileThatIsNoConfigurationIsOneFinding(t *testing.T) {
	for name, told := range map[string]string{
		"promptfooconfig.js": "it is code, which is not run", "suite.yaml": "it is a suite of failproof", "nope.yaml": "it does not exist",
	} {
		tree := files("promptfooconfig.js", "module.exports = { prompts: [] }", "suite.yaml", "version: 1\nprompt: p.md\ncases: [{ id: a }]")
		r := promptfoo.Import(promptfoo.Input{Tree: tree, Config: name})
		if len(r.Findings) != 1 || !strings.Contains(r.Findings[0].Why, told) {
			t.Errorf("%s: %v", name, r.Findings)
		}
	}
}

func TestDifferencesBesideToolsAreOneGroup(t *testing.T) {
	tree := files("promptfooconfig.yaml", "prompts: ['{{q}}']\nproviders: [{id: 'openai:gpt-5', config: {tools: [{type: function, function: {name: f}}]}}]\n"+
		"tests: [{vars: {q: a}, assert: [{type: contains, value: x}, {type: contains, value: y}]}]")
	changed := 0
	for _, g := range promptfoo.Import(promptfoo.Input{Tree: tree, Config: "promptfooconfig.yaml"}).Groups() {
		if strings.Contains(g.Why, "tool_calls") {
			changed++
		}
	}
	if changed != 1 {
		t.Errorf("%d groups say that a tool call is no text; want 1", changed)
	}
}

// A key that stands in a configuration is neither written nor told.
func TestAKeyIsNotRepeated(t *testing.T) {
	const key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789"
	tree := files("promptfooconfig.yaml", "env: {OPENAI_API_KEY: "+key+"}\nprompts: ['{{q}}']\nproviders: [{id: 'openai:gpt-5', config: {apiKey: "+key+", headers: {Authorization: Bearer "+key+
		", X-A: "+key+"}, user: "+key+"}}]\ntests: [{vars: {q: hi}}]")
	r := promptfoo.Import(promptfoo.Input{Tree: tree, Config: "promptfooconfig.yaml"})
	for _, f := range r.Files {
		if strings.Contains(string(f.Text), key[:12]) {
			t.Errorf("%s holds the key:\n%s", f.Name, f.Text)
		}
	}
	if n := strings.Count(findingsText(r, promptfoo.ToDo), "\n"); n != 5 {
		t.Errorf("%d are told:\n%s", n, findingsText(r, promptfoo.ToDo))
	}
}

// What a configuration says can neither reach files elsewhere nor take much.
func TestAHostileConfigurationIsAFinding(t *testing.T) {
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 12; i++ {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	for _, c := range []struct{ name, config, told string }{
		{"a path out of the tree", "prompts: [file://../../etc/passwd]", "leads out"},
		{"a path of Windows", "prompts: ['file://..\\a.txt']", "a backslash"},
		{"an absolute path", "prompts: [file:///etc/passwd]", "outside"},
		{"an escaped path", "prompts: ['file://%2e%2e/%2e%2e/secret.txt']", "leads out"},
		{"a path of variables", "prompts: ['file://{{env.HOME}}/a.txt']", "made of variables"},
		{"a pattern that names everything", "prompts: ['file://**/**/**/*.nothing']", "names no file"},
		{"a bomb of anchors", bomb + "prompts: [a]", "more than 200000 values"},
		{"a circle of anchors", "a: &a {b: *a}\nprompts: [x]", "write it flatter"},
		{"a tag, and anchors that are no hindrance", "a: &a {b: !!binary aGk=}\nc: *a\nprompts: [x]", "1:11: the file: YAML tag"},
		{"a circle of references", "assertionTemplates: {a: {$ref: '#/assertionTemplates/a'}}\nprompts: [a]\ntests: [{assert: [{$ref: '#/assertionTemplates/a'}]}]", "not a map with a `type`"},
		{"a list of lists", "prompts: " + strings.Repeat("[", 200) + strings.Repeat("]", 200), "inside each other"},
		{"tests that name themselves", "prompts: [a]\ntests: file://loop*.yaml", "5000 files"},
		{"providers that name themselves", "prompts: [a]\nx-p: 1\nproviders: file://p.yaml\n#", "5000 files"},
		{"no map", "[]", "is not a map"},
		{"nothing", "{}", "there are none"},
	} {
		tree := files("evals/promptfooconfig.yaml", c.config+strings.Repeat("\nproviders: [openai:gpt-5]\n", 1-strings.Count(c.config, "providers:")), "evals/loop1.yaml", "- file://loop1.yaml\n- file://loop*.yaml\n", "evals/loop2.yaml", "- file://loop*.yaml", "evals/p.yaml", "[file://p.yaml]", "secret.txt", "hidden", "etc/passwd", "hidden")
		if !strings.Contains(c.config, "prompts:") {
			tree = files("evals/promptfooconfig.yaml", c.config)
		}
		r := promptfoo.Import(promptfoo.Input{Tree: tree, Config: "evals/promptfooconfig.yaml"})
		if told := findingsText(r, promptfoo.ToDo); !strings.Contains(told, c.told) {
			t.Errorf("%s: %s", c.name, told)
		}
		for _, f := range r.Files {
			if strings.Contains(string(f.Text), "hidden") {
				t.Errorf("%s: %s holds what the configuration must not reach", c.name, f.Name)
			}
		}
	}
}

// A value of another kind than promptfoo has there is no crash, at any place.
func TestNoOddValueBreaksTheImport(t *testing.T) {
	const config = `{"description": "a", "prompts": [{"raw": "{{q}}", "label": "l"}, "file://p.txt", [{"role": "user", "content": "a"}]],
"providers": ["echo", {"id": "openai:gpt-5", "label": "l", "prompts": ["l"], "transform": "output.a", "config": {"apiKey": "$A", "apiHost": "a.b",
	"headers": {"A": "b"}, "stop": ["a"], "reasoning": {"effort": "low"}, "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}],
	"response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "object"}}}, "systemInstruction": {"parts": [{"text": "a"}]}, "extra_body": {"a": 1}}},
	{"id": "https://a.example", "config": {"body": {"a": ["{{prompt}}"]}, "transformResponse": "json.a"}}, {"openai:gpt-5": {"config": {"seed": 1}}}],
"defaultTest": {"vars": {"n": ["a"]}, "assert": [{"type": "contains", "value": "a"}], "options": {"provider": {"text": "openai:gpt-5", "embedding": "b"}}},
"scenarios": [{"config": [{"vars": {"q": "a"}}], "tests": [{"vars": {"m": {"a": 1}}}]}], "evaluateOptions": {"repeat": 2},
"tests": [{"vars": {"q": "a"}, "metadata": {"a": ["b"]}, "threshold": 1, "options": {"transform": "output.b"}, "assert": [{"type": "assert-set", "assert": [{"type": "equals", "value": {"a": ["{{q}}"]}}]},
	{"type": "contains-any", "value": ["a"], "weight": 2}, {"type": "is-json", "value": {"type": "object"}}, {"type": "javascript", "value": "output.a", "threshold": 0.5, "transform": "output.c"},
	{"type": "llm-rubric", "value": ["a"], "provider": "openai:gpt-5"}, {"type": "factuality", "value": "a"}, {"type": "word-count", "value": {"min": 1}}, {"type": "latency", "threshold": 5}]}, {"path": "t.csv"}]}`
	var whole any
	if err := json.Unmarshal([]byte(config), &whole); err != nil {
		t.Fatal(err)
	}
	count := 0
	var visit func(value any, set func(any))
	visit = func(value any, set func(any)) {
		for _, odd := range []any{nil, "file://none.yaml", []any{nil, 1}, map[string]any{"$ref": "#/none"}} {
			set(odd)
			text, err := json.Marshal(whole)
			if err != nil {
				t.Fatal(err)
			}
			count += promptfoo.Import(promptfoo.Input{Config: "c.json", Results: []byte(`{"results": {"results": [{}]}}`),
				Tree: files("c.json", string(text), "p.txt", "{{q}}", "t.csv", "q,__expected\na,contains: b\n")}).Cases
		}
		set(value)
		switch v := value.(type) {
		case map[string]any:
			for key, item := range v {
				visit(item, func(odd any) { v[key] = odd })
			}
		case []any:
			for i, item := range v {
				visit(item, func(odd any) { v[i] = odd })
			}
		}
	}
	visit(whole, func(odd any) { whole = odd })
	if count < 1000 {
		t.Errorf("only %d cases came of it", count)
	}
}

func FuzzNoConfigurationBreaksTheImport(f *testing.F) {
	f.Add("prompts: ['{{q}}']\nproviders: [openai:gpt-5]\ntests: [{vars: {q: hi}, assert: [{type: contains, value: a}]}]", "q,__expected\na,b\n")
	f.Add("prompts: file://p.txt\nproviders: [{id: http, config: {url: 'https://a.example', body: {a: '{{prompt}}'}}}]\ntests: file://t.csv", "q\n---\nb")
	f.Add("prompts: [{raw: a, label: b}]\ndefaultTest: {assert: [{type: llm-rubric, value: '{{q}}'}]}\ntests: [{vars: {q: [1, 2]}}]", "")
	f.Fuzz(func(t *testing.T, config, other string) {
		tree := files("promptfooconfig.yaml", config, "p.txt", other, "t.csv", other)
		r := promptfoo.Import(promptfoo.Input{Tree: tree, Config: "promptfooconfig.yaml", Results: []byte(other)})
		if r.Extent() == promptfoo.ExtentNone {
			return
		}
		if _, ds := faults(t, asTree(t, r, nil)); document.HasErrors(ds) {
			t.Logf("%v", ds) // what was not foreseen is told by the command
		}
	})
}
