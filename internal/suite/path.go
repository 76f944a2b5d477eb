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

// maxPath is the longest path in bytes, Linux's PATH_MAX.
const maxPath = 4096

// beside resolves a path that a file names relative to itself. wrong says that the path leaves the tree or names a
// forbidden file.
func beside(file, name string) (resolved, wrong string) {
	if wrong = badPath(name); wrong != "" {
		return "", wrong
	}
	resolved = path.Join(path.Dir(file), name)
	if resolved == ".." || strings.HasPrefix(resolved, "../") {
		return "", "leads out of the folder that the configuration is for; where folders of a repository share a file, keep one configuration at its root, with the suites of all"
	}
	for part := range strings.SplitSeq(resolved, "/") {
		if private(part) {
			return "", fmt.Sprintf("goes through %q, which may hold credentials and is never read", part)
		}
	}
	if strings.HasPrefix(strings.ToLower(resolved)+"/", ".github/workflows/") {
		return "", "lies in .github/workflows, which is no place for prompts"
	}
	return resolved, ""
}

// badPath returns why name is not a relative path that all systems and annotations can show, or "".
func badPath(name string) string {
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
		// On Windows a colon names a drive or a stream. Colon, comma and percent sign end or escape a property of a
		// workflow command.
		if unicode.IsControl(r) || r != '\ufe0f' && text.NoWidth(r) || text.Blank(r) || r != ' ' && unicode.Is(unicode.Zs, r) || strings.ContainsRune(":,%\u2028\u2029", r) {
			return fmt.Sprintf("has the character %+q; rename the file", r)
		}
	}
	return ""
}

// private reports whether a path component is git's own folder or an environment file, however a file system may
// spell it.
func private(part string) bool {
	part = strings.TrimRight(strings.ToLower(part), ". ")
	return part == ".git" || part == "git~1" || strings.HasPrefix(part, ".env") || strings.HasPrefix(part, "env~")
}

// What is wrong with a path.
const (
	absent  = "does not exist"
	aFolder = "is a folder, not a file"
)

// nearFile returns the existing file that a missing name most likely means, or false.
func nearFile(fsys fs.FS, name string) (string, bool) {
	return text.Suggest(path.Base(name), namesIn(fsys, path.Dir(name), 0))
}

// namesIn returns the names of the files of a type in a folder.
func namesIn(fsys fs.FS, dir string, mode fs.FileMode) (names []string) {
	entries, _ := fs.ReadDir(fsys, dir) // an unreadable folder suggests nothing
	for _, e := range entries {
		if e.Type() == mode {
			names = append(names, e.Name())
		}
	}
	return names
}

// rulePath is the diagnostic rule for a path at which there is no file.
const rulePath = "path"

// present returns why a path cannot be read as a file of the tree, and the rule of that error. Both results are "" if
// the file can be read. The tree itself rejects links and devices.
func present(fsys fs.FS, name string) (wrong, rule string) {
	info, err := fs.Stat(fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return absent, rulePath
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
		return aFolder, rulePath
	}
	return "", ""
}
