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

// maxListed is the largest number of errors and warnings that are listed of a file, which can have a million.
const maxListed = 1000

// diagnostics collects the errors and warnings of one suite file. An error in the defaults is found again in every case
// but is kept only once.
type diagnostics struct {
	document.Diagnostics
	text      sourceText // text of the file, or of the line that is being read
	casesPath string     // path of the separate file of cases, which places after dataLine are in; "": none
}

func newDiagnostics(path string) *diagnostics {
	return &diagnostics{Diagnostics: document.Diagnostics{Path: path, Limit: maxListed}}
}

// originalLine returns the file and the line number that line means. A line above dataLine is in the separate file of
// cases. Any other line is in the file path.
func (f *diagnostics) originalLine(path string, line int) (string, int) {
	if line > dataLine {
		return f.casesPath, line - dataLine
	}
	return path, line
}

// all returns the diagnostics. Those about the separate file of cases have its path and line numbers.
func (f *diagnostics) all() []document.Diagnostic {
	all := f.All()
	for i, d := range all {
		all[i].Path, all[i].Line = f.originalLine(d.Path, d.Line)
	}
	return all
}

const alwaysMet = "every answer meets this: it is always true"

// warnAlwaysTrue adds a warning if every answer passes the comparison m.
func (f *diagnostics) warnAlwaysTrue(at document.Position, m *expect.Criterion) {
	if m.AlwaysTrue {
		f.WarnAt(at, "always-true", alwaysMet)
	}
}

// reportCompileError reports that source, the text at node n, does not compile. what names the setting. The place of
// the error within the text is exact if the node has the text unchanged.
func (f *diagnostics) reportCompileError(n *document.Node, source, what string, err error) {
	at := n.Pos
	if fault, ok := errors.AsType[*expect.CompileError](err); ok && source == n.Text {
		at = f.text.position(n.Pos, n.Text, len(text.FirstRunes(n.Text, fault.Offset)))
	}
	message := err.Error()
	if !strings.HasPrefix(message, "invalid "+what) {
		message = what + ": " + message
	}
	f.ErrorAt(at, "compile", "%s", message)
}

// positionIn returns the place in the message's file of the byte at offset in the message's text.
func (f *diagnostics) positionIn(m *message, offset int) document.Position {
	if m.wholeFile {
		return m.at.Behind(m.text[:offset])
	}
	return cmp.Or(m.container, &f.text).position(m.at, m.text, offset)
}

// rejectAddress reports an error and returns true if text names a file by a file:// address, as other tools write it.
// instead says what to write. Without this error, the address itself would be sent to the model or compared with the
// answer.
func (f *diagnostics) rejectAddress(n *document.Node, text, instead string) (refused bool) {
	if !isFileAddress(text) {
		return false
	}
	f.ErrorAt(n.Pos, "file-address", "%s is taken as text, and no file is read; write %s", document.Quote(text), instead)
	return true
}

// caseNames returns a list of case ids for a message. If there are more than three, it lists two and the number of the
// others.
func caseNames(ids []string) string {
	switch n := len(ids); {
	case n == 1:
		return "case " + ids[0]
	case n > 3:
		ids = append(ids[:2:2], fmt.Sprintf("%d more", n-2))
	}
	return "cases " + text.List(ids, "and")
}

// nameList returns at most five names, in quotes and joined by commas, for a message.
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
