package suite

import (
	"fmt"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Limits on a pattern, which may come from a pull request: matching takes time exponential in braces and polynomial
// in `**`, the degree being their number.
const (
	maxGlob         = 4096 // bytes
	maxDoubleStars  = 2
	maxAlternatives = 16
)

// glob is a checked pattern of suite files, or the path of one.
type glob struct {
	text string // as given
	// pattern is text without a leading "./".
	pattern string
	// root is the folder that all matches lie in, "." for the tree itself; default ids are relative to it.
	root string
	// literal says that the pattern is a path: it has no special character.
	literal bool
}

// parseGlob checks a pattern and says what is wrong with it.
func parseGlob(text string) (g glob, wrong string) {
	pattern := strings.TrimPrefix(text, "./")
	if wrong := badGlob(pattern); wrong != "" {
		return glob{}, wrong
	}
	g = glob{text: text, pattern: pattern, literal: !strings.ContainsAny(pattern, "*?[{")}
	if g.literal {
		g.pattern = path.Clean(pattern)
		g.root = path.Dir(g.pattern)
		return g, ""
	}
	g.root, _ = doublestar.SplitPattern(pattern)
	return g, ""
}

// badGlob says why a pattern is not used, or "".
func badGlob(pattern string) string {
	switch {
	case pattern == "":
		return "is empty"
	case len(pattern) > maxGlob:
		return fmt.Sprintf("is longer than %d bytes", maxGlob)
	case strings.HasPrefix(pattern, "/"):
		return "is absolute; write it relative to the current folder"
	case strings.Contains(pattern, `\`):
		return "has a backslash; write / between folders"
	case strings.Contains("/"+pattern+"/", "/../"):
		return `has a ".." and could leave the repository`
	case strings.Count(pattern, "**") > maxDoubleStars:
		return fmt.Sprintf("has more than %d `**`", maxDoubleStars)
	}
	if wrong := badBraces(pattern); wrong != "" {
		return wrong
	}
	if !doublestar.ValidatePattern(pattern) {
		return "is not a valid pattern; a bracket or brace is not closed"
	}
	return ""
}

// badBraces says why the braces of a pattern are not used, or "".
func badBraces(pattern string) string {
	inside, alternatives := false, 0
	for _, r := range pattern {
		switch {
		case r == '{' && inside:
			return "has braces in braces"
		case r == '{':
			inside = true
			alternatives++
		case r == '}':
			inside = false
		case r == ',' && inside:
			alternatives++
		}
	}
	if alternatives > maxAlternatives {
		return fmt.Sprintf("has %d alternatives in braces, more than %d", alternatives, maxAlternatives)
	}
	return ""
}

// matches reports whether the pattern names the file.
func (g glob) matches(name string) bool {
	if g.literal {
		return g.pattern == name
	}
	return doublestar.MatchUnvalidated(g.pattern, name)
}

// below reports whether matches can lie in the folder or under it.
func (g glob) below(dir string) bool {
	return g.root == "." || dir == "." || within(dir, g.root) || within(g.root, dir)
}

// onRoot reports whether name is the glob's root or a folder on the way to it.
func (g glob) onRoot(name string) bool { return g.root != "." && within(g.root, name) }

// within reports whether name is dir or lies under it.
func within(name, dir string) bool { return name == dir || strings.HasPrefix(name, dir+"/") }
