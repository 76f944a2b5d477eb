package document

import (
	"bytes"
	"regexp"
	"strings"
)

// checkYAMLText reports lines that the YAML parser would accept although they are wrong, or reject without naming the
// cause. It returns whether the file can be parsed.
func (f *Diagnostics) checkYAMLText(data []byte) bool {
	known := len(f.list)
	lines := lineChecker{faults: f}
	number := 0
	for line := range bytes.Lines(data) {
		number++
		f.checkCharacters(number, string(line))
		lines.check(number, string(bytes.TrimRight(line, "\r\n")))
	}
	if !lines.hasContent && len(f.list) == known {
		f.ErrorAt(fileStart, "empty", "the file is empty, or has only comments")
	}
	return len(f.list) == known
}

// checkCharacters reports the first character of the line that an editor does not show, or that ends a line only for
// some readers. number is the number of the line.
func (f *Diagnostics) checkCharacters(number int, line string) {
	at := Position{Line: number}
	for i, r := range line {
		at.Column++
		switch {
		case r == '\r' && !strings.HasPrefix(line[i:], "\r\n"):
			f.ErrorAt(at, "line-break", bareCRMessage)
		case r == '\u0085', r == '\u2028', r == '\u2029':
			f.ErrorAt(at, "line-break", "U+%04X ends a line for some readers only; end lines with LF, or write "+
				"\"\\u%04x\" in double quotes", r, r)
		case r == '\uFEFF':
			f.ErrorAt(at, "byte-order-mark", "a byte order mark (U+FEFF) stands inside the file; remove it")
		case r < ' ' && r != '\t' && r != '\n' && r != '\r', 0x7F <= r && r < 0xA0:
			f.ErrorAt(at, "control-character",
				"control character U+%04X; remove it, or write \"\\u%04x\" in double quotes", r, r)
		default:
			continue
		}
		return
	}
}

// lineChecker checks the lines that are never content in YAML ("---", "..." and directives), and the conflict markers
// of git.
type lineChecker struct {
	faults     *Diagnostics
	hasContent bool // whether a value has been seen
	started    bool // whether a --- has been seen
	ended      bool // whether ... ended the last document
}

func (m *lineChecker) check(number int, line string) {
	at := Position{Line: number, Column: 1}
	trimmed := strings.TrimLeft(line, " \t")
	switch {
	case conflictMark.MatchString(line):
		m.faults.addConflict(at, line)
	case documentMark.MatchString(line) && line[0] == '-':
		m.startDocument(at, line)
	case documentMark.MatchString(line):
		m.ended = true
	case trimmed == "" || trimmed[0] == '#':
	case m.ended:
		m.addSecondDocument(at)
		m.ended = false
	case line[0] == '%' && !m.hasContent && !m.started:
		m.faults.ErrorAt(at, "directive", "YAML directive %s; directives are not allowed: remove the line", Quote(line))
	default:
		m.hasContent = true
	}
}

func (m *lineChecker) startDocument(at Position, line string) {
	if m.started || m.hasContent || m.ended {
		m.addSecondDocument(at)
	}
	m.started, m.ended = true, false
	if rest := strings.TrimLeft(line[3:], " \t"); rest != "" && rest[0] != '#' {
		m.hasContent = true
	}
}

func (m *lineChecker) addSecondDocument(at Position) {
	m.faults.ErrorAt(at, "second-document",
		"a second YAML document begins here, and only one is read; put it in a file of its own")
}

var (
	// documentMark matches the mark of the start or end of a document. No line of a YAML string can begin with one.
	documentMark = regexp.MustCompile(`^(?:---|\.\.\.)(?:[ \t]|$)`)
	// conflictMark matches the beginning of a merge conflict marker of a version control system.
	conflictMark = regexp.MustCompile(`^(?:<<<<<<<|>>>>>>>)(?: |$)`)
)

func (f *Diagnostics) addConflict(at Position, line string) {
	f.ErrorAt(at, "merge-conflict", "merge conflict marker %s; resolve the conflict", Quote(line))
}
