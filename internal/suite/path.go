package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/text/unicode/norm"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/text"
)

// maxPath is the largest length of a path, in bytes. It equals PATH_MAX of Linux.
const maxPath = 4096

// resolvePath returns the path that name means in file, which names paths relative to itself. problem says why the path
// is not allowed: it leaves the tree or is that of a private file.
func resolvePath(file, name string) (resolved, problem string) {
	if problem = pathProblem(name); problem != "" {
		return "", problem
	}
	resolved = path.Join(path.Dir(file), name)
	if resolved == ".." || strings.HasPrefix(resolved, "../") {
		return "", "leads out of the folder that the configuration is for; where folders of a repository share a file, keep one configuration at its root, with the suites of all"
	}
	for part := range strings.SplitSeq(resolved, "/") {
		if text.IsPrivate(part) {
			return "", fmt.Sprintf("goes through %q, which may hold credentials and is never read", part)
		}
	}
	if strings.HasPrefix(strings.ToLower(resolved)+"/", ".github/workflows/") {
		return "", "lies in .github/workflows, which is no place for prompts"
	}
	return resolved, ""
}

// pathProblem returns why name is not a valid path, or "". A valid path is relative, and all systems and annotations
// can show it.
func pathProblem(name string) string {
	switch {
	case name == "":
		return "is empty"
	case len(name) > maxPath:
		return fmt.Sprintf("is longer than %d bytes", maxPath)
	case !utf8.ValidString(name):
		return "is not UTF-8"
	case strings.HasPrefix(name, "/"):
		return "is absolute; write it relative to the file that names it"
	case strings.Contains(name, `\`):
		return "has a backslash; write / between folders"
	case !norm.NFC.IsNormalString(name):
		return "is not in Unicode normal form NFC; rename the file"
	}
	for _, r := range name {
		// On Windows, a colon names a drive or a stream. In a workflow command, a colon, a comma or a percent sign ends
		// or escapes a property.
		if unicode.IsControl(r) || r != '\ufe0f' && text.IsZeroWidth(r) || text.IsBlank(r) || r != ' ' && unicode.Is(unicode.Zs, r) || strings.ContainsRune(":,%\u2028\u2029", r) {
			return fmt.Sprintf("has the character %+q; rename the file", r)
		}
	}
	return ""
}

// Values of problem that fileProblem returns.
const (
	problemAbsent = "does not exist"
	problemFolder = "is a folder, not a file"
)

// nearFile returns the name of a file that is similar to that of the missing file name, in the same folder. It returns
// false if there is none.
func nearFile(fsys fs.FS, name string) (string, bool) {
	return text.Suggest(path.Base(name), namesIn(fsys, path.Dir(name), 0))
}

// namesIn returns the names of the entries of a folder that have the type mode; mode 0 means regular files.
func namesIn(fsys fs.FS, dir string, mode fs.FileMode) (names []string) {
	entries, _ := fs.ReadDir(fsys, dir) // an unreadable folder suggests nothing
	for _, e := range entries {
		if e.Type() == mode {
			names = append(names, e.Name())
		}
	}
	return names
}

// rulePath is the rule of the error that a path names no file.
const rulePath = "path"

// fileProblem returns why the tree has no readable file name, and the rule of that error. Both are "" if the file can
// be read. fsys itself rejects links and devices.
func fileProblem(fsys fs.FS, name string) (problem, rule string) {
	info, err := fs.Stat(fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return problemAbsent, rulePath
	case err != nil:
		rule = rulePath
		if document.IsElsewhere(err) {
			rule = document.RuleElsewhere
		}
		if inner, ok := errors.AsType[*fs.PathError](err); ok {
			err = inner.Err
		}
		return "cannot be read: " + err.Error(), rule
	case info.IsDir():
		return problemFolder, rulePath
	}
	return "", ""
}

// glob is a parsed entry of the list of suites: a pattern, a path, or a folder.
type glob struct {
	text    string // the entry as written
	pattern string // text without a leading "!" or "./"
	// the deepest folder that contains all matches, to which default ids are relative; "." is the root of the tree
	root     string
	literal  bool // text is a path, which has no special characters
	excludes bool // the pattern excludes files
	folder   bool // text names a folder, and pattern matches the suites in it

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

// rootIsIn reports whether name is the root of the glob or a parent of the root.
func (g glob) rootIsIn(name string) bool { return g.root != "." && within(g.root, name) }

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
