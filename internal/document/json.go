package document

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/text"
)

// parseJSON reads exactly one JSON value (RFC 8259). It rejects what readers interpret differently: a repeated key, a
// number that is not plain digits, half a surrogate pair. It reports only the first syntax error. first is the position
// of value in the file. If lenient is set, any JSON number is accepted, and invalid characters are read as U+FFFD.
func parseJSON(f *Diagnostics, value string, first Position, maxNodes int, lenient bool) *Node {
	if at, rule, message := jsonProblem(value, lenient); message != "" {
		if end := first.Behind(value[:at]); conflictMark.MatchString(value[at:]) {
			line, _, _ := strings.Cut(value[at:], "\n")
			f.addConflict(end, line)
		} else {
			f.ErrorAt(end, rule, "%s", message)
		}
		return nil
	}
	s := &scanner{faults: f, cursor: cursor{text: value, line: first.Line, column: first.Column},
		nodesLeft: maxNodes, lenient: lenient}
	root := s.value(1)
	if s.stopped {
		return nil
	}
	return root
}

// jsonProblem returns why value is not one JSON value, with the offset of the error and its rule. message is "" if
// value is valid.
func jsonProblem(value string, lenient bool) (at int, rule, message string) {
	if strings.Trim(value, " \t\r\n") == "" {
		return len(value), "empty", "there is no JSON value; expected a map in braces"
	}
	if cr := bareCR.FindStringIndex(value); cr != nil {
		return cr[0], "line-break", bareCRMessage
	}
	if at := text.InvalidUTF8(value); at >= 0 && !lenient {
		return at, "encoding", "a byte that is not UTF-8; save the file as UTF-8"
	}
	if json.Valid([]byte(value)) {
		return 0, "", ""
	}
	syntax, _ := errors.AsType[*json.SyntaxError](json.Unmarshal([]byte(value), new(any)))
	switch at, message = int(syntax.Offset)-1, syntax.Error(); {
	case strings.HasPrefix(message, "unexpected end"):
		at = len(value)
	case strings.HasSuffix(message, "exceeded max depth"): // of Go's package
		return at, "too-deep", errDepth.Error() + "; write it flatter"
	}
	return at, "syntax", "not JSON: " + withHint(message)
}

// bareCR matches a carriage return that ends a line alone.
var bareCR = regexp.MustCompile(`\r[^\n]`)

const bareCRMessage = "a carriage return ends a line alone; save the file with LF or CRLF line ends"

// scanner reads valid JSON text from the offset next on. After stopped is set, its results have no meaning.
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

// skip moves to the next value or closing bracket, over white space, commas and colons.
func (s *scanner) skip() {
	for ; s.next < len(s.text) && strings.IndexByte(" \t\r\n,:", s.text[s.next]) >= 0; s.next++ {
		if s.text[s.next] == '\n' {
			s.next++
			s.startLine()
			s.next--
		}
	}
}

// value reads the next value. depth is the number of maps and lists around the value, plus one for the value itself.
func (s *scanner) value(depth int) *Node {
	s.skip()
	n := &Node{Pos: s.position()}
	if s.nodesLeft--; s.nodesLeft < 0 {
		s.stop("too-large", "the file has too many values; split it")
		return n
	}
	switch s.text[s.next] {
	case '{':
		n.Kind = Map
		s.collection(n, '}', depth)
	case '[':
		n.Kind = List
		s.collection(n, ']', depth)
	case '"':
		n.Kind, n.Text = String, s.string()
	default:
		s.word(n)
	}
	return n
}

// collection reads the items of the map or list n up to the bracket end.
func (s *scanner) collection(n *Node, end byte, depth int) {
	if depth > maxDepth {
		s.stop("too-deep", "%s; write it flatter", errDepth)
	}
	seen := map[string]*Node{}
	s.next++
	for s.skip(); !s.stopped && s.text[s.next] != end; s.skip() {
		item := s.value(depth + 1)
		if n.Kind == List {
			n.items = append(n.items, item)
			continue
		}
		key, value := item, s.value(depth+1)
		if first := seen[key.Text]; first != nil {
			s.faults.ErrorAt(key.Pos, "duplicate-key", duplicateMessage, Quote(key.Text), first.Pos.Line)
			continue
		}
		seen[key.Text] = key
		n.Keys, n.Values = append(n.Keys, key), append(n.Values, value)
	}
	s.next++
}

// word reads true, false, null or a number into n.
func (s *scanner) word(n *Node) {
	rest := s.text[s.next:]
	word := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789abcdefghijklmnopqrstuvwxyzE+-."))]
	s.next += len(word)
	switch word {
	case "null":
	case "true", "false":
		n.Kind, n.Text = Bool, word
	default:
		n.Kind, n.Text = Number, word
		if n.faulty = !s.lenient && !isPlainNumber(word); n.faulty {
			s.faults.ErrorAt(n.Pos, "number", numberMessage, Quote(word))
		}
	}
}

// string reads a string, which begins with the quote at next, and returns its text.
func (s *scanner) string() (out string) {
	start := s.next
	for s.next++; s.text[s.next] != '"'; s.next++ {
		if s.text[s.next] == '\\' {
			s.next++
		}
	}
	s.next++
	raw := s.text[start:s.next]
	if strings.IndexByte(raw, '\\') < 0 && utf8.ValidString(raw) {
		return raw[1 : len(raw)-1]
	}
	if at := halfPair(raw); at >= 0 && !s.lenient {
		s.next = start + at
		s.stop("encoding", "%s is half of a surrogate pair and no character", Quote(raw[at:at+6]))
	}
	_ = json.Unmarshal([]byte(raw), &out) // the text is valid
	return out
}

// escapeForm matches an escape of a JSON string. Its group is half of a surrogate pair.
var escapeForm = regexp.MustCompile(`\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(u[dD][89a-fA-F]..)|.)`)

// halfPair returns the offset of the first escape in raw that is half of a surrogate pair, or -1.
func halfPair(raw string) int {
	for _, at := range escapeForm.FindAllStringSubmatchIndex(raw, -1) {
		if at[2] >= 0 {
			return at[0]
		}
	}
	return -1
}
