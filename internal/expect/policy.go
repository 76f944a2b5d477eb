package expect

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/answer"
)

// Policy is a named rule on what an answer may say, compiled.
type Policy struct {
	Name        string
	Description string

	patterns []*regexp.Regexp
}

// CompilePolicy returns the policy whose patterns no answer may match.
func CompilePolicy(name, description string, patterns []*regexp.Regexp) *Policy {
	return &Policy{Name: name, Description: description, patterns: append([]*regexp.Regexp(nil), patterns...)}
}

// Is reports whether other is the policy of the same name; names are unique.
func (p *Policy) Is(other *Policy) bool { return p.Name == other.Name }

// Find returns the words of what a model sent that break the policy, cut to 300 runes, by the first pattern that matches: as it stands, with its
// escapes written out, or as it is seen. Its cost is linear in the length of the text.
func (p *Policy) Find(sent string) (evidence string, ok bool) {
	for view := range answer.Views(sent) {
		if evidence, ok = p.findSeen(view); ok {
			return evidence, ok
		}
	}
	return "", false
}

// findSeen looks at a text as it stands and without the characters of format that a reader does not see, such as a zero-width space in a word.
func (p *Policy) findSeen(text string) (evidence string, ok bool) {
	if evidence, ok = p.find(text); ok {
		return evidence, ok
	}
	seen := strings.Map(func(r rune) rune {
		if r >= utf8.RuneSelf && unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, text)
	if len(seen) == len(text) {
		return "", false
	}
	return p.find(seen)
}

func (p *Policy) find(text string) (evidence string, ok bool) {
	for _, re := range p.patterns {
		if re == nil {
			continue
		}
		if span := re.FindStringIndex(text); span != nil {
			return cut(text[span[0]:span[1]], shownRunes), true
		}
	}
	return "", false
}
