package refusal

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// normaliser builds a view rune by rune and keeps the way back to the original.
type normaliser struct {
	out       []byte
	from, to  []int32 // for each byte of out: the bytes of the input it stands for
	last      rune    // last rune written, 0 at the start
	lineStart bool    // nothing but space since the last line break
}

// spelling maps the typographic variants of marks to the one the rules are written in.
var spelling = strings.NewReplacer(
	"’", "'", "‘", "'", "ʼ", "'", "′", "'", "＇", "'", "´", "'",
	"“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "＂", `"`, "‟", `"`,
	"「", `"`, "」", `"`, "『", `"`, "』", `"`, "〈", `"`, "〉", `"`, "《", `"`, "》", `"`, "〝", `"`, "〞", `"`, "〟", `"`,
	"‹", `"`, "›", `"`, "❝", `"`, "❞", `"`, "❛", "'", "❜", "'", "‚", "'", "‛", "'",
	"—", "-", "–", "-", "‑", "-", "‐", "-", "…", "...",
)

// normalise returns the normaliser after its run over s.
func normalise(s string) normaliser {
	n := normaliser{lineStart: true, out: make([]byte, 0, len(s)), from: make([]int32, 0, len(s)), to: make([]int32, 0, len(s))}
	for i := 0; i < len(s); {
		if run := plainRun(s[i:]); run > 0 {
			n.put(s[i:i+run], i)
			i += run
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		n.step(r, s[i:i+size], s[i+size:], i)
		i += size
	}
	return n
}

// plainByte reports whether a byte always stands for itself: visible ASCII without the marks of emphasis.
func plainByte(c byte) bool {
	return ' ' < c && c < 0x7f && c != '*' && c != '~' && c != '#' && c != '_'
}

// plainRun returns how many bytes stand for themselves: plain ones and single spaces after them.
func plainRun(s string) int {
	for i := range len(s) {
		if !plainByte(s[i]) && (s[i] != ' ' || i == 0 || s[i-1] == ' ') {
			return i
		}
	}
	return len(s)
}

// put writes a plain run.
func (n *normaliser) put(run string, at int) {
	n.out = append(n.out, run...)
	for i := range len(run) {
		n.from, n.to = append(n.from, int32(at+i)), append(n.to, int32(at+i+1))
	}
	n.last, n.lineStart = rune(run[len(run)-1]), false
}

// step writes one rune. Runs of white space become one space, or at most two line breaks.
func (n *normaliser) step(r rune, raw, rest string, at int) {
	switch {
	case r == '\n':
		n.breakLine(at)
	case unicode.IsSpace(r):
		if n.last != ' ' && n.last != '\n' && n.last != 0 {
			n.write(" ", at, len(raw))
		}
	case invisible(r) || n.emphasis(r, rest):
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
	n.out, n.from, n.to = n.out[:end], n.from[:end], n.to[:end]
}

// write appends s, which stands for width bytes of the input at the given offset.
func (n *normaliser) write(s string, at, width int) {
	n.out = append(n.out, s...)
	for range len(s) {
		n.from, n.to = append(n.from, int32(at)), append(n.to, int32(at+width))
	}
	n.last, _ = utf8.DecodeLastRuneInString(s)
}

// emphasis reports whether the rune is a Markdown mark to leave out: asterisks and tildes, a heading's hashes,
// and underscores at the edge of a word.
func (n *normaliser) emphasis(r rune, rest string) bool {
	switch r {
	case '*', '~':
		return true
	case '#':
		return n.lineStart
	case '_':
		next, _ := utf8.DecodeRuneInString(rest)
		return !wordRune(n.last) || !wordRune(next)
	}
	return false
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// invisible reports whether the rune shows nothing: zero-width marks, soft hyphens, byte order marks.
func invisible(r rune) bool {
	return unicode.Is(unicode.Cf, r) || r == '\u00ad' || (unicode.IsControl(r) && !unicode.IsSpace(r))
}
