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

// faults collects the errors and warnings of one file. An error in the defaults is found again in every case, and kept
// once.
type faults struct {
	document.Faults
	text sourceText // the file, or the line being read
	data string     // file of cases, for places after dataLine; "" for none
}

func newFaults(path string) *faults { return &faults{Faults: document.Faults{Path: path}} }

// place returns the file and the line number of a place. A line number above dataLine means a line in the file of
// cases.
func (f *faults) place(path string, line int) (string, int) {
	if line > dataLine {
		return f.data, line - dataLine
	}
	return path, line
}

// all returns the diagnostics with their places in both files.
func (f *faults) all() []document.Diagnostic {
	all := f.All()
	for i, d := range all {
		all[i].Path, all[i].Line = f.place(d.Path, d.Line)
	}
	return all
}

const alwaysMet = "every answer meets this: it is always true"

// alwaysTrue warns of a comparison that every answer passes.
func (f *faults) alwaysTrue(at document.Position, m *expect.Match) {
	if m.AlwaysTrue() {
		f.WarnAt(at, "always-true", alwaysMet)
	}
}

// compileFault reports a text that does not compile. The place is exact if the node has the text unchanged.
func (f *faults) compileFault(n *document.Node, source, what string, err error) {
	at := n.Pos
	if fault, ok := errors.AsType[*expect.CompileError](err); ok && source == n.Text {
		at = f.text.spot(n.Pos, n.Text, len(text.First(n.Text, fault.Offset)))
	}
	message := err.Error()
	if !strings.HasPrefix(message, "invalid "+what) {
		message = what + ": " + message
	}
	f.ErrorAt(at, "compile", "%s", message)
}

// placeIn converts an offset in a message's text to a place in the message's file.
func (f *faults) placeIn(m *message, offset int) document.Position {
	if m.inFile {
		return m.at.Behind(m.text[:offset])
	}
	return cmp.Or(m.in, &f.text).spot(m.at, m.text, offset)
}

// rejectAddress rejects a value that names a file as other tools write it, and says what to write instead. Without this
// error, the address itself would be sent to the model or compared with the answer.
func (f *faults) rejectAddress(n *document.Node, text, instead string) (refused bool) {
	if !isFileAddress(text) {
		return false
	}
	f.ErrorAt(n.Pos, "file-address", "%s is taken as text, and no file is read; write %s", document.Quote(text), instead)
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
