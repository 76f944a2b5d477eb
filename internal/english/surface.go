package english

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/text"
)

// Surface is a text in plain form, in which patterns can be searched for. It has straight quotes and hyphens, single
// spaces, at most one blank line in a row, no marks of emphasis and no invisible characters. The views Plain, Lower and
// Flat have the same length, and an index means the same place in all of them.
type Surface struct {
	Plain  string // with the letter case of the text
	Lower  string // with ASCII letters in lower case
	Flat   string // Lower, with line breaks as spaces
	source string
	from   []int32 // for each byte of a view: the offset in the original text of the character that it comes from
}

// NewSurface returns the Surface of text with nothing masked.
func NewSurface(text string) Surface { return surfaced(text, func([]byte) {}) }

// NewOwnSpeech returns the Surface of text with everything masked that is not the writer's own statement, such as
// quotations, code and drafted letters.
func NewOwnSpeech(text string) Surface { return surfaced(text, mask) }

func surfaced(source string, cover func([]byte)) Surface {
	n := surface{out: make([]byte, 0, len(source)+8), from: make([]int32, 0, len(source)+8)}
	for i, r := range source {
		n.step(i, r, source[i:])
	}
	cover(n.out)
	plain := string(n.out)
	lower := text.LowerASCII(plain)
	return Surface{plain, lower, strings.ReplaceAll(lower, "\n", " "), source, n.from}
}

// Text returns the original text of the surface.
func (s Surface) Text() string { return s.source }

// SourceRange returns the range of the original text that view[start:end] comes from, for any of the views. That part
// of the view must not be empty.
func (s Surface) SourceRange(start, end int) (from, to int) {
	last := int(s.from[end-1])
	_, size := utf8.DecodeRuneInString(s.source[last:])
	return int(s.from[start]), last + size
}

// surface builds the plain text of a Surface rune by rune.
type surface struct {
	out  []byte
	from []int32
	last rune // last rune written, 0 at the start
}

// beginsLine reports whether nothing but space came since the last line break.
func (n *surface) beginsLine() bool { return n.last == '\n' || n.last == 0 }

// step writes the plain form of r, which is the character at the offset i of the original text. rest is the text from
// there on. Runs of white space become one space, or at most two line breaks.
func (n *surface) step(i int, r rune, rest string) {
	switch {
	case r < utf8.RuneSelf && IsASCIIAlnum(byte(r)):
		n.write(i, r)
	case r == '\n':
		n.breakLine(i)
	case unicode.IsSpace(r):
		if n.last != ' ' && !n.beginsLine() {
			n.write(i, ' ')
		}
	case r == '`' && IsWordRune(n.last) && IsWordRuneAt(rest, 1):
		n.write(i, '\'') // can`t
	case n.beginsLine() && strings.HasPrefix(rest, "* "):
		n.write(i, '-') // of a list
	case !n.emphasis(r, rest):
		if shown := shown(r); shown >= 0 {
			n.write(i, shown)
		}
	}
}

// breakLine writes a line break. It writes nothing if the plain text is still empty or ends in a blank line.
func (n *surface) breakLine(i int) {
	if n.last == ' ' { // at the end of the line
		n.out, n.from = n.out[:len(n.out)-1], n.from[:len(n.from)-1]
	}
	if len(n.out) > 0 && !bytes.HasSuffix(n.out, []byte("\n\n")) {
		n.write(i, '\n')
	}
}

// shown returns the plain form of r. It returns -1 if r is invisible.
func shown(r rune) rune {
	switch f := fold(r); {
	case f < 0 || unicode.IsControl(r):
		return -1
	case r < utf8.RuneSelf:
		return r
	case f == '–' || f == '—':
		return '-'
	default:
		return f
	}
}

// write appends r, which is the plain form of the character at the offset i of the original text.
func (n *surface) write(i int, r rune) {
	var encoded [utf8.UTFMax]byte
	for _, c := range encoded[:utf8.EncodeRune(encoded[:], r)] {
		n.out = append(n.out, c)
		n.from = append(n.from, int32(i))
	}
	n.last = r
}

// emphasis reports whether r is a mark to leave out, inside words ("can**not**") or around them. Such marks are an
// asterisk, a tilde, a heading's hash, and an underscore at the edge of a word. rest is the text from r on.
func (n *surface) emphasis(r rune, rest string) bool {
	switch r {
	case '*', '~':
		return true
	case '#':
		return n.beginsLine()
	case '_':
		return !IsWordRune(n.last) || !IsWordRuneAt(rest, 1)
	}
	return false
}

// Span is a half-open range of bytes of a view of a Surface.
type Span struct{ Start, End int }

// Sentences returns the sentences of s, which is a view of a Surface. Sentences end at full stops, question and
// exclamation marks, and at line breaks that end a paragraph, a heading or a list item. No span is empty or has space
// around it.
func Sentences(s string) []Span {
	var out []Span
	start := 0
	for i := range len(s) {
		if !endsAt(s, i) {
			continue
		}
		out = appendTrimmed(out, s, start, i+1)
		start = i + 1
	}
	return appendTrimmed(out, s, start, len(s))
}

// endsAt reports whether a sentence ends with the byte s[i].
func endsAt(s string, i int) bool {
	switch s[i] {
	case '.', '!', '?':
		after := strings.TrimLeft(s[i+1:], `"')`)
		return after == "" || after[0] == ' ' || after[0] == '\n'
	case '\n':
		rest := s[i+1:]
		return rest == "" || rest[0] == '\n' || listItem(rest) || i > 0 && s[i-1] == ':'
	}
	return false
}

// listItem reports whether line begins as a list item does.
func listItem(line string) bool {
	if strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "• ") {
		return true
	}
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	return digits > 0 && digits <= 2 && digits < len(line) && (line[digits] == '.' || line[digits] == ')')
}

// appendTrimmed appends the span s[start:end] without surrounding space. It appends nothing if only space is left.
func appendTrimmed(out []Span, s string, start, end int) []Span {
	end = start + len(strings.TrimRight(s[start:end], " \n"))
	start = end - len(strings.TrimLeft(s[start:end], " \n"))
	if start == end {
		return out
	}
	return append(out, Span{start, end})
}
