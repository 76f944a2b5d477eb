package answer

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// RemoveHidden returns what a reader sees of text when it is rendered as Markdown or HTML, without addresses. It cuts
// out comments, link addresses and titles, link definitions, attributes, hidden elements, scripts and styles. It keeps
// code whole. It takes time linear in the length of the text.
func RemoveHidden(text string) string { return render(text, false) }

// RemoveHiddenKeepLinks returns what Seen returns, and also the addresses that can be followed: addresses in the text
// and addresses of links.
func RemoveHiddenKeepLinks(text string) string { return render(text, true) }

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
	last      map[string]int // by the end of a comment or an element: the offset of the last one; -1: none
	bare      bool           // the current line has only marks of layout so far, such as list dashes
}

// removed marks, in the output, a byte that is deleted at the end.
const removed = 0

// maxTicks limits how many backticks in a row open code within a line: a row of maxTicks or more opens none.
const maxTicks = 8

func render(text string, addresses bool) string {
	if !mayHide(text) {
		return text
	}
	r := &renderer{text: text, addresses: addresses, out: make([]byte, 0, len(text)), labels: definitions(text),
		last: map[string]int{}}
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
	case c == 'h', c == 'H', c == 'w', c == 'W':
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
	case indent <= maxIndent && strings.HasPrefix(line[containers(line):], "<"):
		r.raw, r.rawOn = htmlBlock(line[containers(line):])
		return false
	case indent <= maxIndent && fenceOf(line) != "":
		r.fence(fenceOf(line), indent, end)
		return true
	}
	// An address that cannot be followed may be text that is meant to be read.
	_, address, size := definition(r.text[r.at:])
	if size == 0 || !strings.ContainsAny(address, "#/:") && !endsParagraph(r.out) {
		return false
	}
	r.at += size
	r.follow("(", address, ")\n")
	return true
}

// containers returns the length of the marks of quotations and list items at the beginning of line.
func containers(line string) int { return len(containerMarks.FindString(line)) }

var containerMarks = regexp.MustCompile(`^(?:> ?|(?:[-*+]|[0-9]{1,9}[.)]) )[ >]*(?:(?:[-*+]|[0-9]{1,9}[.)]) [ >]*)*`)

// maxIndent is the largest number of spaces before a fence or an HTML block.
const maxIndent = 3

// fence copies the marks of the first line of a block of code, and sets r.code to the end of the block. It skips the
// rest of the first line, which ends at end, because a page does not show the language of the code. An indented block
// may be in a list item. So it also ends before a line that is indented less.
func (r *renderer) fence(marks string, indent, end int) {
	r.keep(marks)
	r.at = end
	r.code = len(r.text)
	for at := end + 1; at < len(r.text); {
		to := lineEnd(r.text, at)
		line := strings.Trim(r.text[at:to], " \t\r")
		if closesFence(line, marks) {
			r.code = to
			return
		}
		if line != "" && strings.IndexByte(r.text[at:to], line[0]) < indent && r.text[at] != '\t' {
			r.code = at
			return
		}
		at = to + 1
	}
}

// fenced matches the first line of a block of code.
var fenced = regexp.MustCompile("^(?:(`{3,})[^`]*$|(~{3,}))")

// fenceOf returns the fence marks that line begins with, or "" if it is no fence.
func fenceOf(line string) string {
	if !strings.HasPrefix(line, "```") && !strings.HasPrefix(line, "~~~") {
		return ""
	}
	if m := fenced.FindStringSubmatch(line); m != nil {
		return m[1] + m[2]
	}
	return ""
}

// closesFence reports whether line, without white space around it, ends the block of code that the marks began.
func closesFence(line, marks string) bool {
	return strings.HasPrefix(line, marks) && strings.Trim(line, marks[:1]) == ""
}

// ticks copies a row of backticks. If a row of the same length follows in the line, the text between them is code.
func (r *renderer) ticks() {
	n := ticksAt(r.text, r.at)
	r.keep(r.text[r.at : r.at+n])
	r.at += n
	if at := r.lone.closing(r.text, r.at, n); at >= 0 {
		r.code = at + n
	}
}

// loneTicks remembers the searches that found no closing row of backticks. Element n is the end of the last line that
// was searched for a row of n backticks without success.
type loneTicks [maxTicks]int

// closing returns the start of the first row of exactly n backticks in the rest of the line at the offset at. The row
// closes the code before it. closing returns -1 if there is none.
func (l *loneTicks) closing(text string, at, n int) int {
	if n >= maxTicks || at <= l[n] {
		return -1
	}
	for {
		next := strings.IndexAny(text[at:], "`\n")
		if next < 0 {
			next = len(text) - at
		}
		at += next
		if at == len(text) || text[at] == '\n' {
			l[n] = at
			return -1
		}
		many := ticksAt(text, at)
		if many == n {
			return at
		}
		at += many
	}
}

func ticksAt(text string, at int) int {
	rest := text[at:]
	return len(rest) - len(strings.TrimLeft(rest, "`"))
}

// address skips the address of a page at the current place, because words in an address state nothing. It returns false
// if no address begins here or if addresses are kept.
func (r *renderer) address() bool {
	rest := r.text[r.at:]
	if r.addresses || english.IsWordRuneBefore(r.text, r.at) || !absolute(rest) {
		return false
	}
	size, depth := 0, 0
	for ; size < len(rest) && strings.IndexByte(" \t\r\n<>\"`|", rest[size]) < 0; size++ {
		switch rest[size] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		}
		if depth < 0 {
			break
		}
	}
	r.at += len(strings.TrimRight(rest[:size], ".,;:!?*_~'"))
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

// lineEnd returns the end of the line around the offset at, without its line feed.
func lineEnd(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(text)
}
