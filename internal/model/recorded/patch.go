package recorded

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// contextLines is the number of context lines of a patch.
const contextLines = 3

// Edit holds the new lines of a case.
type Edit struct {
	SuiteID, CaseID string
	Lines           []byte
}

func (e Edit) name() suiteid.Name {
	return suiteid.Name{Suite: suiteid.AuthorID(e.SuiteID), Case: e.CaseID}
}

// Patch returns a unified diff that replaces all lines of some cases in a recording, including reruns. It appends the
// lines of new cases. If there is no file yet, old is nil. `git apply` accepts the diff in the folder that name is
// relative to.
func Patch(name string, old []byte, edits []Edit) []byte {
	from, to := quotedName("a/"+name), quotedName("b/"+name)
	if old == nil {
		from = "/dev/null"
	}
	return fmt.Appendf(nil, "--- %s\n+++ %s\n%s", from, to, text.Hunks(diffLines(old, edits), contextLines))
}

// diffLines returns the lines of the diff for a recording. In place of a case's old lines come the lines of its edit.
func diffLines(old []byte, edits []Edit) (lines []text.PatchLine) {
	linesOf := map[suiteid.Name][]byte{}
	for _, e := range edits {
		linesOf[e.name()] = e.Lines
	}
	done := map[suiteid.Name]bool{}
	addEdit := func(name suiteid.Name) {
		for l := range bytes.Lines(linesOf[name]) {
			lines = append(lines, text.PatchLine{Mark: '+', Text: string(l)})
		}
		done[name] = true
	}
	for l := range bytes.Lines(old) {
		name, _ := nameOf(l)
		if _, changes := linesOf[name]; !changes {
			lines = append(lines, text.PatchLine{Mark: ' ', Text: string(l)})
			continue
		}
		lines = append(lines, text.PatchLine{Mark: '-', Text: string(l)})
		if !done[name] {
			addEdit(name)
		}
	}
	for _, e := range edits {
		if name := e.name(); !done[name] {
			lines = endLastLine(lines)
			addEdit(name)
		}
	}
	return lines
}

// endLastLine returns the lines with a line break at the end of the last one, because more lines follow.
func endLastLine(lines []text.PatchLine) []text.PatchLine {
	n := len(lines) - 1
	if n < 0 || strings.HasSuffix(lines[n].Text, "\n") {
		return lines
	}
	last := lines[n]
	if last.Mark == ' ' {
		lines[n].Mark = '-'
	}
	return append(lines, text.PatchLine{Mark: '+', Text: last.Text + "\n"})
}

// quotedName returns a name as git writes it: quoted if it has unusual characters.
func quotedName(name string) string {
	var b strings.Builder
	for i := range len(name) {
		switch c := name[i]; {
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(c))
		case c > ' ' && c < 0x7f:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, `\%03o`, c)
		}
	}
	if b.Len() > len(name) {
		return `"` + b.String() + `"`
	}
	return name
}
