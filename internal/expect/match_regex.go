package expect

import (
	"cmp"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of a pattern: its source in bytes, and the steps (instructions times bytes of the answer) that a search may
// cost at worst, about a second.
const (
	maxPattern   = 1 << 10
	maxRegexWork = 1 << 27
)

// pattern is a compiled regular expression with the size that bounds its cost.
type pattern struct {
	re    *regexp.Regexp
	size  int // instructions
	empty bool
}

func compilePattern(source string) (*pattern, error) {
	if len(source) > maxPattern {
		return nil, faultf(0, "regular expression of %d bytes; at most %d are allowed", len(source), maxPattern)
	}
	re, err := regexp.Compile(source)
	if err != nil {
		return nil, patternFault(source, err)
	}
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return nil, patternFault(source, err)
	}
	tree = tree.Simplify()
	program, err := syntax.Compile(tree)
	if err != nil {
		return nil, patternFault(source, err)
	}
	return &pattern{re: re, size: len(program.Inst), empty: matchesAnywhere(tree)}, nil
}

// search reports whether text matches, and why it was not tried.
func (p *pattern) search(text string) (met bool, why string) {
	if len(text) > maxRegexWork/p.size {
		return false, fmt.Sprintf("could not be evaluated: the pattern is too costly for an answer of %d bytes", len(text))
	}
	return p.re.MatchString(text), ""
}

// matchesAnywhere reports whether every text matches: the pattern accepts the empty string at its start or at its end.
func matchesAnywhere(tree *syntax.Regexp) bool {
	if tree.Op != syntax.OpConcat {
		return nullable(tree)
	}
	parts := tree.Sub
	switch first, last := parts[0].Op, parts[len(parts)-1].Op; {
	case first == syntax.OpBeginText || first == syntax.OpBeginLine:
		parts = parts[1:]
	case last == syntax.OpEndText || last == syntax.OpEndLine:
		parts = parts[:len(parts)-1]
	}
	return allNullable(parts)
}

// nullable reports whether the pattern accepts the empty string whatever stands around it.
func nullable(t *syntax.Regexp) bool {
	switch t.Op {
	case syntax.OpEmptyMatch, syntax.OpStar, syntax.OpQuest:
		return true
	case syntax.OpRepeat:
		return t.Min == 0 || nullable(t.Sub[0])
	case syntax.OpCapture, syntax.OpPlus:
		return nullable(t.Sub[0])
	case syntax.OpConcat:
		return allNullable(t.Sub)
	case syntax.OpAlternate:
		return slices.ContainsFunc(t.Sub, nullable)
	}
	return false
}

func allNullable(parts []*syntax.Regexp) bool {
	return !slices.ContainsFunc(parts, func(p *syntax.Regexp) bool { return !nullable(p) })
}

func (m *Match) regexJudge(source string) (judge, error) {
	p, err := compilePattern(source)
	if err != nil {
		return nil, offsetIn(m.expected, source, err)
	}
	m.always = p.empty
	return func(a *Answer) string {
		met, why := p.search(a.Text)
		if !met {
			return cmp.Or(why, "no match")
		}
		return ""
	}, nil
}

// offsetIn moves the place of a fault from part to the text that part was taken from.
func offsetIn(whole, part string, err error) error {
	fault, ok := err.(*CompileError)
	if !ok {
		return err
	}
	if at := strings.Index(whole, part); at > 0 {
		fault.Offset += utf8.RuneCountInString(whole[:at])
	}
	return fault
}
