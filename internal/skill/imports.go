package skill

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// maxImportDepth is the largest depth of imports in imported files.
const maxImportDepth = 5

// messageBuilder composes a message and collects the files in it.
type messageBuilder struct {
	reader
	files []File
}

func (m *messageBuilder) hasFile(name string) bool {
	return slices.ContainsFunc(m.files, func(f File) bool { return f.Path == name })
}

// fileBlock returns the named file in the form of Block. It returns "" if the file cannot be read or too much would be
// sent. chain lists the files whose imports lead to this one; its last element imports the file directly. chain is
// empty if no file imports it.
func (m *messageBuilder) fileBlock(name string, chain []string) string {
	switch n := len(m.files); {
	case n == maxFiles:
		m.errorAt(document.Position{}, "too-large", "more than %d files of instructions would be sent; name fewer", maxFiles)
		m.files = append(m.files, File{})
		return ""
	case n > maxFiles, totalBytes(m.files) > maxBytes: // already reported
		return ""
	}
	f, ok := m.readFile(name)
	if !ok {
		return ""
	}
	m.files = append(m.files, f)
	text := f.Text
	if isRule(name) {
		_, text, _ = cutFrontMatter(text)
	}
	if len(chain) > 0 || path.Base(name) == claudeFile {
		text = m.expandImports(f, len(f.Text)-len(text), append(slices.Clone(chain), name))
	}
	return FileBlock(name, strings.Trim(text, "\n"))
}

// importPattern matches code in backticks, and an @ with the path after it.
var importPattern = regexp.MustCompile("`+[^`]+`+" + `|(?:^|[\s(])@([^\s` + "`" + `]+)`)

// expandImports returns the text of f from the offset start on. Blocks replace the imports in it. f is the last file of
// chain.
func (m *messageBuilder) expandImports(f File, start int, chain []string) string {
	var b strings.Builder
	last := start
	for offset, line := range OutsideCode(f.Text[start:]) {
		for _, at := range importPattern.FindAllStringSubmatchIndex(line, -1) {
			if at[2] < 0 {
				continue
			}
			from := start + offset + at[2] - 1 // the @
			if block, length := m.importBlock(line[at[2]:at[3]], chain, func(d document.Diagnostic) { m.addFault(f, from, d) }); block != "" {
				b.WriteString(f.Text[last:from] + block)
				last = from + 1 + length
			}
		}
	}
	return b.String() + f.Text[last:]
}

// importBlock returns the block of the file that an import names, and the length of the name. reference is the text
// after the @. chain is as in block. If the import is not to be replaced by a block, importBlock returns "", and may
// report why.
func (m *messageBuilder) importBlock(reference string, chain []string, report func(document.Diagnostic)) (block string,
	length int) {
	dir := path.Dir(chain[len(chain)-1])
	name, fileKind := m.importPath(dir, reference), kindAbsent
	target := path.Join(dir, name)
	if name != "" {
		fileKind = m.kind(target)
	}
	switch {
	case name == "" && path.Ext(reference) != ".md" && reference[0] == '/': // such as an import alias in source code
	case name == "":
		report(warning("outside", "%s leads out of the folder that the configuration is for, and is not sent", document.Quote("@"+reference)))
	case fileKind == kindAbsent && path.Ext(name) == ".md":
		report(warning("missing-file", "there is no file %s, and nothing is sent in its place", document.Quote(target)))
	case fileKind == kindAbsent, fileKind == kindFolder:
	case isHidden(target) && path.Ext(target) != ".md":
		report(warning("hidden-file", "%s is hidden and not Markdown: it may hold a secret, and is not sent", document.Quote(target)))
	case slices.Contains(chain, target):
		cycle := append(slices.Clone(chain[slices.Index(chain, target):]), target)
		report(document.NewError("", document.Position{}, "loop", "the imports go round: %s", strings.Join(cycle, " → ")))
	case m.hasFile(target):
	case len(chain) > maxImportDepth:
		report(warning("too-deep", "files are imported %d deep and no deeper: %s is not sent", maxImportDepth, document.Quote(target)))
	default:
		return m.fileBlock(target, chain), len(name)
	}
	return "", 0
}

// isHidden reports whether the name of a file, or of one of its folders, begins with a dot, as in .aws/credentials.
func isHidden(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return strings.HasPrefix(part, ".") })
}

// importPath returns the path of the file that an import names. reference is the text after the @. The path is all of
// reference or, if no such file exists, reference without closing punctuation. dir is the folder of the importing file.
// For a path in the home folder or outside of the tree, importPath returns "".
func (m *messageBuilder) importPath(dir, reference string) (name string) {
	for _, name = range []string{reference, strings.TrimRight(reference, ".,;:!?)'\"*")} {
		if name == "" {
			return reference
		}
		target := path.Join(dir, name)
		if strings.HasPrefix(name, "~/") || strings.HasPrefix(name, "/") || target == ".." || strings.HasPrefix(target, "../") {
			return ""
		}
		if m.kind(target) != kindAbsent {
			break
		}
	}
	return name
}
