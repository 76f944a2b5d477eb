package document

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// parseJSON reads exactly one JSON value (RFC 8259). It rejects what readers interpret differently: a repeated key, a
// number that is not plain digits, half a surrogate pair. It stops at the first syntax error. first is the position of
// text in the file. If lenient is set, any JSON number is accepted, and invalid characters are read as U+FFFD.
func parseJSON(f *Diagnostics, text string, first Position, maxNodes int, lenient bool) *Node {
	s := &scanner{faults: f, cursor: cursor{text: text, line: first.Line, column: first.Column},
		nodesLeft: maxNodes, lenient: lenient}
	s.skipSpace()
	if s.next >= len(s.text) {
		f.ErrorAt(s.position(), "empty", "there is no JSON value; expected a map in braces")
		return nil
	}
	root := s.value(1)
	s.skipSpace()
	if !s.stopped && s.next < len(s.text) {
		s.stop("syntax", "%s follows the JSON value; expected nothing more", describeNext(s.text[s.next:]))
	}
	if s.stopped {
		return nil
	}
	return root
}

// scanner reads JSON text from the offset next on. After stopped is set, its methods return at once, and their results
// have no meaning.
type scanner struct {
	faults *Diagnostics
	cursor
	nodesLeft int // number of nodes that may still be made
	lenient   bool
	stopped   bool
}

// cursor is the place in a text up to which the text has been read.
type cursor struct {
	text    string // values are substrings of it
	next    int    // offset of the next character
	line    int    // line of the next character
	column  int    // column of the character at the offset counted
	counted int    // offset up to which column is counted
}

// position returns the position of the next character.
func (c *cursor) position() Position {
	c.column += utf8.RuneCountInString(c.text[c.counted:c.next])
	c.counted = c.next
	return Position{Line: c.line, Column: c.column}
}

// startLine records that the next character begins a line.
func (c *cursor) startLine() { c.line, c.column, c.counted = c.line+1, 1, c.next }

func (s *scanner) stop(rule, format string, args ...any) {
	if !s.stopped {
		s.faults.ErrorAt(s.position(), rule, format, args...)
	}
	s.stopped = true
}

func (s *scanner) newNode(kind Kind) *Node {
	if s.nodesLeft--; s.nodesLeft < 0 {
		s.stop("too-large", "the file has too many values; split it")
	}
	return &Node{Kind: kind, Pos: s.position()}
}

func (s *scanner) skipSpace() {
	for s.next < len(s.text) {
		switch s.text[s.next] {
		case '\n':
			s.next++
			s.startLine()
		case '\r':
			if s.next+1 < len(s.text) && s.text[s.next+1] != '\n' {
				s.stop("line-break", "a carriage return ends a line alone; save the file with LF or CRLF line ends")
				return
			}
			s.next++
		case ' ', '\t':
			s.next++
		default:
			return
		}
	}
}

// peek returns the next byte, or 0 at the end.
func (s *scanner) peek() byte {
	if s.next < len(s.text) {
		return s.text[s.next]
	}
	return 0
}

// value reads a value. depth is the number of maps and lists around the value, plus one for the value itself.
func (s *scanner) value(depth int) *Node {
	switch c := s.peek(); {
	case (c == '{' || c == '[') && depth > maxDepth:
		s.stop("too-deep", "%s; write it flatter", errDepth)
	case c == '{':
		return s.object(depth)
	case c == '[':
		return s.array(depth)
	case c == '"':
		n := s.newNode(String)
		n.Text = s.string(n)
		return n
	default:
		return s.word()
	}
	return &Node{}
}

func (s *scanner) object(depth int) *Node {
	n := s.newNode(Map)
	seen := map[string]*Node{}
	for more := false; s.nextItem('}', more); more = true {
		if s.peek() != '"' {
			s.stop("syntax", "%s; expected a key in double quotes", describeNext(s.text[s.next:]))
			return n
		}
		key := s.newNode(String)
		key.Text = s.string(key)
		if s.skipSpace(); s.peek() != ':' {
			s.stop("syntax", "%s; expected `:` after the key", describeNext(s.text[s.next:]))
			return n
		}
		s.next++
		s.skipSpace()
		value := s.value(depth + 1)
		if first := seen[key.Text]; first != nil {
			s.faults.ErrorAt(key.Pos, "duplicate-key", "key %s is also at line %d; keep one of them",
				Quote(key.Text), first.Pos.Line)
			continue
		}
		seen[key.Text] = key
		n.Keys, n.Values = append(n.Keys, key), append(n.Values, value)
	}
	return n
}

func (s *scanner) array(depth int) *Node {
	n := s.newNode(List)
	for more := false; s.nextItem(']', more); more = true {
		n.items = append(n.items, s.value(depth+1))
	}
	return n
}

// nextItem moves to the next item of a map or list and reports whether there is one. end is the closing bracket. begun
// is false before the first item and true after it.
func (s *scanner) nextItem(end byte, begun bool) bool {
	if s.stopped {
		return false
	}
	if !begun {
		s.next++
	}
	s.skipSpace()
	if s.peek() == end && !s.stopped {
		s.next++
		return false
	}
	switch {
	case !begun:
	case s.peek() != ',':
		s.stop("syntax", "%s; expected `,` or `%c`", describeNext(s.text[s.next:]), end)
	default:
		s.next++
		if s.skipSpace(); s.peek() == end {
			s.stop("syntax", "a comma before `%c` is not allowed in JSON; remove it", end)
		}
	}
	return !s.stopped
}

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

// describeNext describes the first character of text for a message. text is the part of the file that is not read yet.
func describeNext(text string) string {
	if text == "" {
		return "the text ends too early"
	}
	r, width := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError && width <= 1 {
		return "a byte that is not UTF-8"
	}
	return "unexpected " + Quote(string(r))
}
