package suite

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// A prompt that was written for another tool may hold that tool's variables, `{name}` and `${name}`, or its statements, `{% if … %}`. Nothing
// fills or runs them here. Whoever sends them without knowing tests a prompt that no user of theirs ever meets, so they are named where that is
// near sure: JSON, code and formulas hold braces too.

// dialectPart is a place of a text that another tool would fill or run.
type dialectPart struct {
	offset  int    // in the text, bytes
	written string // as it stands there
	name    string // of the variable, "" for a statement
	dialect string // who writes it so
}

// maxDialects is how many of them are looked at in one message; the first of them tell what the rest is.
const maxDialects = 100

// dialectsIn are the variables, each once, and the first statement of another tool in a text whose template is t.
func dialectsIn(text string, t template) (out []dialectPart) {
	var code *[][2]int // most texts need not be looked through for it
	known := map[string]bool{}
	for _, p := range t.parts {
		if p.variable {
			continue
		}
		for at := 0; len(out) < maxDialects; at++ {
			next := strings.IndexAny(p.text[at:], "{$")
			if next < 0 {
				break
			}
			at += next
			found, ok := dialectAt(p.text, at)
			if !ok || known[found.name] {
				continue
			}
			if code == nil {
				code = new(codeIn(text))
			}
			if found.offset = p.offset + at; inCode(text, *code, found) {
				continue
			}
			known[found.name] = true
			out = append(out, found)
		}
	}
	return out
}

// dialectAt reads what a brace or a dollar sign begins.
func dialectAt(text string, at int) (found dialectPart, ok bool) {
	rest := text[at:]
	switch {
	case strings.HasPrefix(rest, "{%"), strings.HasPrefix(rest, "{#"):
		return statement(rest)
	case strings.HasPrefix(rest, "${"):
		if name, length := braced(rest[1:]); name != "" {
			return dialectPart{written: rest[:1+length], name: name, dialect: "JavaScript and shells write"}, true
		}
	case rest[0] == '$':
		end := 1
		for end < min(len(rest), maxBraced) && isOfName(rest[end]) {
			end++
		}
		// $x$ is a formula, and 5$a or $$a is no place where a word begins.
		if end > 2 && isVariableName(rest[1:end]) && !strings.HasPrefix(rest[end:], "$") && (at == 0 || !isOfName(text[at-1]) && !strings.ContainsRune(`$\`, rune(text[at-1]))) {
			return dialectPart{written: rest[:end], name: rest[1:end], dialect: "shells and Python's string.Template write"}, true
		}
	default:
		if name, length := braced(rest); name != "" && !inFormula(text[:at]) {
			return dialectPart{written: rest[:length], name: name, dialect: "Python and LangChain write"}, true
		}
	}
	return dialectPart{}, false
}

// inFormula reports a brace that goes on with a formula, as in \boxed{name}, x_{name} and \frac{1}{name}, or a dollar sign that was read with it.
func inFormula(before string) bool {
	if rest, ok := strings.CutSuffix(before, "}"); ok {
		last := rest[max(0, len(rest)-maxBraced):]
		open := strings.LastIndexByte(last, '{')
		if open < 0 {
			return false
		}
		before = last[:open]
	}
	before = strings.TrimRight(before[max(0, len(before)-maxBraced):], letters)
	return before != "" && strings.ContainsRune(`\_^$`, rune(before[len(before)-1]))
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// isOfName reports what may stand behind the first letter of a variable's name.
func isOfName(c byte) bool { return isVariableName("_" + string(rune(c))) }

// maxBraced is how long the longest variable is that is looked for, and a code span that may be nothing but one, in bytes.
const maxBraced = 100

// braced reads a name alone in braces, and says how long it is with these; "" for anything else.
func braced(text string) (name string, length int) {
	end := strings.IndexAny(text[1:min(len(text), maxBraced)], "{}\n")
	if end < 0 || text[1+end] != '}' {
		return "", 0
	}
	if name = strings.Trim(text[1:1+end], " "); !isVariableName(name) {
		return "", 0
	}
	return name, end + 2
}

// statements are the words that statements of Jinja, Nunjucks, Twig and Liquid begin with.
var statements = strings.Fields("if elif elsif else endif unless endunless for endfor set endset assign capture case when endcase block endblock " +
	"extends include import from macro endmacro call endcall filter endfilter raw endraw with endwith render")

// statement reads `{% word … %}`, or the comment `{# … #}`, on one line.
func statement(text string) (found dialectPart, ok bool) {
	line, _, _ := strings.Cut(text[:min(len(text), 400)], "\n")
	end := strings.Index(line[2:], line[1:2]+"}")
	if end < 0 {
		return dialectPart{}, false
	}
	words := strings.Fields(strings.Trim(line[2:2+end], "-+"))
	comment := line[1] == '#' && line[2] == ' ' && len(words) > 0
	return dialectPart{written: line[:end+4], dialect: "Jinja"}, comment || line[1] == '%' && len(words) > 0 && slices.Contains(statements, words[0])
}

// codeSpan is a part of a text between ``` and ```, or within a line between ` and `. Where ``` is never closed, there is none behind it.
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

// inCode reports a place within code. Marks around nothing but a variable set a value apart, as in ```{text}```.
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

// lookDialects notes what of a prompt another tool would fill or run for a case. What the target fills itself is none of it.
func (c *collector) lookDialects(k *Case, p *prompt) {
	for i := range p.messages {
		m := &p.messages[i]
		for _, one := range m.dialects {
			key := dialectKey{m.path, one.name}
			_, given := k.Vars[one.name]
			if _, known := c.dialects[key]; known || c.envelope.target.Takes.AllVars || one.name == "" && len(c.envelope.target.Takes.Vars) > 0 ||
				one.name != "" && (!given || slices.Contains(c.envelope.target.Takes.Vars, one.name) || p.takes(one.name)) {
				continue
			}
			if c.dialects == nil {
				c.dialects = map[dialectKey]dialectUse{}
			}
			c.dialects[key] = dialectUse{one, c.faults.placeIn(m, one.offset), m.role == "", p.of == nil && !p.takes("")}
		}
	}
}

// takes reports whether a prompt takes a variable; any for "".
func (p *prompt) takes(variable string) (taken bool) {
	p.fills(func(name string) { taken = taken || variable == "" || name == variable })
	return taken
}

// warnOfDialects says what another tool would have filled or run, and returns the variables among that. A variable that something else than the
// prompt reads, as an assertion, may have its name in braces there by chance, unless nothing at all is filled into that prompt.
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

// frontMatter reports that a text begins with settings between two lines of ---, as Dotprompt, Prompty and pages of Markdown do, and the first of
// their keys. What is filled in there is the prompt's own, and so are lines that are no settings: a rule above a heading, or data that is set apart.
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
