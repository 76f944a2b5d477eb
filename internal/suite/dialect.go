package suite

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// A prompt that was written for another tool may hold that tool's variables, `{name}` and `${name}`, or its
// statements, `{% if … %}`. Nothing fills or runs them here. Whoever sends them without knowing tests a prompt that
// no user of theirs ever meets, so they are named where that is near sure: JSON, code and formulas hold braces too.

// dialectPart is a place of a text that another tool would fill or run.
type dialectPart struct {
	offset  int    // in the text, bytes
	written string // as it stands there
	name    string // of the variable, "" for a statement
	dialect string // who writes it so
}

// maxDialects is how many of them one message looks at; the first tell what the rest is.
const maxDialects = 100

// dialectBegin matches what may be another tool's syntax: the word of a statement, the beginning of a comment, a name
// in braces, or a word behind a dollar sign.
var dialectBegin = regexp.MustCompile(`\{%[-+]?[ \t]*(\w+)|\{# |\$?\{ *([A-Za-z_]\w*) *\}|\$([A-Za-z_]\w+)`)

// dialectsIn returns another tool's variables, each once, and its first statement in a text whose template is t.
func dialectsIn(text string, t template) (out []dialectPart) {
	var code *[][2]int // most texts need not be looked through for it
	known := map[string]bool{}
	for _, p := range t.parts {
		if p.variable || !strings.ContainsAny(p.text, "{$") {
			continue
		}
		for _, m := range dialectBegin.FindAllStringSubmatchIndex(p.text, -1) {
			found, ok := dialectAt(p.text, m)
			if !ok || known[found.name] {
				continue
			}
			if len(out) == maxDialects {
				return out
			}
			if code == nil {
				code = new(codeIn(text))
			}
			if found.offset = p.offset + m[0]; inCode(text, *code, found) {
				continue
			}
			known[found.name] = true
			out = append(out, found)
		}
	}
	return out
}

// dialectAt reads a match of dialectBegin.
func dialectAt(text string, m []int) (found dialectPart, ok bool) {
	from, to := m[0], m[1]
	group := func(i int) string { return text[max(m[2*i], 0):max(m[2*i+1], 0)] }
	word, inBraces, afterDollar := group(1), group(2), group(3)
	before := text[max(0, from-maxBraced):from]
	found.written = text[from:to]
	switch {
	case inBraces != "" && text[from] == '$':
		found.name, found.dialect = inBraces, "JavaScript and shells write"
	case inBraces != "":
		found.name, found.dialect = inBraces, "Python and LangChain write"
		return found, !strings.ContainsAny(before, `\_^$`) || !inFormula.MatchString(before)
	case afterDollar != "": // $x$ is a formula, and 5$a or $$a is no place where a word begins
		found.name, found.dialect = afterDollar, "shells and Python's string.Template write"
		return found, !strings.HasPrefix(text[to:], "$") && !insideWord.MatchString(before)
	default:
		line, _, _ := strings.Cut(text[from:min(len(text), from+400)], "\n")
		end := strings.Index(line[2:], line[1:2]+"}")
		if end < 0 || word == "" && strings.TrimSpace(line[2:2+end]) == "" {
			return dialectPart{}, false
		}
		return dialectPart{written: line[:end+4], dialect: "Jinja"}, word == "" || slices.Contains(statements, word)
	}
	return found, true
}

var (
	// inFormula finds that a brace goes on with a formula, as in \boxed{name}, x_{name} and \frac{1}{name}.
	inFormula  = regexp.MustCompile(`[\\_^$][A-Za-z]*(\{[^{}]*\})?$`)
	insideWord = regexp.MustCompile(`[\w$\\]$`)
)

// maxBraced is how many bytes before a variable a formula is looked for, and how long a code span may be that holds
// only a variable.
const maxBraced = 100

// statements are the words that statements of Jinja, Nunjucks, Twig and Liquid begin with.
var statements = strings.Fields("if elif elsif else endif unless endunless for endfor set endset assign capture case when endcase block endblock " +
	"extends include import from macro endmacro call endcall filter endfilter raw endraw with endwith render")

// codeSpan matches text between ``` and ```, or within a line between ` and `. An unclosed ``` ends the search.
var codeSpan = regexp.MustCompile("(?s)```(.*?)```|```.*|`([^`\n]*)`")

// codeIn are the spans of a text that are code, without their marks.
func codeIn(text string) (spans [][2]int) {
	for _, at := range codeSpan.FindAllStringSubmatchIndex(text, -1) {
		if start := max(at[2], at[4]); start >= 0 {
			spans = append(spans, [2]int{start, max(at[3], at[5])})
		}
	}
	return spans
}

// inCode reports whether a place is within code. Marks around a single variable set a value apart, as in ```{text}```.
func inCode(text string, spans [][2]int, found dialectPart) bool {
	at, _ := slices.BinarySearchFunc(spans, found.offset, func(span [2]int, offset int) int { return cmp.Compare(span[1], offset) })
	if at == len(spans) || spans[at][0] > found.offset {
		return false
	}
	inside := text[spans[at][0]:spans[at][1]]
	if len(inside) > maxBraced {
		return true
	}
	if language, rest, several := strings.Cut(inside, "\n"); several && isVariableName("_"+strings.TrimSpace(language)) {
		inside = rest
	}
	return found.name == "" || strings.Trim(strings.TrimSpace(inside), `"'`) != found.written
}

// dialectUse is what of another tool's template stands in a suite.
type dialectUse struct {
	dialectPart
	at       document.Position
	compared bool // it is no part of what is asked, but of what an answer is compared with
	alone    bool // the text takes no variable in failproof's way
}

// dialectKey is where: each variable is named once a file.
type dialectKey struct{ path, name string }

// lookDialects records the parts of a case's prompt that another tool would fill or run, without what the target fills
// itself.
func (c *collector) lookDialects(k *Case, p *prompt) {
	for i := range p.messages {
		m := &p.messages[i]
		for _, one := range m.dialects {
			key := dialectKey{m.path, one.name}
			_, given := k.Vars[one.name]
			if _, known := c.dialects[key]; known || c.envelope.target.Takes.AllVars || one.name == "" && len(c.envelope.target.Takes.Vars) > 0 ||
				one.name != "" && (!given || slices.Contains(c.envelope.target.Takes.Vars, one.name) || p.usesVariable(one.name)) {
				continue
			}
			if c.dialects == nil {
				c.dialects = map[dialectKey]dialectUse{}
			}
			c.dialects[key] = dialectUse{one, c.faults.placeIn(m, one.offset), m.role == "", p.of == nil && !p.usesVariable("")}
		}
	}
}

// usesVariable reports whether a prompt uses a variable; for "", any variable.
func (p *prompt) usesVariable(variable string) (taken bool) {
	p.fills(func(name string) { taken = taken || variable == "" || name == variable })
	return taken
}

// warnOfDialects reports what another tool would have filled or run, and returns the variables among that. A variable
// that is also read by something other than the prompt, such as an assertion, may have its name in braces there by
// chance, unless nothing at all is filled into that prompt.
func (c *collector) warnOfDialects() (variables map[string]bool) {
	variables = map[string]bool{}
	keys := slices.SortedFunc(maps.Keys(c.dialects), func(a, b dialectKey) int { return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.name, b.name)) })
	for _, key := range keys {
		s := c.dialects[key]
		if s.name != "" && c.used[s.name] && !s.alone {
			continue
		}
		done := "sent"
		if s.compared {
			done = "compared with"
		}
		if s.name == "" {
			c.faults.add(document.NewWarning(key.path, s.at, ruleDialect, "%s is a statement of %s, which is not run: it is %s as it stands. "+
				"Only {{ name }} is filled: give each branch a prompt of its own, or compute the text and give it as a variable%s",
				document.Quote(s.written), s.dialect, done, asText))
			continue
		}
		variables[s.name] = true
		c.faults.add(document.NewWarning(key.path, s.at, ruleDialect, "%s is %s as it stands, without the value of the variable: %s variables so, and here it is {{ %s }}%s",
			document.Quote(s.written), done, s.dialect, s.name, asText))
	}
	return variables
}

const ruleDialect = "template-dialect"

// maxFrontMatter is how many lines of front matter are looked at.
const maxFrontMatter = 200

var (
	frontMatterKey  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]{0,60}:( |$)`)
	frontMatterRest = regexp.MustCompile(`^([ \t]|- |#|[}\]]|$)`) // what goes on with a value, a comment, or nothing
)

// frontMatter reports whether a text begins with settings between two lines of ---, as in Dotprompt, Prompty and pages
// of Markdown, and returns the first key. Settings that are filled in belong to the prompt, and so do lines that are no
// settings: a rule above a heading, or data that is set apart.
func frontMatter(text string) (key string, found bool) {
	first, rest, _ := strings.Cut(strings.TrimPrefix(text, "\ufeff"), "\n")
	if strings.TrimRight(first, " \t\r") != "---" {
		return "", false
	}
	for _, line := range strings.SplitN(rest, "\n", maxFrontMatter) {
		line = strings.TrimRight(line, " \t\r")
		switch {
		case line == "---":
			return key, key != ""
		case strings.Contains(line, "{{"):
			return "", false
		case frontMatterKey.MatchString(line):
			if key == "" {
				key, _, _ = strings.Cut(line, ":")
			}
		case !frontMatterRest.MatchString(line):
			return "", false
		}
	}
	return "", false
}
