package suite

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// A prompt that was written for another tool may contain the variables of that tool, `{name}` and `${name}`, or its
// statements, `{% if … %}`. failproof neither fills nor runs them, so it would send a prompt that no user ever meets.
// JSON, code and formulas contain braces too. Therefore only parts that are almost certainly another tool's syntax are
// reported.

// dialectPart is a part of a text that another tool would fill (a variable) or run (a statement).
type dialectPart struct {
	offset  int    // offset in the text, in bytes
	written string // the part as it is in the text
	name    string // name of the variable; "" for a statement
	dialect string // names the tools that use this form
}

// maxDialects is the largest number of dialectParts that are read in one message.
const maxDialects = 100

// dialectBegin matches the beginning of what may be another tool's syntax: a statement with its first word, a comment,
// a name in braces, or a word after a dollar sign.
var dialectBegin = regexp.MustCompile(`\{%[-+]?[ \t]*(\w+)|\{# |\$?\{ *([A-Za-z_]\w*) *\}|\$([A-Za-z_]\w+)`)

// dialectsIn returns the parts of text that another tool would fill or run. It returns each variable once, and only the
// first statement or comment. t is the template that text was parsed into.
func dialectsIn(text string, t template) (out []dialectPart) {
	var code *[][2]int // set when first needed
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

// dialectAt returns the part at a match of dialectBegin in text. ok is false if the match is probably something else. m
// has the indices of the match and its groups.
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
	case afterDollar != "": // $x$ is a formula, and in 5$a and $$a no word begins
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
	// inFormula matches the text before a brace if the brace continues a formula, as in \boxed{name}, x_{name} and
	// \frac{1}{name}.
	inFormula  = regexp.MustCompile(`[\\_^$][A-Za-z]*(\{[^{}]*\})?$`)
	insideWord = regexp.MustCompile(`[\w$\\]$`)
)

// maxBraced is how many bytes before a variable are searched for the beginning of a formula. It is also the largest
// length of a code span that may contain only a variable.
const maxBraced = 100

// statements are the first words of statements in Jinja, Nunjucks, Twig and Liquid.
var statements = strings.Fields("if elif elsif else endif unless endunless for endfor set endset assign capture case when endcase block endblock " +
	"extends include import from macro endmacro call endcall filter endfilter raw endraw with endwith render")

// codeSpan matches code between ``` and ```, or between ` and ` on one line. If a ``` is never closed, the match
// extends to the end of the text and has no group.
var codeSpan = regexp.MustCompile("(?s)```(.*?)```|```.*|`([^`\n]*)`")

// codeIn returns the bounds of the code spans in text, without their backticks.
func codeIn(text string) (spans [][2]int) {
	for _, at := range codeSpan.FindAllStringSubmatchIndex(text, -1) {
		if start := max(at[2], at[4]); start >= 0 {
			spans = append(spans, [2]int{start, max(at[3], at[5])})
		}
	}
	return spans
}

// inCode reports whether the part found is in one of the code spans. A span that contains only a variable, as in
// ```{text}```, is not code, because its backticks only delimit the value.
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

// dialectUse is a dialectPart with its place in the suite's files.
type dialectUse struct {
	dialectPart
	at             document.Position
	inExpectedText bool // the part is in an expected text, not in the prompt
	noVariables    bool // the prompt has no variable of failproof
}

// dialectKey identifies a variable in a file. Each variable is reported once in a file.
type dialectKey struct{ path, name string }

// recordDialects records the dialectParts in a case's prompt, except those that the target fills. It records a variable
// only if the case defines it and the prompt does not use it.
func (c *collector) recordDialects(k *Case, p *prompt) {
	for i := range p.messages {
		m := &p.messages[i]
		for _, one := range m.dialects {
			key := dialectKey{m.path, one.name}
			_, given := k.Vars[one.name]
			if _, known := c.dialects[key]; known || c.envelope.target.Inputs.AllVars || one.name == "" && len(c.envelope.target.Inputs.Vars) > 0 ||
				one.name != "" && (!given || slices.Contains(c.envelope.target.Inputs.Vars, one.name) || p.usesVariable(one.name)) {
				continue
			}
			if c.dialects == nil {
				c.dialects = map[dialectKey]dialectUse{}
			}
			c.dialects[key] = dialectUse{one, c.faults.positionIn(m, one.offset), m.role == "", p.shared == nil && !p.usesVariable("")}
		}
	}
}

// usesVariable reports whether the prompt uses the given variable. If variable is "", it reports whether the prompt
// uses any.
func (p *prompt) usesVariable(variable string) (used bool) {
	p.eachVariable(func(name string) { used = used || variable == "" || name == variable })
	return used
}

// warnOfDialects warns of the recorded dialectParts, and returns the names of their variables. It skips a variable that
// the suite uses elsewhere, because its braces may be meant as text. It does not skip the variable if failproof fills
// nothing into the prompt.
func (c *collector) warnOfDialects() (variables map[string]bool) {
	variables = map[string]bool{}
	keys := slices.SortedFunc(maps.Keys(c.dialects), func(a, b dialectKey) int { return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.name, b.name)) })
	for _, key := range keys {
		s := c.dialects[key]
		if s.name != "" && c.used[s.name] && !s.noVariables {
			continue
		}
		done := "sent"
		if s.inExpectedText {
			done = "compared with"
		}
		if s.name == "" {
			c.faults.Add(document.NewWarning(key.path, s.at, ruleDialect, "%s is a statement of %s, which is not run: it is %s as it stands. "+
				"Only {{ name }} is filled: give each branch a prompt of its own, or compute the text and give it as a variable%s",
				document.Quote(s.written), s.dialect, done, asText))
			continue
		}
		variables[s.name] = true
		c.faults.Add(document.NewWarning(key.path, s.at, ruleDialect, "%s is %s as it stands, without the value of the variable: %s variables so, and here it is {{ %s }}%s",
			document.Quote(s.written), done, s.dialect, s.name, asText))
	}
	return variables
}

const ruleDialect = "template-dialect"

// frontMatter matches settings between two lines of ---, with values, comments and empty lines. Its group is the first.
var frontMatter = regexp.MustCompile(`^\x{feff}?---[ \t\r]*\n(?:` + otherLine + `)*` + settingLine +
	`(?:` + otherLine + `|` + settingLine + `)*---[ \t\r]*(?:\n|$)`)

const (
	settingLine = `([A-Za-z_][\w.-]{0,60}):(?: [^\n]*|[ \t\r]*)\n`
	otherLine   = `(?:(?:[ \t\r#}\]]|- )[^\n]*)?\n`
)

// findFrontMatter reports whether a text begins with settings between two lines of ---, as in Dotprompt, Prompty and
// Markdown pages. key is the first setting. found is false if a line has a variable or is no setting, because the lines
// are then part of the prompt.
func findFrontMatter(text string) (key string, found bool) {
	m := frontMatter.FindStringSubmatch(text)
	if m == nil || strings.Contains(m[0], "{{") {
		return "", false
	}
	return m[1], true
}
