// Package show is the only printer of what a model, a file or a pull request wrote: inert Markdown, visible characters, a line of a log
// that the runner takes for no command; and of what stands beside it: numbers, links, and what became of an answer in a phrase. In goes
// a value, out comes text in which nothing foreign is a link, a mention, HTML, a command or an invisible character.
package show

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// marksKept bounds the combining marks on one character, so that a stack of them cannot cover the lines around it.
const marksKept = 4

// Visible shows what the eye cannot see: control, bidirectional, zero-width and tag characters, and bytes that are no
// UTF-8, become \u{…}. Line feeds and tabs stay.
func Visible(text string) string {
	if PlainASCII(text) {
		return text
	}
	var b strings.Builder
	marks := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if unicode.Is(unicode.M, r) {
			marks++
		} else {
			marks = 0
		}
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(`\x{` + strconv.FormatUint(uint64(text[i]), 16) + `}`)
		case Hidden(r) || marks > marksKept:
			b.WriteString(`\u{` + strconv.FormatInt(int64(r), 16) + `}`)
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

// PlainASCII reports a text of printable ASCII, line feeds and tabs.
func PlainASCII(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf || c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// Hidden reports a character that shows nothing, or that changes how others show.
func Hidden(r rune) bool {
	switch r {
	case '\n', '\t', '\ufe0f': // the last makes an emoji of the sign before it
		return false
	case '\u034f', '\u115f', '\u1160', '\u17b4', '\u17b5', '\u2800', '\u3164', '\uffa0':
		return true
	}
	return !unicode.IsPrint(r) && !unicode.Is(unicode.Zs, r) || unicode.Is(unicode.Variation_Selector, r)
}

// OneLine shows text on one line: every run of white space becomes one space.
func OneLine(text string) string { return Visible(strings.Join(strings.Fields(text), " ")) }

// Lead shows the first runes of text on one line. No more of the text is read than may be needed.
func Lead(text string, runes int) string {
	start := FirstRunes(text, 4*runes)
	shown := CutEnd(OneLine(start), runes)
	if len(start) < len(text) && !strings.HasSuffix(shown, "…") {
		shown += "…"
	}
	return shown
}

// Ends shows both ends of a name on one line.
func Ends(text string, runes int) string {
	if len(text) > 16*runes {
		text = strings.ToValidUTF8(text[:4*runes]+"…"+text[len(text)-8*runes:], "")
	}
	return cutMiddle(OneLine(text), runes)
}

// CutEnd keeps the first runes of text and says by an ellipsis that there was more.
func CutEnd(text string, runes int) string {
	if len(text) <= runes || utf8.RuneCountInString(text) <= runes {
		return text
	}
	return FirstRunes(text, runes-1) + "…"
}

// FirstRunes is the first n runes of text.
func FirstRunes(text string, n int) string {
	for i := range text {
		if n <= 0 {
			return text[:i]
		}
		n--
	}
	return text
}

// cutMiddle keeps both ends of a name; the tail is longer, because it tells names apart.
func cutMiddle(text string, runes int) string {
	all := []rune(text)
	if len(all) <= runes {
		return text
	}
	head := (runes - 1) / 3
	return string(all[:head]) + "…" + string(all[len(all)-(runes-1-head):])
}
