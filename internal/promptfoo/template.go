package promptfoo

import (
	"regexp"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

var (
	varName     = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	envName     = regexp.MustCompile(`\$\{[A-Z_][A-Z0-9_]*\}`)
	envVariable = regexp.MustCompile(`^\s*env(?:\.([A-Za-z_][A-Za-z0-9_]*)|\[['"]([A-Za-z_][A-Za-z0-9_]*)['"]\])\s*$`)
)

// template is a text with places for variables. Where promptfoo's template does more than fill in variables, problem says what, at offset.
type template struct {
	text    string // as a prompt of failproof has it
	vars    []string
	problem string
	instead string
	offset  int
}

// parseTemplate reads a template of promptfoo's, {{ name }} and {# comments #}.
func parseTemplate(text string) (t template) {
	var out strings.Builder
	fail := func(at int, problem, instead string) template {
		return template{text: text, problem: problem, instead: instead, offset: at}
	}
	at := 0
	for {
		found := openMark.FindStringIndex(text[at:])
		if found == nil {
			break
		}
		open := at + found[0]
		out.WriteString(text[at:open])
		mark := text[open : open+2]
		length := strings.Index(text[open+2:], map[string]string{"{{": "}}", "{%": "%}", "{#": "#}"}[mark])
		if length < 0 {
			return fail(open, "`"+mark+"` is never closed", "")
		}
		inner := text[open+2 : open+2+length]
		at = open + len("{{}}") + length
		switch {
		case mark == "{#" && !strings.HasPrefix(inner, "-") && !strings.HasSuffix(inner, "-"):
			continue
		case mark != "{{":
			return fail(open, "`"+document.Line(text[open:at])+"` is a statement; prompts have variables and nothing else", "write what it gives into a variable, or a prompt for each way it can go")
		}
		name := strings.TrimSpace(inner)
		if before, ok := strings.CutSuffix(name, "| safe"); ok { // says that nothing is escaped, and nothing is
			name = strings.TrimSpace(before)
		}
		switch m := envVariable.FindStringSubmatch(inner); {
		case m != nil:
			return fail(open, "`{{"+inner+"}}` reads the environment, and prompts do not", "a variable of the suite")
		case !varName.MatchString(name):
			return fail(open, "`{{"+document.Line(inner)+"}}` is computed; prompts have variables and nothing else", "write what it gives into a variable")
		}
		t.vars = append(t.vars, name)
		out.WriteString("{{ " + name + " }}")
	}
	t.text = out.String() + text[at:]
	if hit := envName.FindStringIndex(t.text); hit != nil {
		return fail(strings.Index(text, t.text[hit[0]:hit[1]]), "`"+t.text[hit[0]:hit[1]]+"` looks like a variable of the environment, which is refused in prompts", "put it into a variable")
	}
	return t
}

var openMark = regexp.MustCompile(`\{[{%#]`)

// hasMarks reports a text that promptfoo would fill in.
func hasMarks(text string) bool { return openMark.MatchString(text) }

var placeForm = regexp.MustCompile(`\{\{ (.*?) \}\}`)

// fill fills a template in by values that are known.
func (t template) fill(vars map[string]string) string {
	return placeForm.ReplaceAllStringFunc(t.text, func(place string) string { return vars[place[3:len(place)-3]] })
}
