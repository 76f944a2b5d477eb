package recorded

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/suiteid"
)

// around is the number of context lines of a patch.
const around = 3

// Edit holds the new lines of a case.
type Edit struct {
	SuiteID, CaseID string
	Lines           []byte
}

func (e Edit) name() Name { return Name{suiteid.AuthorID(e.SuiteID), e.CaseID} }

// Patch returns a unified diff that replaces all lines of some cases in a recording, including reruns; new cases come
// last. old is nil if there is no file yet. `git apply` accepts it in the folder that name is relative to.
func Patch(name string, old []byte, edits []Edit) []byte {
	ops := editOps(old, edits)
	from, to := quotedName("a/"+name), quotedName("b/"+name)
	if old == nil {
		from = "/dev/null"
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", from, to)
	writeHunks(&out, ops)
	return out.Bytes()
}

// op is a line of a diff with its mark: ' ', '-' or '+'.
type op struct {
	mark byte
	text []byte // without its line break
	end  bool   // it has no line break: it is the last of its file
}

func editOps(old []byte, edits []Edit) (ops []op) {
	by := map[Name][]byte{}
	for _, e := range edits {
		by[e.name()] = e.Lines
	}
	done := map[Name]bool{}
	for l := range bytes.Lines(old) {
		name, _ := nameOf(l)
		lines, changes := by[name]
		if !changes {
			ops = append(ops, lineOp(' ', l))
			continue
		}
		ops = append(ops, lineOp('-', l))
		if !done[name] {
			ops, done[name] = appendLines(ops, lines), true
		}
	}
	for _, e := range edits {
		if name := e.name(); !done[name] {
			ops, done[name] = appendLines(closed(ops), e.Lines), true
		}
	}
	return ops
}

func appendLines(ops []op, text []byte) []op {
	for l := range bytes.Lines(text) {
		ops = append(ops, lineOp('+', l))
	}
	return ops
}

func lineOp(mark byte, l []byte) op {
	text, whole := bytes.CutSuffix(l, []byte("\n"))
	return op{mark, text, !whole}
}

// closed adds a line break to a last line that lacks one, because more lines follow.
func closed(ops []op) []op {
	n := len(ops) - 1
	if n < 0 || !ops[n].end {
		return ops
	}
	last := ops[n]
	if last.mark == ' ' {
		ops[n].mark = '-'
	}
	return append(ops, op{'+', last.text, false})
}

// writeHunks writes the changed lines with their context, and a header with line numbers for each range.
func writeHunks(out *bytes.Buffer, ops []op) {
	count := func(ops []op) (olds, news int) {
		for _, o := range ops {
			if o.mark != '+' {
				olds++
			}
			if o.mark != '-' {
				news++
			}
		}
		return olds, news
	}
	oldAt, newAt := 1, 1
	for len(ops) > 0 {
		isChange := func(o op) bool { return o.mark != ' ' }
		last := slices.IndexFunc(ops, isChange)
		if last < 0 {
			return
		}
		first := max(0, last-around)
		for i := last + 1; i < len(ops) && i <= last+1+2*around; i++ { // a near change is in the same hunk
			if isChange(ops[i]) {
				last = i
			}
		}
		skipped, hunk := ops[:first], ops[first:min(len(ops), last+1+around)]
		ops = ops[first+len(hunk):]
		olds, news := count(skipped)
		oldAt, newAt = oldAt+olds, newAt+news
		olds, news = count(hunk)
		fmt.Fprintf(out, "@@ -%s +%s @@\n", span(oldAt, olds), span(newAt, news))
		oldAt, newAt = oldAt+olds, newAt+news
		for _, o := range hunk {
			out.WriteByte(o.mark)
			out.Write(o.text)
			out.WriteByte('\n')
			if o.end {
				out.WriteString("\\ No newline at end of file\n")
			}
		}
	}
}

// span returns the header of a range of lines; an empty one begins at the line before it.
func span(at, n int) string {
	if n == 0 {
		at--
	}
	return fmt.Sprintf("%d,%d", at, n)
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
