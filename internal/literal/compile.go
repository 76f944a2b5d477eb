package literal

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// Bounds of a regular expression of a user's: its source in bytes, the steps (instructions times bytes of the text)
// that a search may cost at worst, about a second, and the most matches that are looked at.
const (
	MaxPattern   = 1 << 10
	MaxSteps     = 1 << 27
	matchesTried = 1000
)

// Pattern is a regular expression that skips texts in which a search could take too long.
type Pattern struct {
	*regexp.Regexp
	size int // instructions
}

// Compile compiles made, which was made of the user's regular expression source and must not match everywhere. The
// error is a fault of the user's text.
func Compile(source, made string) (*Pattern, error) {
	if len(source) > MaxPattern {
		return nil, fmt.Errorf("a regular expression of %d bytes; at most %d are allowed", len(source), MaxPattern)
	}
	re, err := regexp.Compile(made)
	switch {
	case err != nil:
		return nil, fmt.Errorf("invalid regular expression: %s", strings.TrimPrefix(err.Error(),
			"error parsing regexp: "))
	case re.MatchString(""):
		return nil, errors.New("the regular expression matches the empty text, and so every answer")
	}
	tree, err := syntax.Parse(made, syntax.Perl)
	if err != nil {
		return nil, err // it was compiled above
	}
	program, err := syntax.Compile(tree.Simplify())
	return &Pattern{re, len(program.Inst)}, err
}

// TooCostly reports whether a text is too long for one search.
func (p *Pattern) TooCostly(text string) bool { return len(text) > MaxSteps/p.size }

// Steps returns the most steps that one search of a text takes; 0 if the text is too long to search.
func (p *Pattern) Steps(text string) int {
	if p.TooCostly(text) {
		return 0
	}
	return len(text) * p.size
}

// Matches returns the first matches in a text with their groups, as FindAllStringSubmatchIndex does: a thousand, or
// fewer if each may take a long walk. A text that is too long to search has none.
func (p *Pattern) Matches(text string) [][]int {
	most := min(matchesTried, MaxSteps/p.size/max(1, len(text)))
	if most == 0 {
		return nil
	}
	return p.FindAllStringSubmatchIndex(text, most)
}
