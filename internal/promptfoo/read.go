package promptfoo

import (
	"bytes"
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

// The limits of an import.
const (
	maxFile      = 16 << 20 // bytes of one file
	maxBytesRead = 64 << 20 // bytes of all files together
	maxMatches   = 2000     // files that one pattern matches
	maxVisits    = 200_000  // files and folders that one pattern visits
	maxFiles     = 5000     // reads of files
)

// source reads the files of promptfoo's configuration and collects the findings.
type source struct {
	tree       fs.FS
	dir        string     // the folder of the configuration; promptfoo's paths are relative to it
	root       node       // the configuration
	readGrader func(node) // reads a provider that grades answers
	findings   []Finding
	bytesRead  int // number of bytes read so far
	filesRead  int // number of files read so far
}

// filesOf returns the paths of the files that n names, by a path or a pattern relative to dir. If there is no such
// file, it adds a finding, in which label names the part of the configuration.
func filesOf(dir string, n node, label string) (files []string) {
	full, err := resolvePath(dir, n.text())
	if err == nil {
		if files = n.src.glob(full); len(files) > 0 {
			return files
		}
		err = because(document.Quote(n.text()) + " names no file")
	}
	addError(n, label, err)
	return nil
}

// resolvePath returns name, which is relative to dir, as a path from the root of the tree. The error is a
// conversionError.
func resolvePath(dir, name string) (full string, err error) {
	name = strings.TrimPrefix(name, "file://")
	if unescaped, err := url.PathUnescape(name); err == nil {
		name = unescaped
	}
	full = path.Join(dir, name)
	switch {
	case strings.Contains(name, `\`):
		return "", because("the path has a backslash")
	case strings.Contains(name, "{{"):
		return "", because("the path is made of variables")
	case path.IsAbs(name), strings.HasPrefix(name, "~"):
		return "", because("the path is outside of the converted folder")
	case full == "..", strings.HasPrefix(full, "../"):
		return "", because("the path leads out of the converted folder; run the command in a folder above both")
	}
	return full, nil
}

// read returns the content of the file with the given name. If it cannot, it adds a finding at ref, which names it.
func read(name string, ref node) ([]byte, bool) {
	src := ref.src
	info, err := fs.Stat(src.tree, name)
	why := "it is not a readable file"
	switch {
	case codeFile.MatchString(name):
		why = "it is code, which is not run"
	case errors.Is(err, fs.ErrNotExist):
		why = "it does not exist"
	case err != nil || !info.Mode().IsRegular():
	case info.Size() > maxFile, src.filesRead >= maxFiles, src.bytesRead+int(info.Size()) > maxBytesRead:
		why = fmt.Sprintf("it is larger than %d MiB, or all files have more than %d MiB or %d files", maxFile>>20,
			maxBytesRead>>20, maxFiles)
	default:
		if data, err := fs.ReadFile(src.tree, name); err == nil {
			src.bytesRead, src.filesRead = src.bytesRead+len(data), src.filesRead+1
			return data, true
		}
	}
	addFinding(ToDo, ref, "the file "+document.Quote(name), why)
	return nil, false
}

// readText returns the content of a text file, with LF as line ends. If it cannot, it adds a finding at ref.
func readText(name string, ref node) (string, bool) {
	data, ok := read(name, ref)
	if ok && (!utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 || len(data) > 1<<20) {
		addFinding(ToDo, ref, "the file "+document.Quote(name), "it is not UTF-8 text of at most 1 MiB")
		return "", false
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n"), ok
}

// textOf returns the text of n, or of the file that n names. The error is a conversionError.
func textOf(n node) (string, error) {
	if !n.namesFile() {
		return n.text(), nil
	}
	full, err := resolvePath(n.src.dir, n.Text)
	if err != nil {
		return "", err
	}
	if text, ok := readText(full, n); ok {
		return strings.TrimSpace(text), nil
	}
	return "", because("its file cannot be read")
}

// contentOf returns n, or the content of the file that n names. If the file cannot be read, it adds a finding.
func contentOf(n node) (content node) {
	if !n.namesFile() {
		return n
	}
	full, err := resolvePath(n.src.dir, n.Text)
	if err != nil {
		addError(n, document.Quote(n.Text), err)
		return node{}
	}
	root, _ := parse(full, n)
	return root
}

// copyOf is contentOf for content that is copied into the result. It reports that.
func copyOf(n node, label string) node {
	content := contentOf(n)
	if n.namesFile() && !content.isMissing() {
		addCopied(n, label, "")
	}
	return content
}

// addCopied reports that the result has a copy of what a file says. n is the node that names the file or is in it.
func addCopied(n node, what, instead string) {
	addFinding(Changed, n, what,
		"copied out of its file, and the copy is judged: a change of the file itself is not", instead)
}

// parse returns the content of a YAML or JSON file, and reports whether the file has no error. ref is the node that
// names the file.
func parse(name string, ref node) (node, bool) {
	data, ok := read(name, ref)
	if !ok {
		return node{}, false
	}
	root, ds := document.ParseAnchored(name, data)
	return reportErrors(node{root, name, ref.src}, ds)
}

// reportErrors adds the errors in ds to the findings. It returns n and true if there are none.
func reportErrors(n node, ds []document.Diagnostic) (node, bool) {
	sound := n.Node != nil
	for _, d := range ds {
		if d.Severity == document.Error && d.Rule != "number" { // -5 and 1e3 are kept as written
			sound = false
			n.src.findings = append(n.src.findings, Finding{ToDo, d.Path, d.Pos(), "the file", d.Message, ""})
		}
	}
	if !sound {
		return node{}, false
	}
	return n, true
}

// resolve returns the value to which n refers, as by { $ref: "#/assertionTemplates/polite" }, or any other n as it is.
func resolve(n node) node {
	for range 8 {
		ref := n.get("$ref")
		if !n.isMap() || !ref.isText() || len(n.Keys) != 1 || !strings.HasPrefix(ref.Text, "#/") {
			return n
		}
		target := n.src.root
		for part := range strings.SplitSeq(ref.Text[2:], "/") {
			target = target.get(part)
		}
		if target.isMissing() {
			addFinding(ToDo, n, "the reference "+document.Quote(ref.Text), "nothing is there")
			return n.with(&document.Node{Kind: document.Null, Pos: n.Pos})
		}
		n = target
	}
	return n
}

// glob returns the sorted paths of the files that match pattern. Without wildcards, it returns pattern itself.
func (s *source) glob(pattern string) (names []string) {
	if !strings.ContainsAny(pattern, "*?[{") {
		return []string{pattern}
	}
	root, _ := doublestar.SplitPattern(pattern)
	visited := 0
	// An unreadable folder counts as empty.
	_ = fs.WalkDir(s.tree, root, func(name string, entry fs.DirEntry, err error) error {
		if visited++; err != nil || visited > maxVisits || len(names) >= maxMatches {
			return fs.SkipDir
		}
		if entry.IsDir() {
			if base := path.Base(name); base == "node_modules" || base == ".git" {
				return fs.SkipDir
			}
			return nil
		}
		if ok, err := doublestar.Match(pattern, name); err == nil && ok && entry.Type().IsRegular() {
			names = append(names, name)
		}
		return nil
	})
	slices.Sort(names)
	return names
}
