package suite

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/failproof/failproof/internal/text"
)

// template is a text with variables. It has no functions or conditions, and no access to the environment or to files.
type template struct {
	parts []part
}

// part is literal text, or the name of a variable.
type part struct {
	text     string
	variable bool
	offset   int // offset in the template's text, in bytes
}

// mistake is an error in a template.
type mistake struct {
	offset  int // place in the template's text, in bytes
	message string
}

// variableName matches the name of a variable: a letter or '_', then any number of letters, digits and '_'.
var variableName = regexp.MustCompile(`^[A-Za-z_]\w*$`)

func isVariableName(name string) bool { return variableName.MatchString(name) }

// environmentName matches an environment variable in the form of shells and workflows. failproof does not fill it.
var environmentName = regexp.MustCompile(`\$\{[A-Z_][A-Z0-9_]*\}`)

const (
	asRendered = "; if your application computes it, save the text that it renders, and name that as the prompt"
	asText     = "; to send such text as it is, put it in a variable"
)

// placeholderForm matches {{ and what belongs to it: further braces, the text up to }}, or the rest if there is no }}.
var placeholderForm = regexp.MustCompile(`(?s)\{\{(?:\{+|(.*?)\}\}|.*)`)

// parseTemplate returns the template in text, split at its placeholders {{ name }}, and the mistakes in it. A template
// with mistakes must not be filled.
func parseTemplate(text string) (template, []mistake) {
	t := template{make([]part, 0, 1+2*strings.Count(text, "{{"))}
	var faults []mistake
	at := 0
	for _, m := range placeholderForm.FindAllStringSubmatchIndex(text, -1) {
		t.literal(text, at, m[0], &faults)
		at = m[1]
		name := strings.Trim(text[max(m[2], 0):max(m[3], 0)], " \t")
		switch braces := m[1] - m[0]; {
		case strings.HasPrefix(text[m[0]:], "{{{"):
			faults = append(faults, mistake{m[0],
				fmt.Sprintf("%d opening braces in a row; a variable is written {{ name }}%s", braces, asText)})
		case m[2] < 0:
			faults = append(faults, mistake{m[0], "`{{` is never closed by `}}`" + asText})
		case !isVariableName(name):
			faults = append(faults, mistake{m[0], fmt.Sprintf("{{ %s }} is not a variable; only a name of letters, "+
				"digits and _ may stand there, and nothing is computed or read from the environment%s%s", excerpt(name),
				asRendered, asText)})
		default:
			t.parts = append(t.parts, part{text: name, variable: true, offset: m[0]})
		}
	}
	t.literal(text, at, len(text), &faults)
	return t, faults
}

// literal adds the literal text from start to end to t, and reports environment variables in it.
func (t *template) literal(text string, start, end int, faults *[]mistake) {
	if start == end {
		return
	}
	for _, hit := range environmentName.FindAllStringIndex(text[start:end], -1) {
		found := text[start+hit[0] : start+hit[1]]
		*faults = append(*faults, mistake{start + hit[0], fmt.Sprintf("%s is never filled from the environment; "+
			"write {{ name }} and define name in vars%s", excerpt(found), asText)})
	}
	t.parts = append(t.parts, part{text: text[start:end], offset: start})
}

// eachPlaceholder calls f for each placeholder in the template, in order. A variable may have several placeholders.
func (t template) eachPlaceholder(f func(name string, offset int)) {
	for _, p := range t.parts {
		if p.variable {
			f(p.text, p.offset)
		}
	}
}

// fill returns the text with each variable replaced by its value. Placeholders in a value are not filled. A missing
// variable becomes "", which callers report.
func (t template) fill(vars map[string]string) string {
	if len(t.parts) == 1 && !t.parts[0].variable {
		return t.parts[0].text
	}
	var b strings.Builder
	b.Grow(t.filledLength(vars))
	for _, p := range t.parts {
		if p.variable {
			b.WriteString(vars[p.text])
		} else {
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// filledLength returns the length in bytes of the text that fill returns.
func (t template) filledLength(vars map[string]string) (n int) {
	for _, p := range t.parts {
		if p.variable {
			n += len(vars[p.text])
		} else {
			n += len(p.text)
		}
	}
	return n
}

// excerpt returns the first 40 characters of a part of a template, on one line.
func excerpt(part string) string {
	part = strings.Join(strings.Fields(part), " ")
	if first := text.FirstRunes(part, 40); first != part {
		return first + "…"
	}
	return part
}
