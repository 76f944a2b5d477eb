package promptfoo

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/failproof/failproof/internal/document"
)

// Bounds of what is read.
const (
	maxFile  = 16 << 20 // bytes of one file
	maxRead  = 64 << 20 // bytes of all
	maxFound = 2000     // files of one pattern
	maxNodes = 200_000  // files and folders that are looked at for one
	maxReads = 5000     // files that are read, each time counted
	maxNamed = 8        // files that name each other
)

// source reads the files, and collects the findings.
type source struct {
	tree     fs.FS
	dir      string // of the configuration, against which promptfoo reads paths
	root     node   // the configuration
	findings []Finding
	bytes    int // that were read
	reads    int // of files
	named    int // how many files name each other, down to where it reads
}

// filesOf returns the files that a path or a pattern names. If there is none, it reports what they were for.
func (src *source) filesOf(n node, what, text string) []string {
	full, why := under(src.dir, text)
	if why != "" {
		src.addToDo(n, what, why, "")
		return nil
	}
	files := src.glob(full)
	if len(files) == 0 {
		src.addToDo(n, what, document.Quote(text)+" names no file", "")
	}
	return files
}

// under returns a path relative to dir as one from the root of the tree, or says what is wrong with it.
func under(dir, name string) (full, why string) {
	name = strings.TrimPrefix(name, "file://")
	if plain, err := url.PathUnescape(name); err == nil && strings.Contains(name, "%") {
		name = plain
	}
	switch {
	case strings.Contains(name, `\`):
		return "", "the path has a backslash"
	case strings.Contains(name, "{{"):
		return "", "the path is made of variables"
	case path.IsAbs(name), strings.HasPrefix(name, "~"):
		return "", "the path is outside of the converted folder"
	}
	full = path.Join(dir, name)
	if full == ".." || strings.HasPrefix(full, "../") {
		return "", "the path leads out of the converted folder; run the command in a folder above both"
	}
	return full, ""
}

// read returns a file of the tree. An error is reported at the place that names the file.
func (src *source) read(name string, from node) ([]byte, bool) {
	why := ""
	switch info, err := fs.Stat(src.tree, name); {
	case errors.Is(err, fs.ErrNotExist):
		why = "it does not exist"
	case err != nil:
		why = "it is not a plain file"
	case info.IsDir():
		why = "it is a folder"
	case info.Size() > maxFile:
		why = fmt.Sprintf("it is larger than %d MiB", maxFile>>20)
	case src.reads >= maxReads:
		why = fmt.Sprintf("more than %d files would be read", maxReads)
	case src.bytes+int(info.Size()) > maxRead:
		why = fmt.Sprintf("more than %d MiB would be read in all", maxRead>>20)
	default:
		data, err := fs.ReadFile(src.tree, name)
		if err == nil {
			src.bytes, src.reads = src.bytes+len(data), src.reads+1
			return data, true
		}
		why = "it cannot be read"
	}
	src.addToDo(from, "the file "+document.Quote(name), why, "")
	return nil, false
}

// readText reads the text of a prompt or a variable. Its line ends are line feeds.
func (src *source) readText(name string, from node) (string, bool) {
	data, ok := src.read(name, from)
	switch {
	case !ok:
		return "", false
	case !utf8.Valid(data) || strings.ContainsRune(string(data), 0):
		src.addToDo(from, "the file "+document.Quote(name), "it is not UTF-8 text", "")
		return "", false
	case len(data) > 1<<20:
		src.addToDo(from, "the file "+document.Quote(name), "it is larger than 1 MiB, the maximum for a text", "")
		return "", false
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n"), true
}

// textOf returns the text of a value, or of the file that it names. The error is a refusal, or says that it is
// reported.
func (src *source) textOf(n node) (string, error) {
	if !strings.HasPrefix(n.text(), "file://") {
		return n.text(), nil
	}
	full, why := under(src.dir, n.Text)
	if why == "" && codeFile.MatchString(n.Text) {
		why = "a program gives its value, and nothing is run"
	}
	if why != "" {
		return "", refusal{why, ""}
	}
	text, ok := src.readText(full, n)
	if !ok {
		return "", errReported
	}
	return strings.TrimSpace(text), nil
}

// parse reads a YAML or JSON file; false if it has an error. from is the place that names it.
func (src *source) parse(name string, from node) (node, bool) {
	data, ok := src.read(name, from)
	if !ok {
		return node{}, false
	}
	root, ds := document.ParseAnchored(name, data)
	return src.sound(node{root, name}, ds)
}

// following reads a file that another file names, up to a depth.
func (src *source) following(n node, take func()) {
	if src.named++; src.named > maxNamed {
		src.addToDo(n, document.Quote(n.text()), fmt.Sprintf("more than %d files name each other", maxNamed), "")
	} else {
		take()
	}
	src.named--
}

// sound reports the errors of a file, and returns false if it has any.
func (src *source) sound(n node, ds []document.Diagnostic) (node, bool) {
	sound := n.Node != nil
	for _, d := range ds {
		if d.Severity == document.Error && d.Rule != "number" { // -5 and 1e3 are taken as they are written
			sound = false
			src.findings = append(src.findings, Finding{ToDo, d.Path, d.At(), "the file", d.Message, ""})
		}
	}
	if !sound {
		return node{}, false
	}
	return n, true
}

// resolve follows a reference inside of the configuration, { $ref: "#/assertionTemplates/polite" }.
func (src *source) resolve(n node) node {
	for range 8 {
		ref := n.get("$ref")
		if !n.isMap() || !ref.isText() || len(n.Keys) != 1 || !strings.HasPrefix(ref.Text, "#/") {
			return n
		}
		to := src.root
		for part := range strings.SplitSeq(ref.Text[2:], "/") {
			to = to.get(part)
		}
		if to.missing() {
			src.addToDo(n, "the reference "+document.Quote(ref.Text), "nothing stands there", "")
			return node{}
		}
		n = to
	}
	return n
}

func isPattern(name string) bool { return strings.ContainsAny(name, "*?[{") }

// glob returns the files that a pattern matches, sorted. A path is its own only match.
func (src *source) glob(pattern string) (names []string) {
	if !isPattern(pattern) {
		return []string{pattern}
	}
	root, _ := doublestar.SplitPattern(pattern)
	looked := 0
	// what is not listed is not there
	_ = fs.WalkDir(src.tree, root, func(name string, entry fs.DirEntry, err error) error {
		if looked++; err != nil || looked > maxNodes || len(names) >= maxFound {
			return fs.SkipDir
		}
		if entry.IsDir() {
			if base := path.Base(name); base == "node_modules" || base == ".git" {
				return fs.SkipDir
			}
			return nil
		}
		if is, err := doublestar.Match(pattern, name); err == nil && is && entry.Type().IsRegular() {
			names = append(names, name)
		}
		return nil
	})
	slices.Sort(names)
	return names
}
