package risk

import (
	"regexp"
	"slices"
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

func (c condition) same(d condition) bool {
	return slices.EqualFunc(c, d, func(a, b pattern) bool { return a.re == b.re })
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

type question struct{ asked, unless condition }

func (s *Scorer) question(c *compiled) int {
	same := func(q question) bool { return q.asked.same(c.asked) && q.unless.same(c.askedUnless) }
	if i := slices.IndexFunc(s.questions, same); i >= 0 {
		return i
	}
	s.questions = append(s.questions, question{c.asked, c.askedUnless})
	return len(s.questions) - 1
}

// holds reports whether a probe meets the condition.
func (q question) holds(asked string, held literals) bool {
	return (len(q.asked) == 0 || q.asked.matches(asked, held)) && !q.unless.matches(asked, held)
}

// inquiry answers each question on one probe once, when it first comes up.
type inquiry struct {
	*Scorer
	asked string
	held  literals
	known []int8 // 0: not yet, 1: holds, -1: does not
}

func (s *Scorer) inquire(asked string) *inquiry {
	return &inquiry{s, asked, s.literals(asked), make([]int8, len(s.questions))}
}

func (q *inquiry) holds(number int) bool {
	if q.known[number] == 0 {
		q.known[number] = -1
		if q.questions[number].holds(q.asked, q.held) {
			q.known[number] = 1
		}
	}
	return q.known[number] > 0
}
