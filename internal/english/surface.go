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
}

// NewSurface returns the Surface of text with nothing masked.
func NewSurface(text string) Surface { return surfaced(text, func([]byte) {}) }

// NewOwnSpeech returns the Surface of text with everything masked that is not the writer's own statement, such as
// quotations, code and drafted letters.
func NewOwnSpeech(text string) Surface { return surfaced(text, mask) }

func surfaced(source string, cover func([]byte)) Surface {
	n := surface{lineStart: true, out: make([]byte, 0, len(source)+8)}
	n.read(source)
	cover(n.out)
	plain := string(n.out)
	lower := text.LowerASCII(plain)
	return Surface{Plain: plain, Lower: lower, Flat: strings.ReplaceAll(lower, "\n", " "), source: source}
}

// Text returns the original text of the surface.
func (s Surface) Text() string { return s.source }

// SourceRange returns the range of the original text that view[start:end] comes from, for any of the views. That part
// of the view must not be empty.
func (s Surface) SourceRange(start, end int) (from, to int) {
	n := surface{lineStart: true, tracked: true}
	n.read(s.source)
	return int(n.from[start]), int(n.to[end-1])
}

// surface builds the plain text of a Surface rune by rune. If tracked is set, it records the origin of each byte.
type surface struct {
	out       []byte
	tracked   bool
	from, to  []int32 // for each byte of out: the range in the original text that it comes from
	last      rune    // last rune written, 0 at the start
	lineStart bool    // nothing but space since the last line break
}

func (n *surface) read(s string) {
	for i := 0; i < len(s); {
		switch {
		case IsASCIIAlnum(s[i]):
			i = n.run(s, i)
		case strings.HasPrefix(s[i:], "~~"):
			i += 2
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			n.step(r, s[i:i+size], s[i+size:], i)
			i += size
		}
	}
}

// run writes the ASCII letters and digits from text[at] on, and returns their end. step would do the same, only slower.
func (n *surface) run(text string, at int) (end int) {
	for end = at; end < len(text) && IsASCIIAlnum(text[end]); end++ {
		if n.tracked {
			n.from, n.to = append(n.from, int32(end)), append(n.to, int32(end+1))
		}
	}
	n.out = append(n.out, text[at:end]...)
	n.last, n.lineStart = rune(text[end-1]), false
	return end
}

// step writes the plain form of r, which is text[at] and has the bytes raw. rest is the text after it. Runs of white
// space become one space, or at most two line breaks.
func (n *surface) step(r rune, raw, rest string, at int) {
	switch {
	case r == '\n':
		n.breakLine(at)
	case unicode.IsSpace(r):
		if n.last != ' ' && n.last != '\n' && n.last != 0 {
			n.write(" ", at, len(raw))
		}
	case r == '`' && letterOrDigit(n.last) && nextIsLetter(rest):
		n.write("'", at, 1) // can`t
	case r == '*' && n.lineStart && strings.HasPrefix(rest, " "):
		n.write("-", at, len(raw)) // of a list
		n.lineStart = false
	case n.emphasis(r, rest):
		// Left out: these marks stand inside words ("can**not**") or around them.
	default:
		if shown := shown(r, raw); shown != "" {
			n.write(shown, at, len(raw))
			n.lineStart = false
		}
	}
}

// shown returns the plain form of r. It returns "" if r is invisible. raw is r as it is encoded in the text.
func shown(r rune, raw string) string {
	switch f := fold(r); {
	case f < 0 || unicode.IsControl(r):
		return ""
	case r < utf8.RuneSelf:
		return raw
	case f == '–' || f == '—':
		return "-"
	case f == '…':
		return "..."
	case f != r:
		return string(f)
	}
	return raw
}

// breakLine writes a line break. It writes nothing if the plain text is still empty or ends in a blank line.
func (n *surface) breakLine(at int) {
	n.lineStart = true
	if n.last == ' ' { // at the end of the line
		n.out = n.out[:len(n.out)-1]
		if n.tracked {
			n.from, n.to = n.from[:len(n.out)], n.to[:len(n.out)]
		}
	}
	if len(n.out) > 0 && !bytes.HasSuffix(n.out, []byte("\n\n")) {
		n.write("\n", at, 1)
	}
}

// write appends s, which is the plain form of text[at:at+width].
func (n *surface) write(s string, at, width int) {
	n.out = append(n.out, s...)
	if n.tracked {
		for range len(s) {
			n.from, n.to = append(n.from, int32(at)), append(n.to, int32(at+width))
		}
	}
	n.last, _ = utf8.DecodeLastRuneInString(s)
}

// emphasis reports whether r is a Markdown mark to leave out. Such marks are an asterisk, a heading's hash, and an
// underscore at the edge of a word. rest is the text after r.
func (n *surface) emphasis(r rune, rest string) bool {
	switch r {
	case '*':
		return true
	case '#':
		return n.lineStart
	case '_':
		next, _ := utf8.DecodeRuneInString(rest)
		return !letterOrDigit(n.last) || !letterOrDigit(next)
	}
	return false
}

func nextIsLetter(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsLetter(r)
}

func letterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

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
	rest := s[i+1:]
	switch s[i] {
	case '.', '!', '?':
		after := strings.TrimLeft(rest, `"')`)
		return after == "" || after[0] == ' ' || after[0] == '\n'
	case '\n':
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
	for start < end && (s[start] == ' ' || s[start] == '\n') {
		start++
	}
	for end > start && (s[end-1] == ' ' || s[end-1] == '\n') {
		end--
	}
	if start == end {
		return out
	}
	return append(out, Span{start, end})
}
