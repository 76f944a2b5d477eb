package document

import (
	"bytes"
	"regexp"
	"strings"
)

// checkYAMLText reports characters and lines that the YAML parser would accept although they are wrong, or reject
// without naming the cause. It returns whether the file can be parsed.
func (f *Diagnostics) checkYAMLText(data []byte) bool {
	known := len(f.list)
	number := 0
	for line := range bytes.Lines(data) {
		number++
		f.checkCharacters(number, string(line))
		if text := string(bytes.TrimRight(line, "\r\n")); conflictMark.MatchString(text) {
			f.addConflict(Position{Line: number, Column: 1}, text)
		}
	}
	if m := directive.FindSubmatchIndex(data); m != nil {
		f.ErrorAt(positionOf(data, m[2]), "directive", "YAML directive %s; directives are not allowed: remove the line",
			Quote(string(data[m[2]:m[3]])))
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

// directive matches a directive before the content of a file. It may follow comments.
var directive = regexp.MustCompile(`\A(?:[ \t]*(?:#[^\n]*)?\r?\n)*(%[^\r\n]*)`)
