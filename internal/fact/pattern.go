package fact

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/literal"
)

// pattern is a regular expression that the user wrote. It ignores letter case.
type pattern struct {
	re       *literal.Pattern
	literals literal.Choice // in lower case; every match has one of them; nil: matches have nothing in common
}

// compile compiles source, a regular expression without its slashes.
func compile(source string) (*pattern, error) {
	re, err := literal.Compile(source, "(?i)"+english.Tidy(source))
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

// find returns the byte ranges of the first matches in the text. It does not search a text without the pattern's
// literals.
func (r *pattern) find(p *english.Text) [][]int {
	if !r.mayMatch(p) {
		return nil
	}
	return r.re.Matches(p.Source)
}

func (r *pattern) mayMatch(p *english.Text) bool {
	lower := lowered(p)
	return r.literals == nil ||
		slices.ContainsFunc(r.literals, func(s string) bool { return strings.Contains(lower, s) })
}

// tooCostly reports whether a text may match and is too long to be searched.
func (r *pattern) tooCostly(p *english.Text) bool { return r.re.TooCostly(p.Source) && r.mayMatch(p) }

// lowered returns the text in lower case, computed once. If lower-casing changes the length of a letter, byte offsets
// in the two texts differ.
func lowered(p *english.Text) string {
	if p.Lower == "" {
		p.Lower = strings.ToLower(p.Source)
	}
	return p.Lower
}
