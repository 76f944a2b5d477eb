package recorded

import (
	"bytes"
	"fmt"
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
	for _, h := range hunks(ops) {
		h.write(&out, ops)
	}
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

// hunk is a range of lines of a diff, with its line numbers on both sides.
type hunk struct{ first, behind, oldAt, newAt int }

func hunks(ops []op) (out []hunk) {
	oldAt, newAt := 1, 1
	type place struct{ old, new int }
	places := make([]place, len(ops))
	for i, o := range ops {
		places[i] = place{oldAt, newAt}
		if o.mark != '+' {
			oldAt++
		}
		if o.mark != '-' {
			newAt++
		}
	}
	for i, o := range ops {
		if o.mark == ' ' {
			continue
		}
		first, behind := max(0, i-around), min(len(ops), i+1+around)
		if n := len(out) - 1; n >= 0 && first <= out[n].behind {
			out[n].behind = behind
			continue
		}
		out = append(out, hunk{first, behind, places[first].old, places[first].new})
	}
	return out
}

func (h hunk) write(out *bytes.Buffer, ops []op) {
	olds, news := 0, 0
	for _, o := range ops[h.first:h.behind] {
		if o.mark != '+' {
			olds++
		}
		if o.mark != '-' {
			news++
		}
	}
	fmt.Fprintf(out, "@@ -%s +%s @@\n", span(h.oldAt, olds), span(h.newAt, news))
	for _, o := range ops[h.first:h.behind] {
		out.WriteByte(o.mark)
		out.Write(o.text)
		out.WriteByte('\n')
		if o.end {
			out.WriteString("\\ No newline at end of file\n")
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
	plain := func(b byte) bool { return b > ' ' && b < 0x7f && b != '"' && b != '\\' }
	var b strings.Builder
	quotes := false
	for i := range len(name) {
		switch c := name[i]; {
		case plain(c):
			b.WriteByte(c)
		case c == '"' || c == '\\':
			quotes = true
			b.WriteString(`\` + string(c))
		default:
			quotes = true
			fmt.Fprintf(&b, `\%03o`, c)
		}
	}
	if quotes {
		return `"` + b.String() + `"`
	}
	return b.String()
}
