package suite

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/text"
)

// maxListed limits the listed errors of a file of JSON lines, which can have a million.
const maxListed = 1000

// faults collects the errors and warnings of one file. One in the defaults occurs in every case and is kept once.
type faults struct {
	path     string
	text     sourceText // the file, or the line being read
	data     string     // file of cases, for places after dataLine; "" for none
	list     []document.Diagnostic
	known    map[document.Diagnostic]bool
	unlisted int // number of errors beyond the limit
	limit    int // 0 for none
}

// broken reports whether the file has an error.
func (f *faults) broken() bool { return f.unlisted > 0 || document.HasErrors(f.list) }

func (f *faults) errorAt(at document.Position, rule, format string, args ...any) {
	f.add(document.NewFault(f.path, at, rule, format, args...))
}

func (f *faults) warnAt(at document.Position, rule, format string, args ...any) {
	f.add(document.NewWarning(f.path, at, rule, format, args...))
}

// add adds diagnostics, each once.
func (f *faults) add(ds ...document.Diagnostic) {
	for _, d := range ds {
		d.Path, d.Line = f.place(d.Path, d.Line)
		switch {
		case f.known[d]:
		case f.limit > 0 && len(f.list) >= f.limit:
			f.unlisted++
		default:
			if f.known == nil {
				f.known = map[document.Diagnostic]bool{}
			}
			f.known[d] = true
			f.list = append(f.list, d)
		}
	}
}

// place returns the file and the line of a place that may be in the file of cases.
func (f *faults) place(path string, line int) (string, int) {
	if line > dataLine {
		return f.data, line - dataLine
	}
	return path, line
}

// all returns the diagnostics in file order. The last one counts those beyond the limit.
func (f *faults) all() []document.Diagnostic {
	document.Sort(f.list)
	if f.unlisted > 0 {
		return append(f.list, document.NewFault(f.path, document.Position{}, "too-many-faults", "%d more faults are not listed", f.unlisted))
	}
	return f.list
}

const alwaysMet = "every answer meets this: it is always true"

// alwaysTrue warns of a comparison that every answer passes.
func (f *faults) alwaysTrue(at document.Position, m *expect.Match) {
	if m.AlwaysTrue() {
		f.warnAt(at, "always-true", alwaysMet)
	}
}

// compileFault reports a text that does not compile. The place is exact if the node has the text unchanged.
func (f *faults) compileFault(n *document.Node, source, what string, err error) {
	at := n.Pos
	if fault, is := errors.AsType[*expect.CompileError](err); is && source == n.Text {
		at = f.text.spot(n.Pos, n.Text, len(text.First(n.Text, fault.Offset)))
	}
	message := err.Error()
	if !strings.HasPrefix(message, "invalid "+what) {
		message = what + ": " + message
	}
	f.errorAt(at, "compile", "%s", message)
}

// placeIn returns the place in its file of an offset in a message's text.
func (f *faults) placeIn(m *message, offset int) document.Position {
	if m.inFile {
		return m.at.Behind(m.text[:offset])
	}
	return cmp.Or(m.in, &f.text).spot(m.at, m.text, offset)
}

// rejectAddress rejects a value that names a file as other tools write it, and says what to write instead. Taken as
// text, it would be sent to the model or compared with the answer.
func (f *faults) rejectAddress(n *document.Node, text, instead string) (refused bool) {
	if !isFileAddress(text) {
		return false
	}
	f.errorAt(n.Pos, "file-address", "%s is taken as text, and no file is read; write %s", document.Quote(text), instead)
	return true
}

// names lists ids for a message: three at most, else two and the number of others.
func names(ids []string) string {
	switch n := len(ids); {
	case n == 1:
		return "case " + ids[0]
	case n > 3:
		ids = append(ids[:2:2], fmt.Sprintf("%d more", n-2))
	}
	return "cases " + text.List(ids, "and")
}

// nameList joins at most five names for a message.
func nameList(all []string) string {
	var quoted []string
	for _, name := range all[:min(len(all), 5)] {
		quoted = append(quoted, document.Quote(name))
	}
	if len(all) > 5 {
		quoted = append(quoted, fmt.Sprintf("%d more", len(all)-5))
	}
	return strings.Join(quoted, ", ")
}
