package score

import (
	"errors"
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

// regular compiles what was made of the user's regular expression, which must not match everywhere. The error is a fault of the
// user's text.
func regular(source, made string) (*regexp.Regexp, error) {
	if len(source) > maxPattern {
		return nil, fmt.Errorf("a regular expression of %d bytes; at most %d are allowed", len(source), maxPattern)
	}
	re, err := regexp.Compile(made)
	switch {
	case err != nil:
		return nil, fmt.Errorf("invalid regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	case re.MatchString(""):
		return nil, errors.New("the regular expression matches the empty text, and so every answer")
	}
	return re, nil
}

// compile compiles a pattern.
func compile(source string) (*pattern, error) {
	re, err := regular(source, "(?i)"+english.Tidy(source))
	if err != nil {
		return nil, err
	}
	tree, err := syntax.Parse(re.String(), syntax.Perl)
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
