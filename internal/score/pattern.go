package score

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/english"
)

// pattern is a regular expression of the user's. Letter case does not count.
type pattern struct {
	re      *regexp.Regexp
	literal string // in lower case; every match has it
}

// maxPattern bounds a regular expression, in bytes.
const maxPattern = 1 << 10

// compile compiles a pattern, which must not match everywhere. The error is a fault of the user's text.
func compile(source string) (*pattern, error) {
	if len(source) > maxPattern {
		return nil, fmt.Errorf("a regular expression of %d bytes; at most %d are allowed", len(source), maxPattern)
	}
	source = "(?i)" + english.Tidy(source)
	re, err := regexp.Compile(source)
	switch {
	case err != nil:
		return nil, fmt.Errorf("invalid regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	case re.MatchString(""):
		return nil, errEmptyPattern
	}
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("invalid regular expression: %w", err)
	}
	return &pattern{re, strings.ToLower(required(tree))}, nil
}

// required returns the longest ASCII text that every match contains, whatever its letter case. Beyond ASCII a letter may
// have more cases than two.
func required(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		if slices.Max(re.Rune) < utf8.RuneSelf {
			return string(re.Rune)
		}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		longest := ""
		for _, sub := range re.Sub {
			if text := required(sub); len(text) > len(longest) {
				longest = text
			}
		}
		return longest
	}
	return ""
}

// matchesTried bounds the matches that are looked at.
const matchesTried = 1000

// find returns the places of the first matches. A text without the literal is not searched.
func (r *pattern) find(p *english.Text) [][]int {
	if p.Lower == "" {
		p.Lower = strings.ToLower(p.Source)
	}
	if !strings.Contains(p.Lower, r.literal) {
		return nil
	}
	return r.re.FindAllStringIndex(p.Source, matchesTried)
}
