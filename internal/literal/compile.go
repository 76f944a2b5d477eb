package literal

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// Limits of a user's regular expression: its length in bytes, the steps of a search (instructions × bytes of the text,
// about a second), and the number of matches.
const (
	MaxPatternBytes = 1 << 10
	MaxSteps        = 1 << 27
	maxMatches      = 1000
)

// Pattern is a regular expression that does not search texts on which a search could take too long.
type Pattern struct {
	*regexp.Regexp
	size int // number of instructions of the compiled expression
}

// Compile compiles expression, which was made from source, the text that the user wrote. It returns an error if source
// is too long, or if the expression is invalid or matches the empty text.
func Compile(source, expression string) (*Pattern, error) {
	if len(source) > MaxPatternBytes {
		return nil, fmt.Errorf("a regular expression of %d bytes; at most %d are allowed", len(source), MaxPatternBytes)
	}
	re, err := regexp.Compile(expression)
	switch {
	case err != nil:
		return nil, fmt.Errorf("invalid regular expression: %s", strings.TrimPrefix(err.Error(),
			"error parsing regexp: "))
	case re.MatchString(""):
		return nil, errors.New("the regular expression matches the empty text, and so every answer")
	}
	tree, _ := syntax.Parse(expression, syntax.Perl) // regexp.Compile parsed it
	program, err := syntax.Compile(tree.Simplify())
	return &Pattern{re, len(program.Inst)}, err
}

// TooCostly reports whether a text is too long to search.
func (p *Pattern) TooCostly(text string) bool { return len(text) > MaxSteps/p.size }

// Steps returns the largest number of steps that one search of the text takes, or 0 if the text is too long to search.
func (p *Pattern) Steps(text string) int {
	if p.TooCostly(text) {
		return 0
	}
	return len(text) * p.size
}

// Matches returns the first matches in a text, in the form of FindAllStringSubmatchIndex. It returns at most a thousand
// matches, and fewer for a long text. It returns nil for a text that is too long to search.
func (p *Pattern) Matches(text string) [][]int {
	most := min(maxMatches, MaxSteps/p.size/max(1, len(text)))
	if most == 0 {
		return nil
	}
	return p.FindAllStringSubmatchIndex(text, most)
}
