package refusal

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// normaliser builds a view rune by rune and keeps the way back to the original.
type normaliser struct {
	view      view
	out       []byte
	last      rune // last rune written, 0 at the start
	lineStart bool // nothing but space since the last line break
}

// spelling maps the typographic variants of marks to the one the rules are written in.
var spelling = strings.NewReplacer(
	"’", "'", "‘", "'", "ʼ", "'", "′", "'", "＇", "'", "´", "'",
	"“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "＂", `"`,
	"—", "-", "–", "-", "‑", "-", "‐", "-", "…", "...",
)

// run writes the normalised form of s, which begins at the given offset of the original.
func (n *normaliser) run(s string, offset int) {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		next, _ := utf8.DecodeRuneInString(s[i+size:])
		n.step(r, next, s[i:i+size], offset+i)
		i += size
	}
}

// step writes one rune. Runs of white space become one space, or at most two line breaks.
func (n *normaliser) step(r, next rune, raw string, at int) {
	switch {
	case r == '\n':
		n.breakLine(at)
	case unicode.IsSpace(r):
		if n.last != ' ' && n.last != '\n' && n.last != 0 {
			n.write(" ", at, len(raw))
		}
	case invisible(r) || n.emphasis(r, next):
		// Left out: these marks stand inside words ("can**not**") or around them.
	default:
		n.write(spelling.Replace(raw), at, len(raw))
		n.lineStart = false
	}
}

// breakLine writes a line break, unless the text has not begun or a blank line stands already.
func (n *normaliser) breakLine(at int) {
	n.lineStart = true
	if n.last == ' ' {
		n.dropLast()
	}
	if len(n.out) > 0 && !bytes.HasSuffix(n.out, []byte("\n\n")) {
		n.write("\n", at, 1)
	}
}

// dropLast takes the last byte back: the space at the end of a line.
func (n *normaliser) dropLast() {
	end := len(n.out) - 1
	n.out, n.view.from, n.view.to = n.out[:end], n.view.from[:end], n.view.to[:end]
}

// write appends s, which stands for width bytes of the original at the given offset.
func (n *normaliser) write(s string, at, width int) {
	n.out = append(n.out, s...)
	for range len(s) {
		n.view.from = append(n.view.from, at)
		n.view.to = append(n.view.to, at+width)
	}
	n.last, _ = utf8.DecodeLastRuneInString(s)
}

// emphasis reports whether the rune is a Markdown mark to leave out: asterisks and tildes, a heading's hashes,
// and underscores at the edge of a word.
func (n *normaliser) emphasis(r, next rune) bool {
	switch r {
	case '*', '~':
		return true
	case '#':
		return n.lineStart
	case '_':
		return !wordRune(n.last) || !wordRune(next)
	}
	return false
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// invisible reports whether the rune shows nothing: zero-width marks, soft hyphens, byte order marks.
func invisible(r rune) bool {
	return unicode.Is(unicode.Cf, r) || r == '\u00ad' || (unicode.IsControl(r) && !unicode.IsSpace(r))
}
