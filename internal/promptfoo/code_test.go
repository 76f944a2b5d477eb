package promptfoo

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/expect"
)

func TestAProgramOfOneConditionIsAnExpression(t *testing.T) {
	for _, c := range []struct {
		language   language
		tools      bool
		code, want string // "": it is refused
	}{
		{javascript, false, "output.length < 100", "response.length < 100"},
		{javascript, false, "output.includes('a') && !output.includes(\"b\")", "response.text contains 'a' and not (response.text contains 'b')"},
		{javascript, false, "return output.toLowerCase().startsWith('yes');", "lower(response.text) startsWith 'yes'"},
		{javascript, false, "output.trim() === 'it\\'s'", `trim(response.text) == "it's"`},
		{javascript, false, "/^\\d{3}$/i.test(output)", `response.text matches "(?i)^\\d{3}$"`},
		{javascript, false, "output.match(/a(?=b)/)", ""},
		{javascript, false, "JSON.parse(output).total <= 900", "response.json.total <= 900"},
		{javascript, false, "output.items[0].name === context.vars.name", "response.json.items[0].name == vars.name"},
		{javascript, false, "output.length > context.vars.least", "response.length > float(vars.least)"},
		{javascript, false, "['a', 'b'].some(w => output.includes(w))", "any(['a', 'b'], response.text contains #)"},
		{javascript, false, "output.split('\\n').filter(l => l.trim()).length === 3", `len(filter(split(response.text, "\n"), trim(#) != "")) == 3`},
		{javascript, false, "// lines\nconst lines = output.split(' ');\nreturn lines.length >= 3;", "len(split(response.text, ' ')) >= 3"},
		{javascript, false, "if (!output || output.length < 10) {\n return { pass: false, score: 0, reason: 'short' };\n}\nreturn { pass: true, score: 1, reason: 'ok' };",
			`response.text != "" and not (response.length < 10)`},
		{javascript, false, "output.includes('a')\n  || output.includes('b')", "response.text contains 'a' or response.text contains 'b'"},
		{javascript, false, "(output.includes('a') || output.includes('b')) && output.length < 9", "(response.text contains 'a' or response.text contains 'b') and response.length < 9"},
		{javascript, false, "!(output.includes('a') && !output.includes('b'))", "not (response.text contains 'a') or response.text contains 'b'"},
		{javascript, false, "output.includes('a') ? 1 : 0", "response.text contains 'a'"},
		{javascript, true, "output[0].function.name === 'refund'", "response.tool_calls[0].name == 'refund'"},
		{javascript, true, "JSON.parse(output[0].function.arguments).order === 'A-1'", "response.tool_calls[0].arguments.order == 'A-1'"},
		{javascript, true, "output.includes('refund')", ""},
		{javascript, false, "output.length / 100", ""},
		{javascript, false, "true", ""},
		{javascript, false, "fetch('https://example.com')", ""},
		{javascript, false, "process.env.KEY === 'a'", ""},
		{javascript, false, "output.includes(`${context.vars.a}`)", ""},
		{javascript, false, "let n = 0; for (const c of output) n++; return n > 3", ""},
		{javascript, false, "output == output == output", ""},
		{javascript, false, strings.Repeat("(", 5000), ""},
		{python, false, "'a' in output and 'b' not in output", "response.text contains 'a' and not (response.text contains 'b')"},
		{python, false, "len(output) < 100", "response.length < 100"},
		{python, false, "output.strip().lower() == 'yes'", "lower(trim(response.text)) == 'yes'"},
		{python, false, "context['vars']['topic'] in output", "response.text contains vars.topic"},
		{python, false, "any(w in output for w in ['a', 'b'])", "any(['a', 'b'], response.text contains #)"},
		{python, false, "json.loads(output)['total'] >= 3", "response.json.total >= 3"},
		{python, false, "output.get('unit', '').endswith(('C', 'F'))", "(response.json.unit ?? '') endsWith 'C' or (response.json.unit ?? '') endsWith 'F'"},
		{python, false, "not output.startswith('Sorry')", "not (response.text startsWith 'Sorry')"},
		{python, false, "max(0, len(output) - 300)", ""},
		{python, false, "1 < len(output) < 9", ""},
		{python, false, "__import__('os').system('id')", ""},
		{python, false, "if output:\n  return True\nreturn False", ""},
	} {
		got, err := translator{language: c.language, tools: c.tools}.condition(c.code)
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%.60q: %q, %v; want %q", c.code, got, err, c.want)
		}
	}
}

// A translation says the same as the program, on answers on both sides of the line.
func TestATranslationHoldsWhereTheProgramDoes(t *testing.T) {
	for _, c := range []struct{ code, holds, fails string }{
		{"!(output.includes('a') && output.length > 3)", "aaa", "abcd"},
		{"output.length > 2 ? output.includes('x') : output === 'ab'", "ab", "abc"},
		{"!output.includes('a') || output.endsWith('!')", "a!", "ab"},
	} {
		source, err := translator{}.condition(c.code)
		if err != nil {
			t.Errorf("%s: %v", c.code, err)
			continue
		}
		as, err := expect.CompileAssertion(source)
		if err != nil {
			t.Errorf("%s: %s: %v", c.code, source, err)
			continue
		}
		e := expect.Expectation{Assertions: []*expect.Assertion{as}}
		if _, unmet, _ := e.Check(expect.NewAnswer(c.holds), nil); len(unmet) > 0 {
			t.Errorf("%s as %s fails %q", c.code, source, c.holds)
		}
		if _, unmet, _ := e.Check(expect.NewAnswer(c.fails), nil); len(unmet) == 0 {
			t.Errorf("%s as %s passes %q", c.code, source, c.fails)
		}
	}
}

func FuzzNoProgramBreaksTheTranslator(f *testing.F) {
	for _, code := range []string{"output.length < 1", "a => b", "return {pass: 1}", "if (a) return b", "'a' in output", "x[", "(", "/a/", "`${`"} {
		f.Add(code, true)
	}
	f.Fuzz(func(t *testing.T, code string, js bool) {
		tr := translator{language: python}
		if js {
			tr.language = javascript
		}
		if out, err := tr.condition(code); err == nil {
			if _, err := expect.CompileAssertion(out); err != nil {
				t.Errorf("%q became %q: %v", code, out, err)
			}
		}
	})
}
