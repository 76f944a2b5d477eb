package suite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/config"
)

// dialects returns the warnings about another tool's templates in a suite whose cases have the variables question, name
// and answer. An assertion reads answer.
func dialects(prompt, inline string, takes config.CaseInputs) (said []string) {
	cfg := settings()
	echo := cfg.Targets["echo"]
	echo.Inputs = takes
	cfg.Targets["echo"] = echo
	_, ds := loadOpen(tree(map[string]string{
		"prompts/p.txt": prompt,
		"suites/s.yaml": "version: 1\ntarget: echo\nmessages: [{ role: system, file: ../prompts/p.txt }" + inline + "]\n" +
			"cases:\n  - { id: a, vars: { question: Hi, name: Ada, answer: x }, assert: [\"response.text contains vars.answer\"] }\n",
	}), cfg, cfg.Suites)
	for _, d := range ds {
		if d.Rule == "template-dialect" {
			written, _, _ := strings.Cut(d.Message, " is ")
			said = append(said, fmt.Sprintf("%s:%d:%d %s", d.Path, d.Line, d.Column, written))
		}
	}
	return said
}

func TestAnotherToolsTemplateIsNamed(t *testing.T) {
	for _, c := range []struct {
		rule, prompt string
		want         []string
	}{
		{"a variable in one pair of braces", "Answer\n  {question} for { name }.", []string{`2:3 "{question}"`, `2:18 "{ name }"`}},
		{"each once", "{name} {name} ${name}", []string{`1:1 "{name}"`}},
		{"with a dollar sign", "a ${question}", []string{`1:3 "${question}"`}},
		{"a word behind a dollar sign", "Ask $question, please", []string{`1:5 "$question"`}},
		{"set apart as code", "```{question}``` and\n```text\n{name}\n```", []string{`1:4 "{question}"`, `3:1 "{name}"`}},
		{"within JSON", `{"q": "{question}"}`, []string{`1:8 "{question}"`}},
		{"one that an assertion reads, where nothing is filled", "Say {answer}", []string{`1:5 "{answer}"`}},
		{"a statement of Jinja", "Hi {{ name }}{% if x %}!{% endif %}", []string{`1:14 "{% if x %}"`}},
		{"one that keeps no white space", "{%- for a in b -%}", []string{`1:1 "{%- for a in b -%}"`}},
		{"a comment", "Hi\n{# do not\nsend #}", []string{`2:1 "{# do not\nsend #}"`}},
		{"what no case gives", "{city} ${city} $city", nil},
		{"what the prompt takes", "{{ question }} {question} ${question}", nil},
		{"what an assertion reads, beside what is filled", "{{ question }} Answer as {answer}", nil},
		{"an object", `{{ question }} { name: 1 } {"name": 2} {name, answer} {name:x} { "a": {} }`, nil},
		{"code and formulas without a variable of the case", "{{ question }} `print(f\"{city}\")` \\boxed{x} x_{ij} $city$", nil},
		{"signs alone", "{{ question }} {% {%} {#} {} $ ${} { %} {%x%} {#id} $5 { #}", nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var want []string
			for _, place := range c.want {
				want = append(want, "prompts/p.txt:"+place)
			}
			if got := dialects(c.prompt, "", config.CaseInputs{}); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("of %q it says\n\t%q, want\n\t%q", c.prompt, got, want)
			}
		})
	}
}

func TestAnotherToolsTemplateIsNotNamed(t *testing.T) {
	for _, c := range []struct {
		rule, inline string
		takes        config.CaseInputs
	}{
		{"where another message takes the variable", `, { role: user, content: "{{ question }}" }`, config.CaseInputs{}},
		{"where the target is sent it, and may fill it", "", config.CaseInputs{Vars: []string{"question"}}},
		{"where the target is sent all variables", "", config.CaseInputs{AllVars: true}},
	} {
		if got := dialects("Answer {question}", c.inline, c.takes); got != nil {
			t.Errorf("%s: %q", c.rule, got)
		}
	}
	if got := dialects("{% if x %}", "", config.CaseInputs{Vars: []string{"x"}}); got != nil {
		t.Errorf("a statement that the target may run: %q", got)
	}
}

// TestAnotherToolsVariableIsSaidOnce checks that a variable in another tool's form is not reported as unused too.
func TestAnotherToolsVariableIsSaidOnce(t *testing.T) {
	_, ds := loaded(map[string]string{
		"suites/s.yaml": "version: 1\nmessages: [{ role: user, content: \"Answer {q}\" }]\ncases:\n  - { id: a, vars: { q: Hi }, expected_response: x }\n",
	})
	check(t, ds, []string{"suites/s.yaml:2:43 warning template-dialect: …taken as it stands, and not filled, because only {{ q }} is filled; if your application computes it, save the text that it renders, and name that as the prompt; to send"})
}

// TestAnotherToolsVariableInAnEvaluatorIsNamed checks evaluators, which have variables as messages do.
func TestAnotherToolsVariableInAnEvaluatorIsNamed(t *testing.T) {
	_, ds := promptFile("messages: [{ role: user, content: \"{{input}}\" }]\ntestData: [{ input: a, expected: b }]\nevaluators: [{ name: ok, string: { contains: \"{expected}\" } }]\n")
	check(t, ds, []string{"prompts/sum.prompt.yml:3:47 warning template-dialect: …taken as it stands"})
}

// TestDialectsInIsBoundedByTheText would time out if the search took more than linear time.
func TestDialectsInIsBoundedByTheText(t *testing.T) {
	for _, text := range []string{strings.Repeat("${a}", 1<<18), strings.Repeat("$", 1<<20), "$" + strings.Repeat("a", 1<<20), "```" + strings.Repeat("{a}", 1<<18) + "```", strings.Repeat("`{a}", 1<<18), strings.Repeat("{% if ", 1<<17), strings.Repeat("{# ", 1<<18), "{# " + strings.Repeat("{a}", 1<<18)} {
		parsed, _ := parseTemplate(text)
		if n := len(dialectsIn(parsed)); n > 1 {
			t.Errorf("%s…: %d places", text[:9], n)
		}
	}
	var many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&many, "{v%d}", i)
	}
	if n := len(dialectsIn(template{[]part{{text: many.String()}}})); n != maxDialects {
		t.Errorf("%d places of 1000, want %d", n, maxDialects)
	}
}
