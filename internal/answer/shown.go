package answer

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/text"
)

// PlainText returns the words that a page shows of text. It drops marks of emphasis, code and quotation, tags, and
// zero-width characters. It decodes entities and Markdown escapes, and turns white space into one space. lines keeps
// the lines of a paragraph apart; flowing joins them, as a page does. Search the original text too, because a dropped
// character may be text. PlainText takes time linear in the length of the text.
func PlainText(text string) (lines, flowing string) {
	if !marked(text) {
		return text, text
	}
	w := &words{page: newPage(text)}
	w.walk(w.line, w.mark)
	shown := strings.ReplaceAll(string(w.out), string(rune(removed)), "")
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

// words is a page of which only the words are written.
type words struct {
	page
	quotes int                  // number of quotation marks (>) before the current line
	flows  bool                 // the current line may go on in the next
	open   [len(emphases)][]int // offsets in out of marks that may begin emphasis in this paragraph
}

// emphases are the marks of emphasis and of struck-out text.
const emphases = "*_~"

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

// line begins a line. If the paragraph goes on, it ends the line before in the output with the byte soft, else with a
// line feed, after which no mark of emphasis is open.
func (w *words) line() bool {
	end := lineEnd(w.text, w.at)
	marks := quotation.FindString(w.text[w.at:end])
	bare := strings.TrimSpace(w.text[w.at+len(marks) : end])
	quotes := strings.Count(marks, ">")
	fenced := fenceOf(bare) != ""
	switch {
	case w.flows && bare != "" && quotes <= w.quotes && !fenced && !blockStart.MatchString(bare):
		w.end(soft)
	case w.at > 0 && len(w.out) > 0:
		clear(w.open[:])
		w.end('\n')
	}
	w.quotes, w.flows = quotes, bare != "" && !fenced && bare[0] != '#' && bare[0] != '|'
	w.odd = w.odd && bare != ""
	if fenced && w.fence(bare, end) {
		return true
	}
	w.at += len(marks)
	return len(marks) > 0
}

// end ends the line in the output with the byte c. It drops a space before c.
func (w *words) end(c byte) { w.out = append(bytes.TrimSuffix(w.out, []byte(" ")), c) }

// mark writes the next characters as a page shows them.
func (w *words) mark() bool {
	if w.at < w.code {
		return w.character()
	}
	switch c := w.text[w.at]; c {
	case '\n':
		w.at++
	case '\\':
		if w.escapes() {
			w.at++
			return w.character()
		}
		if !strings.HasPrefix(w.text[w.at+1:], "\n") {
			return false
		}
		w.at++ // a line break
	case '*', '_', '~':
		w.emphasis(c)
	case '`':
		row := len(w.ticks())
		for w.at < w.code-row {
			w.character()
		}
		w.at = max(w.at, w.code)
	case '<':
		return w.tag()
	case '&':
		written := entity.FindString(w.text[w.at:])
		for _, r := range html.UnescapeString(written) {
			w.write(r, string(r))
		}
		w.at += len(written)
	case '[':
		return w.skipFootnote()
	default:
		ordinary := ' ' < c && c < utf8.RuneSelf
		return !ordinary && w.character()
	}
	return true
}

// skipFootnote skips the mark of a footnote at the current place. It returns false if there is none.
func (w *words) skipFootnote() bool {
	mark := footnote.FindStringSubmatch(w.text[w.at:])
	if mark == nil {
		return false
	}
	w.at += len(mark[1])
	return true
}

// write writes the character r, which the text spells like the string as. White space is written as one space, and a
// character without a width is dropped. So are removed and soft, which mark places in the output.
func (w *words) write(r rune, as string) {
	switch {
	case unicode.IsSpace(r) || text.IsBlank(r):
		if n := len(w.out); n > 0 && strings.IndexByte(" \n\x01", w.out[n-1]) < 0 {
			w.out = append(w.out, ' ')
		}
	case r != removed && r != soft && !text.IsZeroWidth(r):
		w.out = append(w.out, as...)
	}
}

// character writes the current character, even if it could be a mark.
func (w *words) character() bool {
	r, size := utf8.DecodeRuneInString(w.text[w.at:])
	if r == '\n' {
		w.end('\n')
	} else {
		w.write(r, w.text[w.at:w.at+size])
	}
	w.at += size
	return true
}

// tag skips a tag. The tag of a block begins a new line; most other tags do not separate words.
func (w *words) tag() bool {
	tag := tagPattern.FindString(w.text[w.at:])
	w.at += len(tag)
	switch name := strings.ToLower(tagName.FindString(tag)); {
	case name == "br":
		w.end(soft)
	case blocks[name], verbatim[name]:
		w.end('\n')
	}
	return tag != ""
}

// emphasis copies a row of the mark c. If the row closes earlier marks of the paragraph, the marks of both are dropped
// from the output.
func (w *words) emphasis(c byte) {
	size := len(w.text[w.at:]) - len(strings.TrimLeft(w.text[w.at:], string(c)))
	before, after := byte(' '), byte(' ')
	if w.at > 0 {
		before = w.text[w.at-1]
	}
	mark := len(w.out)
	w.out = append(w.out, w.text[w.at:w.at+size]...)
	if w.at += size; w.at < len(w.text) {
		after = w.text[w.at]
	}
	inWord := c == '_' && wordByte(before) && wordByte(after)
	open := &w.open[strings.IndexByte(emphases, c)]
	for n := len(*open); before > ' ' && !inWord && n > 0 && mark < len(w.out); mark++ {
		n--
		w.out[(*open)[n]], w.out[mark] = removed, removed
		*open = (*open)[:n]
	}
	for ; after > ' ' && !inWord && mark < len(w.out); mark++ {
		*open = append(*open, mark)
	}
}

// wordByte reports whether c is an ASCII letter or digit, or belongs to a character that is not ASCII.
func wordByte(c byte) bool { return c >= utf8.RuneSelf || english.IsASCIIAlnum(c) }
