package literal

import (
	"regexp"
	"strings"
)

// Phrases are expressions by name. In an expression, {name} stands for the phrase with that name.
type Phrases map[string]string

var phraseName = regexp.MustCompile(`\{[a-z_]+\}`)

// Expand returns expression with each {name} replaced by its phrase. A phrase may name others, but not itself.
func (p Phrases) Expand(expression string) string {
	return phraseName.ReplaceAllStringFunc(expression, func(name string) string {
		phrase, known := p[strings.Trim(name, "{}")]
		if !known {
			return name
		}
		return "(?:" + p.Expand(phrase) + ")"
	})
}
