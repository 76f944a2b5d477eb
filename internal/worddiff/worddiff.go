// Package worddiff finds the words in which two texts differ. It splits each text into pieces that both texts have or
// only one has. Time and memory are limited, so that a text of a model cannot make it slow. What follows very many
// differences counts as different up to the common end.
package worddiff

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/text"
)

// Piece is a part of one of two texts. The pieces of a text, joined, are the text.
type Piece struct {
	Text    string
	Changed bool // whether only this text has it
}

// Diff has the pieces of both texts. In each text, common pieces and pieces of its own alternate.
type Diff struct {
	Base, Head []Piece
	// Common is the share of common words, from 0 to 1: 2 × common words / words of both texts. It is 1 if there are no
	// words.
	Common float64
	Cut    bool // the texts differ in too many words; common words after the last difference found count as changed
}

// Words compares base and head word by word. White space between two changed words counts as changed, so that both
// words are in one piece.
func Words(base, head string) Diff {
	all, cut := align(tokens(base), tokens(head), wordDifferences)
	merged := mergeShort(all)
	return Diff{pieces(merged, func(r run) []string { return r.base }),
		pieces(merged, func(r run) []string { return r.head }), commonShare(all), cut}
}

// commonShare returns the share of common words; see Diff.Common.
func commonShare(all []run) float64 {
	count := func(tokens []string) (n float64) {
		for _, t := range tokens {
			if isWord(t) {
				n++
			}
		}
		return n
	}
	common, words := 0.0, 0.0
	for _, r := range all {
		both := 2 * count(r.common)
		common, words = common+both, words+both+count(r.base)+count(r.head)
	}
	if words == 0 {
		return 1
	}
	return common / words
}

// pieces returns the pieces of one text. own returns the text's tokens that differ in a run.
func pieces(all []run, own func(run) []string) (out []Piece) {
	add := func(tokens []string, changed bool) {
		text, last := strings.Join(tokens, ""), len(out)-1
		switch {
		case text == "":
		case last >= 0 && out[last].Changed == changed:
			out[last].Text += text
		default:
			out = append(out, Piece{text, changed})
		}
	}
	for _, r := range all {
		add(own(r), true)
		add(r.common, false)
	}
	return out
}

// tokens splits s into words, runs of white space, and single other characters. In scripts without spaces between
// words, each character is a token.
func tokens(s string) (out []string) {
	for start := 0; start < len(s); {
		first, size := utf8.DecodeRuneInString(s[start:])
		end, kind := start+size, kindOf(first)
		if kind == single {
			end += signLength(s[end:])
		}
		for kind != single && end < len(s) {
			r, size := utf8.DecodeRuneInString(s[end:])
			if kindOf(r) != kind {
				break
			}
			end += size
		}
		out = append(out, s[start:end])
		start = end
	}
	return out
}

// signLength returns the length of the characters at the beginning of following that are shown as one sign with the
// character before them. These are marks, the emoji variation selector, and joined characters. Readers could not see a
// difference within one sign.
func signLength(following string) (n int) {
	joined := false
	for n < len(following) {
		r, size := utf8.DecodeRuneInString(following[n:])
		if !joined && !text.NeedsContext(r) && !unicode.IsMark(r) {
			break
		}
		n, joined = n+size, r == '\u200d'
	}
	return n
}

type kind int

const (
	single kind = iota // a token of its own
	letter
	space
)

// unspaced are the scripts that are written without spaces between words.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao,
	unicode.Khmer, unicode.Myanmar}

// IsUnspaced reports whether r belongs to a script that is written without spaces between words.
func IsUnspaced(r rune) bool { return r >= utf8.RuneSelf && unicode.In(r, unspaced...) }

func kindOf(r rune) kind {
	switch {
	case unicode.IsSpace(r):
		return space
	case IsUnspaced(r):
		return single
	case r == '_', unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
		return letter
	}
	return single
}

// isWord reports whether token is a word, and not white space or punctuation.
func isWord(token string) bool {
	r, _ := utf8.DecodeRuneInString(token)
	return kindOf(r) == letter || unicode.IsLetter(r)
}

// mergeShort joins two differences with the short common part between them. A part is short if it has only white space,
// punctuation, and at most one character of a script without spaces. Otherwise the space in "ab cd" and "xy z" would
// split one difference in two. A place where one text has nothing stays apart.
func mergeShort(all []run) (out []run) {
	for i, r := range all {
		last := len(out) - 1
		if i == 0 || !r.replaces() || !out[last].replaces() || !isShort(out[last].common) {
			out = append(out, r)
			continue
		}
		before := out[last] // in both lists, r follows it
		out[last] = run{before.base[:len(before.base)+len(before.common)+len(r.base)],
			before.head[:len(before.head)+len(before.common)+len(r.head)], r.common}
	}
	return out
}

func isShort(common []string) bool {
	characters := 0
	for _, t := range common {
		if r, _ := utf8.DecodeRuneInString(t); IsUnspaced(r) {
			characters++
		} else if isWord(t) {
			return false
		}
	}
	return characters < 2
}

// Line is a line of one or both of two texts.
type Line struct {
	Text       string
	Base, Head bool // whether this text has the line
}

// Lines compares base and head line by line. It returns the lines of both texts in order, and each common line once.
// Where the texts differ, the lines of base come before those of head.
func Lines(base, head string) (out []Line) { return Parts(splitLines(base), splitLines(head)) }

// Parts does the same as Lines for texts that are split into other parts than lines.
func Parts(base, head []string) (out []Line) {
	add := func(parts []string, base, head bool) {
		for _, text := range parts {
			out = append(out, Line{text, base, head})
		}
	}
	all, _ := align(base, head, lineDifferences)
	for _, r := range all {
		add(r.base, true, false)
		add(r.head, false, true)
		add(r.common, true, true)
	}
	return out
}

func splitLines(text string) []string {
	text = strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
