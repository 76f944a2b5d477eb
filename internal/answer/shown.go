package answer

import (
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/text"
)

// Shown returns the words that a page shows of text. It drops marks of emphasis, code and quotation, tags, and
// zero-width characters. It decodes entities and Markdown escapes, and turns white space in a line into one space.
// lines keeps the lines of a paragraph apart; flowing joins them, as a page does. Search the original text too, because
// a dropped character may be text. Shown takes time linear in the length of the text.
func Shown(text string) (lines, flowing string) {
	if !marked(text) {
		return text, text
	}
	s := &shower{text: text, out: make([]byte, 0, len(text))}
	for s.at < len(text) {
		s.line()
	}
	s.endParagraph()
	var ends []int
	s.out = slices.DeleteFunc(s.out, func(c byte) bool { return c == removed })
	for i, c := range s.out {
		if c == soft {
			s.out[i] = '\n'
			ends = append(ends, i)
		}
	}
	if lines = text; string(s.out) != text {
		lines = string(s.out)
	}
	if len(ends) == 0 {
		return lines, lines
	}
	for _, i := range ends {
		s.out[i] = ' '
	}
	return lines, string(s.out)
}

// marked reports whether text has a character that a page may show differently from how it is written. It is a quick
// test.
func marked(text string) bool {
	space := false
	for i := range len(text) {
		c := text[i]
		if !plain(c) || space && c == ' ' {
			return true
		}
		space = c == ' '
	}
	return false
}

// plain reports whether the byte c is shown as it is written, at any place in a text.
func plain(c byte) bool { return c < utf8.RuneSelf && !special[c] }

var special = func() (is [utf8.RuneSelf]bool) {
	for _, c := range "\n\r\t\v\f*_~`<>&[\\\x00\x01" {
		is[c] = true
	}
	return is
}()

// soft marks, in the output, a line break within a paragraph.
const soft = 1

// shower is the state of Shown.
type shower struct {
	text   string
	at     int
	out    []byte
	fence  string               // the mark that ends the current block of code; "": not in code
	quotes int                  // number of quotation marks (>) before the last line
	flows  bool                 // the last line may go on in the next
	open   [len(emphases)][]run // marks that may begin emphasis in this paragraph
	lone   loneTicks
}

// emphases are the marks of emphasis and of struck-out text.
const emphases = "*_~"

// run is a sequence of equal marks in the output.
type run struct{ at, size int }

// line writes the line at the current place.
func (s *shower) line() {
	end := lineEnd(s.text, s.at)
	from, quotes := unquoted(s, end)
	bare := strings.TrimRight(strings.TrimLeft(s.text[from:end], " \t"), " \t\r")
	defer func() { s.quotes = quotes }()
	switch {
	case s.fence != "":
		if strings.HasPrefix(bare, s.fence) && strings.Trim(bare, s.fence[:1]) == "" {
			s.fence = ""
		}
		s.code(s.text[s.at:end], end)
		return
	case bare != "" && fenceOf(bare) > 0:
		s.endParagraph()
		s.fence = bare[:fenceOf(bare)]
		s.code(s.text[s.at:end], end)
		return
	}
	endLine(s, bare, quotes)
	s.at = from
	for s.at < end {
		if s.next(end); s.at > end { // the tag ended in a later line
			end = lineEnd(s.text, s.at)
		}
	}
	s.flows = bare != "" && bare[0] != '#' && bare[0] != '|'
	s.at = end + 1
}

// code copies line, a line of code that ends at end, without its zero-width characters.
func (s *shower) code(line string, end int) {
	if len(s.out) > 0 && s.at > 0 {
		s.end('\n')
	}
	for i, r := range line {
		if _, size := utf8.DecodeRuneInString(line[i:]); hasWidth(r) {
			s.out = append(s.out, line[i:i+size]...)
		}
	}
	s.flows, s.at = false, end+1
}

// end ends the line in the output with the byte c. It drops a space before c.
func (s *shower) end(c byte) {
	if n := len(s.out); n > 0 && s.out[n-1] == ' ' {
		s.out = s.out[:n-1]
	}
	s.out = append(s.out, c)
}

// unquoted skips the quotation marks (>) at the beginning of the current line. It returns the start of the text after
// the marks, and the number of marks.
func unquoted(s *shower, end int) (from, quotes int) {
	from = s.at
	for at := from; at < end; at++ {
		switch s.text[at] {
		case ' ', '\t':
		case '>':
			quotes, from = quotes+1, at+1
			if from < end && s.text[from] == ' ' {
				from++
			}
		default:
			return from, quotes
		}
	}
	return from, quotes
}

// beginsBlock reports whether the line bare begins a block of its own: a heading, a table row or a list item.
func beginsBlock(bare string) bool {
	switch bare[0] {
	case '#', '|':
		return true
	case '-', '*', '+':
		return len(bare) > 1 && bare[1] == ' '
	}
	rest := strings.TrimLeft(bare, "0123456789")
	return len(rest) < len(bare) && len(rest) > 1 && (rest[0] == '.' || rest[0] == ')') && rest[1] == ' '
}

// next writes the next characters as a page shows them. end is the end of the line.
func (s *shower) next(end int) {
	switch c := s.text[s.at]; c {
	case '\\':
		s.backslash(end)
	case '*', '_', '~':
		s.emphasis(c, end)
	case '`':
		s.ticks(end)
	case '<':
		s.tag()
	case '&':
		s.entity(end)
	case '[':
		bracket(s, end)
	case removed, soft:
		s.at++
	default:
		if c >= utf8.RuneSelf || c <= ' ' {
			s.character()
		} else {
			s.run(end)
		}
	}
}

// endLine ends the previous line in the output, before the line next, which has the given number of quotation marks. It
// writes the byte soft if next continues the same paragraph. Otherwise it writes a line feed.
func endLine(s *shower, next string, quotes int) {
	switch {
	case len(s.out) == 0 || s.at == 0:
	case s.flows && next != "" && quotes <= s.quotes && !beginsBlock(next):
		s.end(soft)
	default:
		s.endParagraph()
		s.end('\n')
	}
}

// backslash writes the character that a backslash escapes. A backslash at the end of a line is dropped, and any other
// backslash is copied.
func (s *shower) backslash(end int) {
	switch {
	case s.at+1 == end:
		s.at++
	case asciiMark(s.text[s.at+1]):
		s.out = append(s.out, s.text[s.at+1])
		s.at += 2
	default:
		s.run(end)
	}
}

// run copies text up to the next character that may be shown differently from how it is written.
func (s *shower) run(end int) {
	to := s.at + 1
	for to < end && plain(s.text[to]) && (s.text[to] != ' ' || s.text[to-1] != ' ') {
		to++
	}
	s.out = append(s.out, s.text[s.at:to]...)
	s.at = to
}

// write writes the character r, which the text spells like the string as. White space is written as one space, and a
// character without a width is dropped.
func (s *shower) write(r rune, as string) {
	switch {
	case unicode.IsSpace(r) || text.Blank(r):
		if n := len(s.out); n > 0 && strings.IndexByte(" \n\x01", s.out[n-1]) < 0 {
			s.out = append(s.out, ' ')
		}
	case hasWidth(r):
		s.out = append(s.out, as...)
	}
}

// character writes the current character, even if it could be a mark.
func (s *shower) character() {
	r, size := utf8.DecodeRuneInString(s.text[s.at:])
	s.write(r, s.text[s.at:s.at+size])
	s.at += size
}

// hasWidth reports whether the character r is visible. removed and soft, which mark places in the output, are not.
func hasWidth(r rune) bool {
	return r != removed && r != soft && !text.NoWidth(r)
}

// ticks skips a row of backticks. If a row of the same length follows in the line, the text between the two rows is
// shown as it is written.
func (s *shower) ticks(end int) {
	n := ticksAt(s.text, s.at)
	s.at += n
	at := s.lone.closing(s.text, s.at, end, n)
	for s.at < at {
		s.character()
	}
	if at >= 0 {
		s.at += n
	}
}

// tag skips a tag. The tag of a block begins a new line; most other tags do not separate words.
func (s *shower) tag() {
	t, ok := readTag(s.text, s.at)
	if !ok {
		s.out = append(s.out, '<')
		s.at++
		return
	}
	s.at = t.end
	switch {
	case t.name == "br":
		s.end(soft)
	case blocks[t.name]:
		s.end('\n')
	}
}

// bracket skips the mark of a footnote, such as "[^1]", at the current place. It copies any other bracket.
func bracket(s *shower, end int) {
	if rest := s.text[s.at:min(end, s.at+maxEntity)]; strings.HasPrefix(rest, "[^") {
		if to := strings.IndexAny(rest, "] \t"); to > 2 && rest[to] == ']' &&
			!strings.HasPrefix(s.text[s.at+to+1:end], ":") {
			s.at += to + 1
			return
		}
	}
	s.out = append(s.out, '[')
	s.at++
}

// maxEntity is the largest length of the name of an entity, in bytes.
const maxEntity = 32

// entity writes the character of an HTML entity, which has a name or a number.
func (s *shower) entity(end int) {
	to := s.at + 1
	for to < end && to < s.at+maxEntity && (s.text[to] == '#' || asciiLetter(s.text[to]) ||
		'0' <= s.text[to] && s.text[to] <= '9') {
		to++
	}
	if to < end && s.text[to] == ';' {
		to++
	}
	for _, r := range html.UnescapeString(s.text[s.at:to]) {
		s.write(r, string(r))
	}
	s.at = to
}

// emphasis copies a row of the mark c. If the row closes earlier marks of the paragraph, the marks of both are dropped
// from the output.
func (s *shower) emphasis(c byte, end int) {
	from := s.at
	for s.at < end && s.text[s.at] == c {
		s.at++
	}
	now := run{len(s.out), s.at - from}
	s.out = append(s.out, s.text[from:s.at]...)
	inside := c == '_' && from > 0 && s.at < end // in a word, if letters are on both sides
	begins := s.at < end && !asciiSpace(s.text[s.at]) && !(inside && wordByte(s.text[from-1]))
	ends := from > 0 && !asciiSpace(s.text[from-1]) && !(inside && wordByte(s.text[s.at]))
	kind := strings.IndexByte(emphases, c)
	if ends {
		closeEmphasis(s, kind, &now)
	}
	if begins && now.size > 0 {
		s.open[kind] = append(s.open[kind], now)
	}
}

// closeEmphasis matches the run now with open marks of the same kind, an index in emphases. It removes the matching
// marks of both from the output.
func closeEmphasis(s *shower, kind int, now *run) {
	open := s.open[kind]
	for now.size > 0 && len(open) > 0 {
		last := &open[len(open)-1]
		n := min(now.size, last.size)
		clear(s.out[last.at+last.size-n : last.at+last.size])
		clear(s.out[now.at : now.at+n])
		now.at, now.size, last.size = now.at+n, now.size-n, last.size-n
		if last.size == 0 {
			open = open[:len(open)-1]
		}
	}
	s.open[kind] = open
}

// endParagraph forgets the open marks of emphasis.
func (s *shower) endParagraph() { clear(s.open[:]) }

func asciiSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// asciiMark reports whether c is ASCII punctuation, which a backslash can escape in Markdown.
func asciiMark(c byte) bool { return '!' <= c && c <= '~' && !wordByte(c) || c == '_' }

// wordByte reports whether c is an ASCII letter or digit, or belongs to a character that is not ASCII.
func wordByte(c byte) bool { return c >= utf8.RuneSelf || asciiLetter(c) || '0' <= c && c <= '9' }
