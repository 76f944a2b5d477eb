package skill

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// maxDeep is the largest depth of imports in imported files.
const maxDeep = 5

// writer composes a message and collects the files in it.
type writer struct {
	reader
	files []File
}

func (w *writer) has(name string) bool {
	return slices.ContainsFunc(w.files, func(f File) bool { return f.Path == name })
}

// block returns the named file in the form of Block. It returns "" if the file cannot be read or too much would be
// sent. chain lists the files whose imports lead to this one; its last element imports the file directly. chain is
// empty if no file imports it.
func (w *writer) block(name string, chain []string) string {
	switch n := len(w.files); {
	case n == maxFiles:
		w.errorAt(document.Position{}, "too-large", "more than %d files of instructions would be sent; name fewer", maxFiles)
		w.files = append(w.files, File{})
		return ""
	case n > maxFiles, total(w.files) > maxBytes: // already reported
		return ""
	}
	f, ok := w.text(name)
	if !ok {
		return ""
	}
	w.files = append(w.files, f)
	text := f.Text
	if isRule(name) {
		_, text, _ = cutFrontMatter(text)
	}
	if len(chain) > 0 || path.Base(name) == importer {
		text = w.imported(f, len(f.Text)-len(text), append(slices.Clone(chain), name))
	}
	return Block(name, strings.Trim(text, "\n"))
}

// importMarks matches code in backticks, and an @ with the path after it.
var importMarks = regexp.MustCompile("`+[^`]+`+" + `|(?:^|[\s(])@([^\s` + "`" + `]+)`)

// imported returns the text of f from the offset start on. Blocks replace the imports in it. f is the last file of
// chain.
func (w *writer) imported(f File, start int, chain []string) string {
	var b strings.Builder
	last := start
	for offset, line := range OutsideCode(f.Text[start:]) {
		for _, at := range importMarks.FindAllStringSubmatchIndex(line, -1) {
			if at[2] < 0 {
				continue
			}
			from := start + offset + at[2] - 1 // the @
			if block, length := w.include(line[at[2]:at[3]], chain, func(d document.Diagnostic) { w.report(f, from, d) }); block != "" {
				b.WriteString(f.Text[last:from] + block)
				last = from + 1 + length
			}
		}
	}
	return b.String() + f.Text[last:]
}

// include returns the block of the file that an import names, and the length of the name. written is the text after the
// @. chain is as in block. If the import is not to be replaced by a block, include returns "", and may report why.
func (w *writer) include(written string, chain []string, report func(document.Diagnostic)) (block string, length int) {
	dir := path.Dir(chain[len(chain)-1])
	name, kindOf := w.find(dir, written), absent
	target := path.Join(dir, name)
	if name != "" {
		kindOf = w.kind(target)
	}
	switch {
	case name == "" && path.Ext(written) != ".md" && written[0] == '/': // such as an import alias in source code
	case name == "":
		report(warning("outside", "%s leads out of the folder that the configuration is for, and is not sent", document.Quote("@"+written)))
	case kindOf == absent && path.Ext(name) == ".md":
		report(warning("missing-file", "there is no file %s, and nothing is sent in its place", document.Quote(target)))
	case kindOf == absent, kindOf == aFolder:
	case isHidden(target) && path.Ext(target) != ".md":
		report(warning("hidden-file", "%s is hidden and not Markdown: it may hold a secret, and is not sent", document.Quote(target)))
	case slices.Contains(chain, target):
		round := append(slices.Clone(chain[slices.Index(chain, target):]), target)
		report(document.NewFault("", document.Position{}, "loop", "the imports go round: %s", strings.Join(round, " → ")))
	case w.has(target):
	case len(chain) > maxDeep:
		report(warning("too-deep", "files are imported %d deep and no deeper: %s is not sent", maxDeep, document.Quote(target)))
	default:
		return w.block(target, chain), len(name)
	}
	return "", 0
}

// isHidden reports whether the name of a file, or of one of its folders, begins with a dot, as in .aws/credentials.
func isHidden(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return strings.HasPrefix(part, ".") })
}

// find returns the path at the beginning of written, the text after an @. The path is all of written or, if no such
// file exists, written without closing punctuation. dir is the folder of the importing file. For a path in the home
// folder or outside of the tree, find returns "".
func (w *writer) find(dir, written string) (name string) {
	for _, name = range []string{written, strings.TrimRight(written, ".,;:!?)'\"*")} {
		if name == "" {
			return written
		}
		target := path.Join(dir, name)
		if strings.HasPrefix(name, "~/") || strings.HasPrefix(name, "/") || target == ".." || strings.HasPrefix(target, "../") {
			return ""
		}
		if w.kind(target) != absent {
			break
		}
	}
	return name
}
