package risk

import (
	"regexp"
	"strings"
)

// condition is a choice of patterns, each tried only where one of its literals is: a phrase of hundreds of alternatives
// in one pattern would cost all of them at every byte. An empty one is no condition.
type condition []pattern

// matches reports whether one of the patterns matches a part of a text that holds these literals.
func (c condition) matches(part string, held literals) bool { return c.find(part, held) != nil }

// find returns where the first pattern that matches does, nil if none does.
func (c condition) find(part string, held literals) []int {
	for _, p := range c {
		if !held.of(p) {
			continue
		}
		if at := p.re.FindStringIndex(part); at != nil {
			return at
		}
	}
	return nil
}

// condition compiles the patterns of one; a phrase that is one is taken apart.
func (c *compiler) condition(sources []string) (condition, error) {
	var out condition
	for _, source := range c.apart(sources) {
		p, err := c.pattern(source)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

var wholePhrase = regexp.MustCompile(`^(?:\\b)?\{([a-z_]+)\}(?:\\b)?$`)

// apart replaces patterns that are a phrase, and nothing else but word boundaries, by the phrase's alternatives.
func (c *compiler) apart(sources []string) (out []string) {
	for _, source := range sources {
		m := wholePhrase.FindStringSubmatch(source)
		if m == nil || c.book.Phrases[m[1]] == nil {
			out = append(out, source)
			continue
		}
		whole := "{" + m[1] + "}"
		for _, alternative := range c.book.Phrases[m[1]] {
			inner := alternative
			if !wholePhrase.MatchString(alternative) {
				inner = "(?:" + alternative + ")"
			}
			out = append(out, c.apart([]string{strings.Replace(source, whole, inner, 1)})...)
		}
	}
	return out
}

// question is what a probe asks, in small letters, with the literals that it holds.
type question struct {
	text string
	held literals
}

// isAbout reports whether a rule looks at answers to such a question.
func (c *compiled) isAbout(q question) bool {
	return (len(c.asked) == 0 || c.asked.matches(q.text, q.held)) && !c.askedUnless.matches(q.text, q.held)
}
