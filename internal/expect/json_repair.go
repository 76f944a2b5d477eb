package expect

import (
	"fmt"
	"strings"
)

// dropCommas blanks every comma that stands after a value and before a closing bracket. Commas in strings stay.
func (c *candidate) dropCommas() {
	out, changed := []byte(c.text), false
	inString, previous, comma := false, byte(0), -1
	for i := 0; i < len(c.text); i++ {
		b := c.text[i]
		switch {
		case inString && b == '\\':
			i++
		case inString:
			inString = b != '"'
		case strings.IndexByte(jsonSpace, b) >= 0:
		default:
			if comma >= 0 && (b == '}' || b == ']') {
				out[comma], changed = ' ', true // so that all others keep their places
			}
			comma = -1
			if b == ',' && strings.IndexByte("[{,:", previous) < 0 {
				comma = i
			}
			inString, previous = b == '"', b
		}
	}
	if changed {
		c.change(repairCommas, string(out))
	}
}

// fixEscapes mends what strings may not hold: raw control characters and backslashes that escape nothing.
func (c *candidate) fixEscapes() {
	var out strings.Builder
	changed := false
	for e := (escapes{text: c.text}); e.at < len(e.text); {
		from := e.at
		piece := e.next()
		changed = changed || piece != e.text[from:e.at]
		out.WriteString(piece)
	}
	if changed {
		c.before = c.text
		c.change(repairEscapes, out.String())
	}
}

// beforeEscapes turns a byte offset after fixEscapes into the one before.
func beforeEscapes(text string, after int) int {
	written := 0
	for e := (escapes{text: text}); e.at < len(e.text); {
		from := e.at
		if written += len(e.next()); written > after {
			return from
		}
	}
	return len(text)
}

// escapes walks a text that is nearly JSON, piece by piece.
type escapes struct {
	text     string
	at       int
	inString bool
}

// next returns what belongs in place of the next piece and moves behind that piece.
func (e *escapes) next() string {
	b := e.text[e.at]
	switch {
	case e.inString && b == '\\':
		return e.escape()
	case e.inString && b < 0x20:
		e.at++
		return escapedControl(b)
	case b == '"':
		e.inString = !e.inString
	}
	e.at++
	return e.text[e.at-1 : e.at]
}

// escape handles a backslash in a string.
func (e *escapes) escape() string {
	rest := e.text[e.at+1:]
	switch {
	case rest == "":
		e.at++
		return `\`
	case strings.IndexByte(`"\/bfnrt`, rest[0]) >= 0:
		e.at += 2
		return e.text[e.at-2 : e.at]
	case rest[0] == 'u' && hexDigits(rest[1:], 4):
		e.at += 6
		return e.text[e.at-6 : e.at]
	case rest[0] == 'x' && hexDigits(rest[1:], 2):
		e.at += 4
		return `\u00` + e.text[e.at-2:e.at]
	}
	e.at++
	if isLetter(rest[0]) || isDigit(rest[0]) || rest[0] >= 0x80 {
		return `\\` // a lone backslash was meant: \d, C:\Users
	}
	return "" // Markdown and JavaScript escape punctuation and line ends: \_ \' \$
}

func escapedControl(b byte) string {
	if i := strings.IndexByte("\b\f\n\r\t", b); i >= 0 {
		return `\` + "bfnrt"[i:i+1]
	}
	return fmt.Sprintf(`\u%04x`, b)
}

func hexDigits(s string, n int) bool {
	if len(s) < n {
		return false
	}
	for i := range n {
		if !isDigit(s[i]) && (s[i]|0x20 < 'a' || s[i]|0x20 > 'f') {
			return false
		}
	}
	return true
}
