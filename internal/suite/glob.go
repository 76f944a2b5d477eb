package suite

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/failproof/failproof/internal/config"
)

// glob is a checked pattern of suite files, or the path of one.
type glob struct {
	text string // as given
	// pattern is text without a leading "./".
	pattern string
	// root is the folder of all matches, "." for the tree itself. Default ids are relative to it.
	root string
	// literal is set for a path, which has no special character.
	literal bool
	// excludes is set for a pattern that excludes files.
	excludes bool
	// folder is set for a named folder, which means the suites in it.
	folder bool
}

// parseGlob parses a pattern; wrong says why it is invalid.
func parseGlob(text string) (g glob, wrong string) {
	if wrong := config.BadGlob(text); wrong != "" {
		return glob{}, wrong
	}
	pattern, excludes := config.Excluded(text)
	pattern = strings.TrimPrefix(pattern, "./")
	g = glob{text: text, pattern: pattern, literal: !strings.ContainsAny(pattern, "*?[{"), excludes: excludes}
	if g.literal {
		g.pattern = path.Clean(pattern)
		g.root = path.Dir(g.pattern)
	} else {
		g.root, _ = doublestar.SplitPattern(pattern)
	}
	return g, ""
}

// matches reports whether a file matches the pattern.
func (g glob) matches(name string) bool {
	if g.literal {
		return g.pattern == name
	}
	return doublestar.MatchUnvalidated(g.pattern, name)
}

// below reports whether files in the folder or its subfolders can match.
func (g glob) below(dir string) bool {
	return g.root == "." || dir == "." || within(dir, g.root) || within(g.root, dir)
}

// onRoot reports whether name is the glob's root or one of its parents.
func (g glob) onRoot(name string) bool { return g.root != "." && within(g.root, name) }

// covers reports whether a file matches the pattern, or lies in a folder that the pattern names.
func (g glob) covers(name string) bool {
	return g.matches(name) || g.literal && within(name, g.pattern)
}

// LeftOut reports whether a glob excludes a file or one of its folders.
func LeftOut(globs []string, name string) bool { return covered(globs, name, true) }

// Includes reports whether one of the globs matches the file and none excludes it. A glob without special characters
// may name a folder.
func Includes(globs []string, name string) bool {
	return !LeftOut(globs, name) && covered(globs, name, false)
}

func covered(globs []string, name string, excludes bool) bool {
	return slices.ContainsFunc(globs, func(text string) bool {
		g, wrong := parseGlob(text)
		return wrong == "" && g.excludes == excludes && g.covers(name)
	})
}

// within reports whether name is dir or lies under it.
func within(name, dir string) bool { return name == dir || strings.HasPrefix(name, dir+"/") }
