package answer

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/text"
)

// PlainText returns the words that a page shows of text. It drops marks of emphasis, code and quotation, tags, and
// zero-width characters. It decodes entities and Markdown escapes, and turns white space in a line into one space.
// lines keeps the lines of a paragraph apart; flowing joins them, as a page does. Search the original text too, because
// a dropped character may be text. PlainText takes time linear in the length of the text.
func PlainText(text string) (lines, flowing string) {
	if !marked(text) {
		return text, text
	}
	s := &plainWriter{text: text, out: make([]byte, 0, len(text))}
	for s.at < len(text) {
		s.line()
	}
	s.endParagraph()
	shown := strings.ReplaceAll(string(s.out), string(rune(removed)), "")
	return strings.ReplaceAll(shown, string(rune(soft)), "\n"), strings.ReplaceAll(shown, string(rune(soft)), " ")
}

// marked reports whether text has a character that a page may show differently from how it is written. It is a quick
// test.
func marked(written string) bool {
	return strings.Contains(written, "  ") || strings.ContainsAny(written, "\n\t*_~`<>&[\\") ||
		!text.IsPlainASCII(written)
}

// soft marks, in the output, a line break within a paragraph.
const soft = 1

// plainWriter is the state of Shown.
type plainWriter struct {
	text   string
	at     int
	out    []byte
	fence  string               // the mark that ends the current block of code; "": not in code
	quotes int                  // number of quotation marks (>) before the last line
	flows  bool                 // the last line may go on in the next
	open   [len(emphases)][]int // offsets in out of marks that may begin emphasis in this paragraph
	lone   loneTicks
}

// emphases are the marks of emphasis and of struck-out text.
const emphases = "*_~"

// line writes the line at the current place.
func (p *plainWriter) line() {
	end := lineEnd(p.text, p.at)
	quotation := quotation.FindString(p.text[p.at:end])
	quotes := strings.Count(quotation, ">")
	from := p.at + len(quotation)
	bare := strings.TrimRight(strings.TrimLeft(p.text[from:end], " \t"), " \t\r")
	defer func() { p.quotes = quotes }()
	marks := fenceOf(bare)
	switch {
	case p.fence != "":
		if closesFence(bare, p.fence) {
			p.fence = ""
		}
		p.code(end)
		return
	case marks != "":
		p.endParagraph()
		p.fence = marks
		p.code(end)
		return
	}
	endLine(p, bare, quotes)
	p.at = from
	for p.at < end {
		if p.next(end); p.at > end { // the tag ended in a later line
			end = lineEnd(p.text, p.at)
		}
	}
	p.flows = bare != "" && bare[0] != '#' && bare[0] != '|'
	p.at = end + 1
}

// code copies the line of code that ends at end, without its zero-width characters.
func (p *plainWriter) code(end int) {
	if len(p.out) > 0 && p.at > 0 {
		p.end('\n')
	}
	for p.at < end {
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		if hasWidth(r) {
			p.out = append(p.out, p.text[p.at:p.at+size]...)
		}
		p.at += size
	}
	p.flows, p.at = false, end+1
}

// end ends the line in the output with the byte c. It drops a space before c.
func (p *plainWriter) end(c byte) {
	if n := len(p.out); n > 0 && p.out[n-1] == ' ' {
		p.out = p.out[:n-1]
	}
	p.out = append(p.out, c)
}

var (
	// quotation matches the quotation marks (>) at the beginning of a line.
	quotation = regexp.MustCompile(`^(?:[ \t]*> ?)*`)
	// blockStart matches the beginning of a heading, a table row or a list item.
	blockStart = regexp.MustCompile(`^(?:[#|]|[-*+] |[0-9]+[.)] )`)
	// footnote matches the mark of a footnote, such as "[^1]", at which no footnote begins.
	footnote = regexp.MustCompile(`^(\[\^[^\[\] \t]+\])(?:[^:]|$)`)
	// entity matches an HTML entity, which has a name or a number.
	entity = regexp.MustCompile(`^&[#0-9A-Za-z]{0,31};?`)
)

// next writes the next characters as a page shows them. end is the end of the line.
func (p *plainWriter) next(end int) {
	switch c := p.text[p.at]; c {
	case '\\':
		p.backslash(end)
	case '*', '_', '~':
		p.emphasis(c, end)
	case '`':
		p.ticks()
	case '<':
		p.tag()
	case '&':
		p.entity(end)
	case '[':
		p.bracket(end)
	default:
		if ' ' < c && c < utf8.RuneSelf { // most characters take this way, which is only quicker
			p.out = append(p.out, c)
			p.at++
			return
		}
		p.character()
	}
}

// endLine ends the previous line in the output, before the line next, which has the given number of quotation marks. It
// writes the byte soft if next continues the same paragraph. Otherwise it writes a line feed.
func endLine(s *plainWriter, next string, quotes int) {
	switch {
	case len(s.out) == 0 || s.at == 0:
	case s.flows && next != "" && quotes <= s.quotes && !blockStart.MatchString(next):
		s.end(soft)
	default:
		s.endParagraph()
		s.end('\n')
	}
}

// backslash writes the character that a backslash escapes. A backslash at the end of a line is dropped, and any other
// backslash is copied.
func (p *plainWriter) backslash(end int) {
	switch {
	case p.at+1 == end:
		p.at++
	case asciiMark(p.text[p.at+1]):
		p.out = append(p.out, p.text[p.at+1])
		p.at += 2
	default:
		p.character()
	}
}

// write writes the character r, which the text spells like the string as. White space is written as one space, and a
// character without a width is dropped.
func (p *plainWriter) write(r rune, as string) {
	switch {
	case unicode.IsSpace(r) || text.IsBlank(r):
		if n := len(p.out); n > 0 && strings.IndexByte(" \n\x01", p.out[n-1]) < 0 {
			p.out = append(p.out, ' ')
		}
	case hasWidth(r):
		p.out = append(p.out, as...)
	}
}

// character writes the current character, even if it could be a mark.
func (p *plainWriter) character() {
	r, size := utf8.DecodeRuneInString(p.text[p.at:])
	p.write(r, p.text[p.at:p.at+size])
	p.at += size
}

// hasWidth reports whether the character r is visible. removed and soft, which mark places in the output, are not.
func hasWidth(r rune) bool {
	return r != removed && r != soft && !text.IsZeroWidth(r)
}

// ticks skips a row of backticks. If a row of the same length follows in the line, the text between the two rows is
// shown as it is written.
func (p *plainWriter) ticks() {
	n := ticksAt(p.text, p.at)
	p.at += n
	at := p.lone.closing(p.text, p.at, n)
	for p.at < at {
		p.character()
	}
	if at >= 0 {
		p.at += n
	}
}

// tag skips a tag. The tag of a block begins a new line; most other tags do not separate words.
func (p *plainWriter) tag() {
	t, ok := readTag(p.text[p.at:])
	if !ok {
		p.out = append(p.out, '<')
		p.at++
		return
	}
	p.at += t.size
	switch {
	case t.name == "br":
		p.end(soft)
	case blocks[t.name]:
		p.end('\n')
	}
}

// bracket skips the mark of a footnote at the current place. It copies any other bracket.
func (p *plainWriter) bracket(end int) {
	if mark := footnote.FindStringSubmatch(p.text[p.at:end]); mark != nil {
		p.at += len(mark[1])
		return
	}
	p.character()
}

// entity writes the character of the HTML entity at the current place.
func (p *plainWriter) entity(end int) {
	written := entity.FindString(p.text[p.at:end])
	for _, r := range html.UnescapeString(written) {
		p.write(r, string(r))
	}
	p.at += len(written)
}

// emphasis copies a row of the mark c. If the row closes earlier marks of the paragraph, the marks of both are dropped
// from the output.
func (p *plainWriter) emphasis(c byte, end int) {
	from := p.at
	for p.at < end && p.text[p.at] == c {
		p.at++
	}
	mark := len(p.out)
	p.out = append(p.out, p.text[from:p.at]...)
	inside := c == '_' && from > 0 && p.at < end // in a word, if letters are on both sides
	begins := p.at < end && !asciiSpace(p.text[p.at]) && !(inside && wordByte(p.text[from-1]))
	ends := from > 0 && !asciiSpace(p.text[from-1]) && !(inside && wordByte(p.text[p.at]))
	open := &p.open[strings.IndexByte(emphases, c)]
	if ends {
		mark = p.closeEmphasis(open, mark)
	}
	for ; begins && mark < len(p.out); mark++ {
		*open = append(*open, mark)
	}
}

// closeEmphasis matches the marks from the offset mark on, which end the output, with open ones, and removes both. It
// returns the offset of the first mark that is left.
func (p *plainWriter) closeEmphasis(open *[]int, mark int) int {
	for n := len(*open); n > 0 && mark < len(p.out); n, mark = n-1, mark+1 {
		p.out[(*open)[n-1]], p.out[mark] = removed, removed
		*open = (*open)[:n-1]
	}
	return mark
}

// endParagraph forgets the open marks of emphasis.
func (p *plainWriter) endParagraph() { clear(p.open[:]) }

func asciiSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// asciiMark reports whether c is ASCII punctuation, which a backslash can escape in Markdown.
func asciiMark(c byte) bool { return '!' <= c && c <= '~' && !wordByte(c) || c == '_' }

// wordByte reports whether c is an ASCII letter or digit, or belongs to a character that is not ASCII.
func wordByte(c byte) bool { return c >= utf8.RuneSelf || english.IsASCIIAlnum(c) }
