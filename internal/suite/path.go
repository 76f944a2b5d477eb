package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/text"
	"golang.org/x/text/unicode/norm"
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
