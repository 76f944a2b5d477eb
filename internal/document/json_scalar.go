package document

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// word reads true, false, null or a number. Any other word stops the scanner.
func (s *scanner) word() *Node {
	text := s.text[s.next : len(s.text)-len(strings.TrimLeft(s.text[s.next:], wordChars))]
	switch {
	case text == "true", text == "false":
		return s.newScalar(Bool, text)
	case text == "null":
		n := s.newScalar(Null, text)
		n.Text = ""
		return n
	case isPlainNumber(text), s.lenient && json.Valid([]byte(text)):
		return s.newScalar(Number, text)
	case isOtherNumber(text), text == "NaN", strings.TrimLeft(text, "+-") == "Infinity":
		n := s.newScalar(Number, text)
		n.faulty = true
		s.faults.ErrorAt(n.Pos, "number", numberMessage, Quote(text))
		return n
	}
	s.stop("syntax", "%s", s.describeNonJSON(text))
	return &Node{}
}

// wordChars has the characters that numbers and words consist of.
const wordChars = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-._"

func (s *scanner) newScalar(kind Kind, text string) *Node {
	n := s.newNode(kind)
	n.Text = text
	s.next += len(text)
	return n
}

func (s *scanner) describeNonJSON(text string) string {
	switch {
	case strings.HasPrefix(s.text[s.next:], "/"):
		return "comments are not allowed in JSON; remove it"
	case s.peek() == '\'':
		return "single quotes; JSON has text in double quotes"
	case text != "":
		return Quote(text) + " is not JSON; expected a map in braces, a list in brackets, text in double quotes, a " +
			"number, true, false or null " +
			"(a file with this ending is JSON; name it .yaml if it is YAML)"
	}
	return describeNext(s.text[s.next:]) + "; expected a JSON value"
}

// string reads a string, which begins with the quote at next, and returns its text. n is the node of the string; a
// message names its position.
func (s *scanner) string(n *Node) string {
	s.next++
	start := s.next
	length := strings.IndexByte(s.text[start:], '"')
	if length >= 0 && isSimple(s.text[start:start+length]) {
		s.next += length + 1
		return s.text[start : start+length]
	}
	var out []byte
	for s.next < len(s.text) {
		switch c := s.text[s.next]; {
		case c == '"':
			s.next++
			return string(out)
		case c == '\\':
			r, ok := s.escape()
			if !ok {
				return ""
			}
			out = utf8.AppendRune(out, r)
		case c < ' ':
			s.stop("control-character", "%s", controlMessage(c))
			return ""
		default:
			r, width := utf8.DecodeRuneInString(s.text[s.next:])
			if r == utf8.RuneError && width == 1 && !s.lenient {
				s.stop("encoding", "a byte that is not UTF-8; save the file as UTF-8")
				return ""
			}
			out = utf8.AppendRune(out, r)
			s.next += width
		}
	}
	s.stop("syntax", "the text ends inside a string that begins at line %d, column %d", n.Pos.Line, n.Pos.Column)
	return ""
}

// isSimple reports whether text, which stands between two quotes, has no escape and no character that must be escaped.
func isSimple(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] == '\\' {
			return false
		}
	}
	return utf8.ValidString(text)
}

func controlMessage(c byte) string {
	if c == '\n' || c == '\r' {
		return "a string ends with its line; expected a closing double quote, and line breaks written as \\n"
	}
	return "control character " + Quote(string(rune(c))) + " in a string; write it as an escape"
}

const escapes = `"\/bfnrt`
const escaped = "\"\\/\b\f\n\r\t"

// escape reads the escape whose backslash is at next, and returns its character. It returns false if the escape is
// invalid, and reports the error.
func (s *scanner) escape() (rune, bool) {
	if r, ok := hex(s.text, s.next); ok {
		s.next += 6
		if !utf16.IsSurrogate(r) {
			return r, true
		}
		if low, ok := hex(s.text, s.next); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				s.next += 6
				return pair, true
			}
		}
		if s.lenient {
			return utf8.RuneError, true
		}
		s.next -= 6
		s.stop("encoding", "%s is half of a surrogate pair and no character", Quote(s.text[s.next:s.next+6]))
		return 0, false
	}
	if s.next+1 < len(s.text) {
		if i := strings.IndexByte(escapes, s.text[s.next+1]); i >= 0 {
			s.next += 2
			return rune(escaped[i]), true
		}
	}
	s.stop("syntax", "%s is not a JSON escape; a backslash is written \\\\",
		Quote(s.text[s.next:min(s.next+2, len(s.text))]))
	return 0, false
}

// hex returns the UTF-16 code unit of the escape \uXXXX at offset i of text. ok is false if there is no such escape.
func hex(text string, i int) (r rune, ok bool) {
	if i+6 > len(text) || text[i] != '\\' || text[i+1] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(text[i+2:i+6], 16, 16)
	return rune(v), err == nil
}
