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
	for at := 0; at < len(text); {
		open := nextMark(text, at)
		out.WriteString(text[at:open])
		if open == len(text) {
			break
		}
		mark := text[open : open+2]
		length := strings.Index(text[open+2:], map[string]string{"{{": "}}", "{%": "%}", "{#": "#}"}[mark])
		if length < 0 {
			return fail(open, "`"+mark+"` is never closed", "")
		}
		inner := text[open+2 : open+2+length]
		at = open + 2 + length + 2
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
	t.text = out.String()
	if hit := envName.FindStringIndex(t.text); hit != nil {
		return fail(strings.Index(text, t.text[hit[0]:hit[1]]), "`"+t.text[hit[0]:hit[1]]+"` looks like a variable of the environment, which is refused in prompts", "put it into a variable")
	}
	return t
}

// nextMark is where the next mark opens; the end of the text if none does.
func nextMark(text string, at int) int {
	first := len(text)
	for _, mark := range []string{"{{", "{%", "{#"} {
		if i := strings.Index(text[at:first], mark); i >= 0 {
			first = at + i
		}
	}
	return first
}

// hasMarks reports a text that promptfoo would fill in.
func hasMarks(text string) bool { return nextMark(text, 0) < len(text) }

// fill fills a template in by values that are known; "" and what is wrong if it cannot.
func (t template) fill(vars map[string]string) string {
	var out strings.Builder
	for rest := t.text; ; {
		open := strings.Index(rest, "{{ ")
		if open < 0 {
			return out.String() + rest
		}
		end := open + strings.Index(rest[open:], " }}")
		out.WriteString(rest[:open] + vars[rest[open+3:end]])
		rest = rest[end+3:]
	}
}
