package suite

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/text"
)

// maxListed is the largest number of errors and warnings that are listed of a file, which can have a million.
const maxListed = 1000

// originalLine returns the file and the line number that line means. A line above dataLine is in the separate file of
// cases. Any other line is in the file path.
func (f *file) originalLine(path string, line int) (string, int) {
	if line > dataLine {
		return f.casesPath, line - dataLine
	}
	return path, line
}

// all returns the diagnostics. Those about the separate file of cases have its path and line numbers.
func (f *file) all() []document.Diagnostic {
	all := f.All()
	for i, d := range all {
		all[i].Path, all[i].Line = f.originalLine(d.Path, d.Line)
	}
	return all
}

const alwaysMet = "every answer meets this: it is always true"

// warnAlwaysTrue adds a warning if every answer passes the comparison m.
func (f *file) warnAlwaysTrue(at document.Position, m *expect.Match) {
	if m.AlwaysTrue {
		f.WarnAt(at, "always-true", alwaysMet)
	}
}

// reportCompileError reports that source, the text at node n, does not compile. what names the setting. The place of
// the error within the text is exact if the node has the text unchanged.
func (f *file) reportCompileError(n *document.Node, source, what string, err error) {
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
func (f *file) positionIn(m *message, offset int) document.Position {
	if m.wholeFile {
		return m.at.Behind(m.text[:offset])
	}
	return cmp.Or(m.container, &f.text).position(m.at, m.text, offset)
}

// rejectAddress reports an error and returns true if text names a file by a file:// address, as other tools write it.
// instead says what to write. Without this error, the address itself would be sent to the model or compared with the
// answer.
func (f *file) rejectAddress(n *document.Node, text, instead string) (refused bool) {
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

// sourceText is the text of a file or of one line, with its place in the file.
type sourceText struct {
	text  string
	start document.Position // place of its first byte
}

// position returns the place in the file of the byte at offset in text. text is the value of the string that begins at
// start in the file. position follows quotes, escapes and the indentation of a literal block. For other forms of
// strings, such as a folded block, it returns start.
func (f *sourceText) position(start document.Position, text string, offset int) document.Position {
	raw := f.rawFrom(start)
	before := text[:offset]
	switch {
	case raw == "" || offset == 0 && raw[0] != '"' && raw[0] != '\'' && raw[0] != '|':
		return start
	case raw[0] == '|':
		return blockPosition(start, raw, before)
	case strings.Contains(before, "\n") && raw[0] != '"':
		return start
	case raw[0] == '>':
		return start
	}
	columns, ok := width(raw, utf8.RuneCountInString(before))
	if !ok {
		return start
	}
	return document.Position{Line: start.Line, Column: start.Column + columns}
}

// rawFrom returns the text of the file from the position at, or "" if the file has no such position. The text is cut at
// twice the largest size of a prompt.
func (f *sourceText) rawFrom(at document.Position) string {
	if at.Line < f.start.Line {
		return ""
	}
	rest := f.text
	for line := f.start.Line; line < at.Line; line++ {
		_, after, found := strings.Cut(rest, "\n")
		if !found {
			return ""
		}
		rest = after
	}
	for column := 1; column < at.Column && len(rest) > 0; column++ {
		_, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
	}
	return rest[:min(len(rest), 2*maxPrompt)]
}

// blockPosition returns the place in the file behind prefix, which is the beginning of the value of a literal block.
// The block begins at start. raw is the file's text from start: a line with |, then the block's lines, which all have
// the same indentation.
func blockPosition(start document.Position, raw, prefix string) document.Position {
	_, body, _ := strings.Cut(raw, "\n")
	indent := 0
	for line := range strings.Lines(body) {
		if strings.TrimSpace(line) != "" {
			indent = len(line) - len(strings.TrimLeft(line, " "))
			break
		}
	}
	end := document.Position{Line: start.Line + 1, Column: 1}.Behind(prefix)
	end.Column += indent
	return end
}

// width returns how many columns the first runes characters of a string occupy in the file, together with the opening
// quote. raw is the file's text from the beginning of the string. ok is false if the line ends earlier.
func width(raw string, runes int) (columns int, ok bool) {
	quote := raw[0]
	if quote == '"' || quote == '\'' {
		columns, raw = 1, raw[1:]
	}
	for ; runes > 0; runes-- {
		size := 1
		switch {
		case raw == "" || raw[0] == '\n' || raw[0] == '\r':
			return 0, false
		case quote == '"' && raw[0] == '\\':
			size = len(escaped.FindString(raw))
		case quote == '\'' && strings.HasPrefix(raw, "''"):
			size = 2
		default:
			_, bytes := utf8.DecodeRuneInString(raw)
			columns, raw = columns+1, raw[bytes:]
			continue
		}
		columns, raw = columns+size, raw[size:]
	}
	return columns, true
}

// escaped matches an escape of JSON or of a YAML string in double quotes. A surrogate pair is one escape.
var escaped = regexp.MustCompile(`^\\(u[dD][89abAB]..\\u....|u....|U.{8}|x..|.?)`)
