package promptfoo_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/promptfoo"
)

// Conditions that were once translated judge as their translations do, on answers on both sides of the line.
func TestAConditionJudgesAsAnExpressionDoes(t *testing.T) {
	answers := []string{"", "a", "b", "ab", "ba", "a!", "aaa", "abcd", "abc def ghi", "yes, a", "Yes", "it's", " it's ", "123", "one\ntwo\n\nthree",
		`{"total": 900, "items": [{"name": "Ada"}]}`, `{"total": 901, "items": [{"name": "Bob"}]}`, "[1]"}
	const tools = "prompts: ['{{q}}']\nproviders: [{id: openai:gpt-5-mini, config: {tools: [{type: function, function: {name: refund, parameters: {type: object}}}]}}]\n"
	for _, c := range []struct {
		tools            bool
		code, expression string
	}{
		{false, "output.length < 100", "response.length < 100"},
		{false, "output.includes('a') && !output.includes(\"b\")", "response.text contains 'a' and not (response.text contains 'b')"},
		{false, "return output.toLowerCase().startsWith('yes');", "lower(response.text) startsWith 'yes'"},
		{false, "output.trim() === 'it\\'s'", `trim(response.text) == "it's"`},
		{false, "/^\\d{3}$/i.test(output)", `response.text matches "(?i)^\\d{3}$"`},
		{false, "output.match(/a.c/)", `response.text matches "a.c"`},
		{false, "JSON.parse(output).total <= 900", "response.json.total <= 900"},
		{false, "output.items[0].name === context.vars.name", "response.json.items[0].name == vars.name"},
		{false, "output.length > context.vars.least", "response.length > float(vars.least)"},
		{false, "['a', 'b'].some(w => output.includes(w))", "any(['a', 'b'], response.text contains #)"},
		{false, "output.split('\\n').filter(l => l.trim()).length === 3", `len(filter(split(response.text, "\n"), trim(#) != "")) == 3`},
		{false, "// lines\nconst lines = output.split(' ');\nreturn lines.length >= 3;", "len(split(response.text, ' ')) >= 3"},
		{false, "if (!output || output.length < 10) {\n return { pass: false, score: 0, reason: 'short' };\n}\nreturn { pass: true, score: 1, reason: 'ok' };",
			`response.text != "" and not (response.length < 10)`},
		{false, "output.includes('a')\n  || output.includes('b')", "response.text contains 'a' or response.text contains 'b'"},
		{false, "(output.includes('a') || output.includes('b')) && output.length < 9", "(response.text contains 'a' or response.text contains 'b') and response.length < 9"},
		{false, "!(output.includes('a') && !output.includes('b'))", "not (response.text contains 'a') or response.text contains 'b'"},
		{false, "output.includes('a') ? 1 : 0", "response.text contains 'a'"},
		{false, "output.length > 2 ? output.includes('x') : output === 'ab'", "response.length > 2 ? response.text contains 'x' : response.text == 'ab'"},
		{false, "!output.includes('a') || output.endsWith('!')", "not (response.text contains 'a') or response.text endsWith '!'"},
		{false, "context.vars.name && output", `vars.name != "" and response.text != ""`},
		{true, "output[0].function.name === 'refund'", "response.tool_calls[0].name == 'refund'"},
		{true, "JSON.parse(output[0].function.arguments).order === 'A-1'", "response.tool_calls[0].arguments.order == 'A-1'"},
		{true, "output.length === 1", "len(response.tool_calls) == 1"},
	} {
		config := "prompts: ['{{q}}']\nproviders: [openai:gpt-5-mini]\n"
		if c.tools {
			config = tools
		}
		config += "tests: [{vars: {q: hi, name: Ada, least: 3}, assert: [{type: javascript, value: " + strconv.Quote(c.code) + "}]}]"
		r := importOf(config)
		suites, ds := faults(t, asTree(t, r, nil))
		if len(suites) != 1 || document.HasErrors(ds) {
			t.Fatalf("%s: %v", c.code, ds)
		}
		expression, err := expect.CompileAssertion(c.expression)
		if err != nil {
			t.Fatal(err)
		}
		one := suites[0].Cases[0].Open()
		met := func(e *expect.Expectation, a *expect.Answer) bool {
			_, unmet, _ := e.Check(a, map[string]string{"q": "hi", "name": "Ada", "least": "3"})
			return len(unmet) == 0
		}
		seen := map[bool]bool{}
		for _, answer := range callsOr(c.tools, answers) {
			was, is := met(&expect.Expectation{Assertions: []*expect.Criterion{expression}}, answer()), met(one.Expect, answer())
			if seen[is] = true; was != is {
				t.Errorf("%s: %v of %+v; as an expression %v", c.code, is, answer().Text, was)
			}
		}
		if len(seen) < 2 && c.code != "output.length < 100" && c.code != "output.length === 1" {
			t.Errorf("%s: all answers are judged alike", c.code)
		}
	}
}

// callsOr makes answers that call a tool, or of texts.
func callsOr(tools bool, texts []string) (out []func() *expect.Answer) {
	if tools {
		for _, call := range []model.ToolCall{{Name: "refund", Arguments: `{"order":"A-1"}`}, {Name: "close", Arguments: `{"order":"A-2"}`}} {
			out = append(out, func() *expect.Answer {
				a := expect.NewAnswer(model.Response{})
				a.ToolCalls = []model.ToolCall{call}
				return a
			})
		}
		return out
	}
	for _, text := range texts {
		out = append(out, func() *expect.Answer { return expect.NewAnswer(model.Response{Text: model.Untrusted(text)}) })
	}
	return out
}

// promptfoo stores what a transform took of an answer. That is no answer, and its case is asked anew.
func TestAPartOfAnAnswerIsNotRecorded(t *testing.T) {
	const results = `{"results": {"results": [{"provider": "openai:gpt-5-mini", "prompt": {"raw": "hi"}, "response": {"output": "a"}}]}}`
	for transform, want := range map[string]int{"output.text": 0, "output.trim()": 1} {
		config := "prompts: ['{{q}}']\nproviders: [openai:gpt-5-mini]\n" +
			"tests: [{vars: {q: hi}, options: {transform: " + transform + "}, assert: [{type: contains, value: a}]}]"
		r := promptfoo.Import(promptfoo.Input{Tree: files("promptfooconfig.yaml", config), Config: "promptfooconfig.yaml",
			Results: []byte(results), ResultsName: "out.json"})
		told := strings.Contains(findingsText(r, promptfoo.ToDo), "it is the result of a transform")
		if len(r.Answers) != want || told != (want == 0) {
			t.Errorf("%s: %d answers; to do\n%s", transform, len(r.Answers), findingsText(r, promptfoo.ToDo))
		}
	}
}

// A stored answer is that to a case of the same input, by the provider of the same label or id.
func TestStoredAnswersAreThoseOfTheirCases(t *testing.T) {
	const config = `prompts: ['[{"role": "developer", "content": "Be kind"}, {"role": "user", "content": "{{q}}"}]']
providers: [{id: openai:gpt-5-mini, label: small}, {id: openai:gpt-5, config: {tools: [{type: function, function: {name: f}}]}}]
tests: [{vars: {q: hi}, assert: [{type: llm-rubric, value: Polite}]}]`
	const prompt = `"prompt": {"raw": "[{\"role\": \"developer\", \"content\": \"Be kind\"}, {\"role\": \"user\", \"content\": \"hi\"}]"}`
	const small, large = `"provider": {"id": "openai:gpt-5-mini", "label": "small"}, ` + prompt, `"provider": "openai:gpt-5", ` + prompt
	for _, c := range []struct{ row, want, told string }{
		{small + `, "response": {"output": "a", "cost": 0.5}, "latencyMs": 7`, "small replay-small 1 a [] 7ms true", ""},
		{small + `, "response": {"output": {"b": [1, 2]}}, "latencyMs": -7`, `small replay-small 1 {"b":[1,2]} [] 0s false`, ""},
		{large + `, "response": {"output": [{"function": {"name": "f", "arguments": "{}"}}]}`, "gpt-5 replay-gpt-5 1  [{f {}}] 0s false", ""},
		{large + `, "response": {"output": [{"type": "other"}]}`, `gpt-5 replay-gpt-5 1 [{"type":"other"}] [] 0s false`, ""},
		{large + `, "response": {"output": {"a": 1}}`, `gpt-5 replay-gpt-5 1 {"a":1} [] 0s false`, ""},
		{small + `, "response": {"error": "no"}`, "", "it has an error instead"},
		{`"provider": 7, ` + prompt + `, "response": {"output": "a"}`, "", "a provider that is not in"},
		{`"provider": "openai:gpt-5", "prompt": {"raw": "[]"}, "response": {"output": "a"}`, "", "no case has this input"},
	} {
		r := promptfoo.Import(promptfoo.Input{Tree: files("promptfooconfig.yaml", config), Config: "promptfooconfig.yaml",
			Results: []byte(`{"results": {"results": [{` + c.row + `}]}}`), ResultsName: "out.json"})
		got := ""
		for _, a := range r.Answers {
			got += fmt.Sprint(a.Target, " ", a.ReplayTarget, " ", a.Trial, " ", a.Response.Text, " ", a.Response.ToolCalls, " ", a.Response.Latency, " ", a.Response.Usage.Cost == model.USD(0.5))
		}
		if told := findingsText(r, promptfoo.ToDo); got != c.want || !strings.Contains(told, c.told) || c.told == "" && told != "" {
			t.Errorf("%s: %q, %s", c.row, got, told)
		}
		if _, ds := faults(t, asTree(t, r, nil)); document.HasErrors(ds) {
			t.Errorf("%s: %v", c.row, ds)
		}
	}
}

// promptfoo leaves out white space around the text of a variable's file, and its stored requests are without it.
func TestAStoredAnswerToAFilesTextHasACase(t *testing.T) {
	const config = "prompts: ['Sum up {{q}} in short']\nproviders: [openai:gpt-5-mini]\ntests: [{vars: {q: file://q.txt}, assert: [{type: contains, value: a}]}]"
	const results = `{"results": {"results": [{"provider": "openai:gpt-5-mini", "prompt": {"raw": "Sum up this in short"}, "response": {"output": "a"}}]}}`
	r := promptfoo.Import(promptfoo.Input{Tree: files("promptfooconfig.yaml", config, "q.txt", "this\n"), Config: "promptfooconfig.yaml",
		Results: []byte(results), ResultsName: "out.json", InPlace: true})
	if told := findingsText(r, promptfoo.ToDo); len(r.Answers) != 1 || told != "" {
		t.Errorf("%d answers; to do\n%s", len(r.Answers), told)
	}
	if _, ds := faults(t, asTree(t, r, files("q.txt", "this\n"))); document.HasErrors(ds) {
		t.Error(ds)
	}
}
