package score

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/literal"
)

// pattern is a regular expression of the user's. Letter case does not count.
type pattern struct {
	re       *regexp.Regexp
	literals literal.Choice // in lower case; every match has one of them; nil: matches have nothing in common
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
	p := &pattern{re: re}
	if found := (literal.Rules{Lower: true}).Of(tree); len(found) > 0 {
		p.literals = found[0]
	}
	return p, nil
}

// matchesTried bounds the matches that are looked at.
const matchesTried = 1000

// find returns the places of the first matches. A text without its literals is not searched.
func (r *pattern) find(p *english.Text) [][]int {
	if p.Lower == "" {
		p.Lower = strings.ToLower(p.Source)
	}
	if r.literals != nil && !slices.ContainsFunc(r.literals, func(s string) bool { return strings.Contains(p.Lower, s) }) {
		return nil
	}
	return r.re.FindAllStringIndex(p.Source, matchesTried)
}
