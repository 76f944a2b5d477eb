package answer

import (
	"bytes"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// Seen returns what a reader sees of text when it is rendered as Markdown or HTML, without addresses. It cuts out
// comments, link addresses and titles, link definitions, attributes, hidden elements, scripts and styles. It keeps code
// whole. It takes time linear in the length of the text.
func Seen(text string) string { return render(text, false) }

// Linked returns what Seen returns, and also the addresses that can be followed: addresses in the text and addresses of
// links.
func Linked(text string) string { return render(text, true) }

// mayHide reports whether text may have something that a reader does not see. It is a quick test for the marks of tags,
// links, addresses and fences.
func mayHide(text string) bool {
	return strings.IndexByte(text, '<') >= 0 || strings.IndexByte(text, ']') >= 0 && (strings.Contains(text, "](") ||
		strings.Contains(text, "]:")) ||
		strings.Contains(text, "://") || strings.Contains(text, "www.") || strings.Contains(text, "```") ||
		strings.Contains(text, "~~~")
}

// renderer removes from a text what a reader does not see.
type renderer struct {
	text      string
	addresses bool // whether addresses are kept
	out       []byte
	at        int
	element   string // the hidden element around the current place; "": none
	depth     int    // number of open elements that have the name of the hidden element
	open      []int  // offsets in out of opening brackets that may begin the text of a link
	labels    map[string]bool
	raw       bool // the current place is in a block of HTML, in which backticks mark no code
	rawOn     bool // the block of HTML continues after blank lines
	code      int  // end of the code around the current place
	lone      loneTicks
	next      int               // start of the next line, so that the end of a long line is searched for once
	endless   [len(asides)]bool // kinds of comments that are not closed further on
	lower     string            // text in lower case; "" until first needed
	unclosed  map[string]bool   // names of hidden elements that are not closed further on
	bare      bool              // the current line has only marks of layout so far, such as list dashes
}

// removed marks, in the output, a byte that is deleted at the end.
const removed = 0

// maxTicks limits how many backticks in a row open code within a line: a row of maxTicks or more opens none.
const maxTicks = 8

func render(text string, addresses bool) string {
	if !mayHide(text) {
		return text
	}
	r := &renderer{text: text, addresses: addresses, out: make([]byte, 0, len(text)), labels: definitions(text)}
	for r.at < len(text) {
		if r.at == 0 || text[r.at-1] == '\n' {
			if r.bare = true; r.at >= r.code && r.lineStart() {
				continue
			}
		}
		if !r.cut() {
			r.bare = r.bare && strings.IndexByte(" >-*+", text[r.at]) >= 0
			r.keep(text[r.at : r.at+1])
			r.at++
		}
	}
	return string(bytes.ReplaceAll(r.out, []byte{removed}, nil))
}

// keep appends s to the output, unless the current place is in a hidden element.
func (r *renderer) keep(s string) {
	if r.element == "" {
		r.out = append(r.out, s...)
	}
}

// cut handles an address, a comment, a tag, an escape, the beginning of code or the end of a link at the current
// place. It returns false if the caller has to copy the current byte.
func (r *renderer) cut() bool {
	c := r.text[r.at]
	switch {
	case strings.IndexByte("hHwW", c) >= 0:
		return r.address()
	case r.at < r.code:
		return false
	case c == '<':
		return r.comment() || r.tag()
	case c == '\\' || c == '`':
		return !r.raw && r.literal(c)
	case c == '[' && r.element == "":
		r.open = append(r.open, len(r.out))
	case c == ']' && r.element == "":
		return r.link()
	}
	return false
}

// literal copies a row of backticks, or a backslash with the character that it escapes. It returns false if the
// backslash escapes nothing that matters here.
func (r *renderer) literal(c byte) bool {
	if c == '`' {
		r.ticks()
		return true
	}
	if r.at+1 == len(r.text) || strings.IndexByte("<[]`\\", r.text[r.at+1]) < 0 {
		return false
	}
	r.keep(r.text[r.at : r.at+2])
	r.at += 2
	return true
}

// lineStart handles what only the beginning of a line can hold: fences, reference definitions, and the start and end
// of HTML blocks. It returns true if it advanced.
func (r *renderer) lineStart() bool {
	end := lineEnd(r.text, r.at)
	line := strings.TrimLeft(r.text[r.at:end], " ")
	indent := end - r.at - len(line)
	switch {
	case strings.TrimSpace(line) == "":
		r.raw, r.open = r.rawOn, r.open[:0]
		return false
	case r.raw || r.element != "":
		return false
	case indent <= maxIndent && line[0] == '<':
		r.raw, r.rawOn = htmlBlock(line)
		return false
	case indent <= maxIndent && fenceOf(line) > 0:
		r.fence(line, end)
		return true
	}
	if d, ok := definition(r.text, r.at); ok && (d.followed() || endsParagraph(r.out)) {
		if r.at = d.end; r.addresses && absolute(d.address) {
			r.keep("(" + d.address + ")\n")
		}
		return true
	}
	return false
}

// maxIndent is the largest number of spaces before a fence or an HTML block.
const maxIndent = 3

// fence copies the marks of the first line of a block of code, and sets r.code to the end of the block. It skips the
// rest of the first line, because a page does not show the language of the code.
func (r *renderer) fence(line string, end int) {
	n := fenceOf(line)
	r.keep(line[:n])
	r.at = end
	r.code = len(r.text)
	for at := end + 1; at < len(r.text); {
		to := lineEnd(r.text, at)
		last := strings.Trim(r.text[at:to], " \t\r")
		if len(last) >= n && strings.Trim(last, line[:1]) == "" {
			r.code = to
			return
		}
		at = to + 1
	}
}

// fenceOf returns the number of fence marks that line begins with, or 0 if it is no fence.
func fenceOf(line string) int {
	mark := line[0]
	if mark != '`' && mark != '~' {
		return 0
	}
	n := len(line) - len(strings.TrimLeft(line, line[:1]))
	if n < 3 || mark == '`' && strings.IndexByte(line[n:], '`') >= 0 {
		return 0
	}
	return n
}

// ticks copies a row of backticks. If a row of the same length follows in the line, the text between them is code.
func (r *renderer) ticks() {
	n := ticksAt(r.text, r.at)
	r.keep(r.text[r.at : r.at+n])
	r.at += n
	if at := r.lone.closing(r.text, r.at, r.lineEnd(), n); at >= 0 {
		r.code = at + n
	}
}

// loneTicks remembers the searches that found no closing row of backticks. Element n is the end of the last line that
// was searched for a row of n backticks without success.
type loneTicks [maxTicks]int

// closing returns the start of the first row of exactly n backticks in text[at:end], which closes the code before it.
// It returns -1 if there is none.
func (l *loneTicks) closing(text string, at, end, n int) int {
	if n >= maxTicks || at <= l[n] {
		return -1
	}
	for at < end {
		next := strings.IndexByte(text[at:end], '`')
		if next < 0 {
			break
		}
		at += next
		many := ticksAt(text, at)
		if many == n {
			return at
		}
		at += many
	}
	l[n] = end
	return -1
}

func ticksAt(text string, at int) int {
	n := 1
	for at+n < len(text) && text[at+n] == '`' {
		n++
	}
	return n
}

// address skips the address of a page at the current place, because words in an address state nothing. It returns false
// if no address begins here or if addresses are kept.
func (r *renderer) address() bool {
	rest := r.text[r.at:]
	if r.addresses || !absolute(rest) || english.WordBefore(r.text, r.at) {
		return false
	}
	end := strings.IndexAny(rest, " \t\r\n<>\"`|")
	if end < 0 {
		end = len(rest)
	}
	depth := 0
	for i := range end {
		switch rest[i] {
		case '(', '[':
			depth++
		case ')', ']':
			if depth--; depth < 0 {
				end = i
			}
		}
		if depth < 0 {
			break
		}
	}
	r.at += len(strings.TrimRight(rest[:end], ".,;:!?*_~'"))
	return true
}

// absolute reports whether text begins with an address that can be followed from anywhere.
func absolute(text string) bool {
	for _, scheme := range [...]string{"https://", "http://", "www.", "mailto:"} {
		if len(text) >= len(scheme) && strings.EqualFold(text[:len(scheme)], scheme) {
			return true
		}
	}
	return false
}

// lineEnd returns the end of the current line, without its line feed.
func (r *renderer) lineEnd() int {
	if r.at >= r.next {
		r.next = lineEnd(r.text, r.at) + 1
	}
	return r.next - 1
}

// lineEnd returns the end of the line around the offset at, without its line feed.
func lineEnd(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(text)
}
