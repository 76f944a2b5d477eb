package suite

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/failproof/failproof/internal/config"
)

// glob is a parsed entry of the list of suites: a pattern, a path, or a folder.
type glob struct {
	text string // the entry as written
	// pattern is text without a leading "!" or "./".
	pattern string
	// root is the deepest folder that contains all matches; "." is the root of the tree. Default ids are relative to
	// root.
	root string
	// literal is set for a path, which has no special characters.
	literal bool
	// excludes is set for a pattern that excludes files.
	excludes bool
	// folder is set if text names a folder. pattern then matches the suites in the folder.
	folder bool

	hits     int    // number of matching suite files, with those that were rejected as links or devices
	nonSuite string // the first matching file that is no suite file; "": none
}

// parseGlob parses an entry of the list of suites. problem says why the entry is invalid, or is "".
func parseGlob(text string) (g glob, problem string) {
	if problem := config.GlobProblem(text); problem != "" {
		return glob{}, problem
	}
	pattern, excludes := config.CutExclusion(text)
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

// GlobOf returns a glob that matches only the file name, which may have special characters.
func GlobOf(name string) string {
	return strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]", "{", "[{]", "}", "[}]").Replace(name)
}

// matches reports whether a file matches the pattern.
func (g glob) matches(name string) bool {
	if g.literal {
		return g.pattern == name
	}
	return doublestar.MatchUnvalidated(g.pattern, name)
}

// mayMatchIn reports whether the folder dir can contain matching files, also in its subfolders.
func (g glob) mayMatchIn(dir string) bool {
	return g.root == "." || dir == "." || within(dir, g.root) || within(g.root, dir)
}

// covers reports whether the file name matches the pattern, or is in a folder that the pattern names.
func (g glob) covers(name string) bool {
	return g.matches(name) || g.literal && within(name, g.pattern)
}

// Excludes reports whether one of the globs excludes the file name or a folder that contains it.
func Excludes(globs []string, name string) bool { return covered(globs, name, true) }

// Includes reports whether one of the globs matches the file name and none excludes it. A glob without special
// characters may name a folder that contains the file.
func Includes(globs []string, name string) bool {
	return !Excludes(globs, name) && covered(globs, name, false)
}

func covered(globs []string, name string, excludes bool) bool {
	return slices.ContainsFunc(globs, func(text string) bool {
		g, wrong := parseGlob(text)
		return wrong == "" && g.excludes == excludes && g.covers(name)
	})
}

// within reports whether name is dir or is below it.
func within(name, dir string) bool { return name == dir || strings.HasPrefix(name, dir+"/") }
