package suite

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
)

// A prompt that was written for another tool may contain the variables of that tool, `{name}` and `${name}`, or its
// statements and comments, `{% if … %}` and `{# … #}`. failproof neither fills nor runs them, so it would send a prompt
// that no user ever meets. JSON, code and formulas contain braces too. A variable is therefore reported only if a case
// defines it and the prompt does not use it.

// dialectPart is a part of a text that another tool would fill (a variable) or run (a statement).
type dialectPart struct {
	offset  int    // offset in the text, in bytes
	written string // the part as it is in the text
	name    string // name of the variable; "" for a statement or a comment
}

// maxDialects is the largest number of dialectParts that are read in one message.
const maxDialects = 100

// dialectForm matches a variable in the forms {name}, ${name} and $name, and a statement or comment of Jinja, Twig or
// Liquid.
var dialectForm = regexp.MustCompile(`\$?\{ *([A-Za-z_]\w*) *\}|\$([A-Za-z_]\w+)|` +
	`\{%[-+]?[ \t]*(?:if|for|set|block|include|import|macro|raw|assign|capture|case|unless|extends|render)\b[^\n%]*%\}|` +
	`\{#[-+]?\s[^#]*#\}`)

// dialectsIn returns the parts of a template that another tool would fill or run. It returns each variable once, and
// only the first statement or comment.
func dialectsIn(t template) (out []dialectPart) {
	known := map[string]bool{}
	for _, p := range t.parts {
		if p.variable || !strings.ContainsAny(p.text, "{$") {
			continue
		}
		for _, m := range dialectForm.FindAllStringSubmatchIndex(p.text, -1) {
			name := p.text[max(m[2], m[4], 0):max(m[3], m[5], 0)]
			if !known[name] && len(out) < maxDialects {
				known[name] = true
				out = append(out, dialectPart{p.offset + m[0], p.text[m[0]:m[1]], name})
			}
		}
	}
	return out
}

// dialectUse is a dialectPart with its place in the suite's files.
type dialectUse struct {
	dialectPart
	at          document.Position
	noVariables bool // the prompt has no variable of failproof
}

// dialectKey identifies a variable in a file. Each variable is reported once in a file.
type dialectKey struct{ path, name string }

// isFilledBy reports whether an application that is sent the given inputs may fill or run the part.
func (d dialectPart) isFilledBy(inputs config.CaseInputs) bool {
	return inputs.AllVars || slices.Contains(inputs.Vars, d.name) || d.name == "" && len(inputs.Vars) > 0
}

// recordDialects records the dialectParts in a case's prompt, except those that all targets fill. It records a variable
// only if the case defines it and the prompt does not use it.
func (c *collector) recordDialects(k *Case, p *prompt) {
	for i := range p.messages {
		m := &p.messages[i]
		for _, one := range m.dialects {
			key := dialectKey{m.path, one.name}
			_, known := c.dialects[key]
			_, given := k.Vars[one.name]
			unfilled := slices.ContainsFunc(c.targets, func(t namedTarget) bool { return !one.isFilledBy(t.Inputs) })
			if !known && unfilled && (one.name == "" || given && !p.usesVariable(one.name)) {
				c.dialects[key] = dialectUse{one, c.faults.positionIn(m, one.offset), p.shared == nil && !p.usesVariable("")}
			}
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
		done := "not run, because only {{ name }} is filled" + asRendered
		if s.name != "" {
			done = "not filled, because only {{ " + s.name + " }} is filled" + asRendered
			variables[s.name] = true
		}
		c.faults.Add(document.NewWarning(key.path, s.at, "template-dialect", "%s is taken as it stands, and %s%s",
			document.Quote(s.written), done, asText))
	}
	return variables
}

// frontMatter matches settings between two lines of --- at the beginning of a text, as in Dotprompt, Prompty and
// Markdown pages. Its group is the first setting.
var frontMatter = regexp.MustCompile(`(?s)^\x{feff}?---[ \t\r]*\n(?:#[^\n]*\n)?([A-Za-z_][\w.-]*):\s.*?\n---[ \t\r]*(?:\n|$)`)

// findFrontMatter reports whether a text begins with front matter. key is the first setting. found is false if the
// lines have a variable, because they are then part of the prompt.
func findFrontMatter(text string) (key string, found bool) {
	m := frontMatter.FindStringSubmatch(text)
	if m == nil || strings.Contains(m[0], "{{") {
		return "", false
	}
	return m[1], true
}
