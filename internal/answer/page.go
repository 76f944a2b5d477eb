package answer

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// RemoveHidden returns what a reader sees of text when it is rendered as Markdown or HTML, without addresses. It cuts
// out comments, link addresses and titles, link definitions, attributes, hidden elements, scripts and styles. It keeps
// code whole. Where it is not certain that a page shows something, it is cut out. RemoveHidden takes time linear in the
// length of the text.
func RemoveHidden(text string) string { return removeHidden(text, false) }

// RemoveHiddenKeepLinks returns what RemoveHidden returns, and also the addresses that can be followed: addresses in
// the text and addresses of links.
func RemoveHiddenKeepLinks(text string) string { return removeHidden(text, true) }

func removeHidden(text string, addresses bool) string {
	if !mayHide(text) {
		return text
	}
	p := newPage(text)
	p.addresses, p.last = addresses, map[string]int{}
	p.define()
	p.walk(p.line, p.visible)
	return string(bytes.ReplaceAll(p.out, []byte{removed}, nil))
}

// mayHide reports whether text may have something that a reader does not see. It is a quick test for the marks of tags,
// links, addresses and fences.
func mayHide(text string) bool {
	return strings.IndexByte(text, '<') >= 0 || strings.IndexByte(text, ']') >= 0 && (strings.Contains(text, "](") ||
		strings.Contains(text, "]:")) ||
		strings.Contains(text, "://") || strings.Contains(text, "www.") || strings.Contains(text, "```") ||
		strings.Contains(text, "~~~")
}

// removed marks, in the output, a byte that is deleted at the end.
const removed = 0

// page is a text on the way to what a page shows of it.
type page struct {
	text   string
	at     int // offset in text of what is not yet read
	out    []byte
	code   int // end of the code around the current place
	unseen int // end of the line whose rest a page does not show
	// odd tells that the paragraph has backticks without a partner in their line. Code may go on in the next line, so
	// it is uncertain what is code.
	odd   bool
	html  htmlBlock
	prose bool // the last line belongs to a paragraph
	aside int  // offset of the last comment that began a line

	addresses bool           // whether addresses are kept
	hidden    []string       // the hidden element around the current place and the open ones in it; "" never ends
	begun     int            // end of the line in which the hidden element began
	last      map[string]int // by the end of a comment or an element: the offset of the last one; -1: none
	links     []int          // offsets in out of opening brackets that may begin the text of a link; -1: hidden
	labels    map[string]bool
	defined   map[int]definition // by the offset of the line
}

// htmlBlock is a block of HTML, in which nothing marks code.
type htmlBlock struct {
	on      bool   // the current place is, or may be, in one
	forever bool   // it may go on to the end of the text
	margin  string // what each line begins with, or the block ends: "" if that is certain, a space or ">"
}

func (b htmlBlock) certain() bool { return b.on && b.margin == "" }

func newPage(text string) page { return page{text: text, aside: -1, out: make([]byte, 0, len(text))} }

// walk reads the text. It calls line at the beginning of each line that is not in code, and mark at each other place.
// Both return true if they advanced; else the current byte is copied. Letters and digits are copied in a row, because
// only an address begins with one.
func (p *page) walk(line, mark func() bool) {
	for p.at < len(p.text) {
		if begins := p.at >= p.code && (p.at == 0 || p.text[p.at-1] == '\n'); begins && line() {
			continue
		}
		size := 0
		for p.at+size < len(p.text) && english.IsASCIIAlnum(p.text[p.at+size]) {
			size++
		}
		if c := p.text[p.at] | 0x20; (size == 0 || c == 'h' || c == 'w') && mark() { // of http and www
			continue
		}
		size = max(size, 1)
		p.keep(p.text[p.at : p.at+size])
		p.at += size
	}
}

// skip skips size bytes that a page does not show. If another block may begin within them, it is uncertain where they
// end, so the rest of the text is skipped.
func (p *page) skip(size int) {
	skipped, certain := p.text[p.at:p.at+size], p.at == p.aside || p.html.forever && p.html.certain()
	p.at += size
	switch lines := strings.Count(strings.TrimSuffix(skipped, "\n"), "\n"); {
	case lines == 0 || certain:
	case blankLine.MatchString(skipped), p.html.on && strings.Count(skipped, "\n"+p.html.margin) != lines,
		!p.html.on && (p.odd || block.MatchString(skipped)):
		p.at = len(p.text)
	default:
		p.odd = true
	}
	for _, open := range p.links {
		if p.at == len(p.text) && open > 0 && p.out[open-1] == '!' {
			p.out = p.out[:open-1] // perhaps an image, which may end anywhere
			break
		}
	}
}

var (
	blankLine = regexp.MustCompile(`\n[ \t\r]*\n`)
	// block matches a line break before what may begin a block and is no part of a tag or a title.
	block = regexp.MustCompile("\n[ \t]*[!#-&*-@[-`{-~]")
)

// keep appends s to the output, unless the current place is in a hidden element or a line that may begin code.
func (p *page) keep(s string) {
	if len(p.hidden) == 0 && p.at >= p.unseen {
		p.out = append(p.out, s...)
	}
}

// visible handles an address, a comment, a tag, an escape, the beginning of code or the end of a link at the current
// place.
func (p *page) visible() bool {
	c := p.text[p.at]
	switch {
	case c == 'h', c == 'H', c == 'w', c == 'W':
		return p.address()
	case p.at < p.code:
		return false
	case c == '<':
		return p.comment() || p.tag()
	case c == '\\' && !p.html.on && p.escapes():
		p.keep(p.text[p.at : p.at+2])
		p.at += 2
		return true
	case c == '`' && !p.html.on:
		p.keep(p.ticks())
		return true
	case c == '[' && (len(p.hidden) > 0 || p.at < p.unseen):
		p.links = append(p.links, -1)
	case c == '[':
		p.links = append(p.links, len(p.out))
	case c == ']':
		return p.link()
	}
	return false
}

// escapes reports whether the backslash at the current place escapes the next character.
func (p *page) escapes() bool { return p.at+1 < len(p.text) && asciiMark(p.text[p.at+1]) }

// asciiMark reports whether c is ASCII punctuation, which a backslash can escape in Markdown.
func asciiMark(c byte) bool { return '!' <= c && c <= '~' && !english.IsASCIIAlnum(c) }

// line handles what only the beginning of a line can hold: blank lines, blocks of HTML, fences and definitions.
func (p *page) line() bool {
	end := lineEnd(p.text, p.at)
	line := p.text[p.at:end]
	marks := containers.FindString(line)
	bare := line[len(marks):]
	inProse := p.prose && strings.TrimSpace(marks) == ""
	p.prose = false
	switch {
	case strings.TrimSpace(line) == "":
		p.odd, p.links = false, p.links[:0]
		if !p.html.forever {
			p.html = htmlBlock{}
		}
	case fenceOf(bare) != "":
		if p.fence(bare, end) {
			return true
		}
		if !p.html.certain() {
			p.unseen = end
			p.doubt()
		}
	case !p.html.on && strings.HasPrefix(bare, "<"):
		p.beginHTML(marks, bare)
	case p.definition(inProse):
		return true
	default:
		code := !inProse && (len(marks) > maxIndent || strings.Contains(marks, "\t"))
		p.prose = !p.html.on && !code && !strings.HasPrefix(bare, "#") && strings.Trim(bare, "-*_= \t\r") != ""
	}
	return false
}

// containers matches the marks of quotations and list items, and the spaces, at the beginning of a line.
var containers = regexp.MustCompile(layout)

const layout = `^[ \t]*(?:(?:>|[-*+][ \t]|[0-9]{1,9}[.)][ \t])[ \t]*)*`

// doubt makes all that follows text and no code, because it is uncertain which of it is code.
func (p *page) doubt() { p.html = htmlBlock{true, true, " "} }

// fence reads a block of code, whose first line ends at end. It keeps the marks of that line without the language of
// the code, which a page does not show. The block may be in a list item, in which it ends before a line that is
// indented less. p.code becomes the end of the block. fence returns false if it is uncertain that there is one.
func (p *page) fence(bare string, end int) bool {
	marks, indent := fenceOf(bare), end-p.at-len(bare)
	before := p.text[p.at : p.at+indent]
	if p.html.on || p.odd && indent > maxIndent || !beforeFence.MatchString(before) {
		return false
	}
	p.keep(strings.TrimLeft(before, " ") + marks)
	p.at, p.code = end, len(p.text)
	for at := end + 1; at < len(p.text); {
		to := lineEnd(p.text, at)
		line := strings.TrimRight(p.text[at:to], " \t\r")
		in := len(line) - len(strings.TrimLeft(line, " "))
		switch closes := closesFence(line[in:], marks); {
		case closes && indent <= in && in <= max(indent, maxIndent):
			p.code = to
			return true
		case indent > 0 && line != "" && (in < indent || strings.Contains(line, marks)):
			p.code = at
			p.doubt()
			return true
		}
		at = to + 1
	}
	return true
}

// beforeFence matches what may stand before a fence in its line: spaces, or the mark of a list item. A number other
// than 1 may belong to a paragraph.
var beforeFence = regexp.MustCompile(`^(?: *| {0,3}(?:[-*+]|1[.)]) {1,4})$`)

// maxIndent is the largest number of spaces before a fence that is in no list.
const maxIndent = 3

// fenceOf returns the fence marks that line begins with, or "" if it is no fence.
func fenceOf(line string) string {
	if !strings.HasPrefix(line, "```") && !strings.HasPrefix(line, "~~~") {
		return ""
	}
	rest := strings.TrimLeft(line, line[:1])
	if line[0] == '`' && strings.Contains(rest, "`") {
		return "" // code within the line
	}
	return line[:len(line)-len(rest)]
}

// closesFence reports whether line, without white space around it, ends the block of code that the marks began.
func closesFence(line, marks string) bool {
	return strings.HasPrefix(line, marks) && strings.Trim(line, marks[:1]) == ""
}

// ticks skips a row of backticks and returns it. If a row of the same length follows in the line, the text between them
// is code, and p.code becomes its end. After a row without a partner nothing in the paragraph is code, because code may
// go on in the next line.
func (p *page) ticks() string {
	n := ticksAt(p.text[p.at:])
	row := p.text[p.at : p.at+n]
	p.at += n
	for at := p.at; !p.odd; {
		next := strings.IndexAny(p.text[at:], "`|\n")
		if next < 0 || p.text[at+next] != '`' { // "|" may end a cell
			p.odd = true
			break
		}
		many := ticksAt(p.text[at+next:])
		at += next + many
		if many == n {
			p.code = at
			break
		}
	}
	return row
}

func ticksAt(text string) int { return len(text) - len(strings.TrimLeft(text, "`")) }

// lineEnd returns the end of the line around the offset at, without its line feed.
func lineEnd(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(text)
}
