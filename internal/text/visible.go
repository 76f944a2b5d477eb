package text

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
	marks, last := 0, rune(0)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.Is(unicode.M, r):
			marks++
		case !IsJoiner(r): // or marks on both sides of one would count anew
			marks = 0
		}
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(`\x{` + strconv.FormatUint(uint64(text[i]), 16) + `}`)
		case Waits(r) && Joins(last, r, after(text[i+size:])):
			b.WriteRune(r)
		case Hidden(r) || marks > marksKept:
			b.WriteString(`\u{` + strconv.FormatInt(int64(r), 16) + `}`)
		default:
			b.WriteRune(r)
		}
		last = r
		i += size
	}
	return b.String()
}

func after(rest string) rune {
	r, _ := utf8.DecodeRuneInString(rest)
	return r
}

// IsJoiner reports the zero-width non-joiner and joiner, by which some scripts tell one word from another and emoji are
// put together.
func IsJoiner(r rune) bool { return r == '\u200c' || r == '\u200d' }

// Joiners are the characters that IsJoiner reports.
const Joiners = "\u200c\u200d"

// Waits reports a character that what stands around it tells whether it belongs there: a joiner, and the sign that
// makes an emoji of another.
func Waits(r rune) bool { return IsJoiner(r) || r == emojiSign }

// Joins reports a joiner that belongs where it stands: between two letters of a script that is written with joiners, or
// between two emoji; and the sign behind what it makes an emoji of. Anywhere else they only hide.
func Joins(before, joiner, after rune) bool {
	if joiner == emojiSign {
		return makesEmoji(before, after)
	}
	if unicode.In(before, joining...) && unicode.In(after, joining...) {
		return isLetter(before) && isLetter(after)
	}
	return joiner == '\u200d' && (isEmoji(before) || before == '\ufe0f') && isEmoji(after)
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }

// joining are the scripts whose letters take other shapes by their neighbours.
var joining = []*unicode.RangeTable{unicode.Arabic, unicode.Syriac, unicode.Mandaic, unicode.Mongolian, unicode.Nko,
	unicode.Adlam, unicode.Hanifi_Rohingya,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil,
	unicode.Telugu, unicode.Kannada, unicode.Malayalam,
	unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan}

// isEmoji reports a sign of the blocks that hold emoji, their skin tones among them.
func isEmoji(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2600 && r <= 0x27bf || r >= 0x2b00 && r <= 0x2bff
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

// emojiSign makes an emoji of the sign before it, and shows nothing behind any other character.
const emojiSign = '\ufe0f'

func makesEmoji(before, after rune) bool {
	return isEmoji(before) || strings.ContainsRune(emojiElsewhere, before) || after == '\u20e3' &&
		strings.ContainsRune("0123456789#*", before)
}

// emojiElsewhere are the signs outside of the blocks of isEmoji that have a form as an emoji (Unicode,
// emoji-variation-sequences.txt).
const emojiElsewhere = "©®‼⁉™ℹ↔↕↖↗↘↙↩↪⌚⌛⌨⏏⏩⏪⏫⏬⏭⏮⏯⏰⏱⏲⏳⏸⏹⏺Ⓜ▪▫▶◀◻◼◽◾⤴⤵〰〽㊗㊙"

// Hidden reports a character that shows nothing, or that changes how others show.
func Hidden(r rune) bool {
	if r == '\n' || r == '\t' {
		return false
	}
	return NoWidth(r) || Blank(r) || !unicode.IsPrint(r) && !unicode.Is(unicode.Zs, r)
}

// NoWidth reports a character that takes no room where it stands, and so parts nothing for who reads: those of format,
// variants of how a letter looks, and what Unicode has renderers ignore. It is the one table of them: what is looked
// for in a text is looked for without these.
func NoWidth(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return false
	case r == '\u034f', r == '\u115f', r == '\u1160', r == '\u17b4', r == '\u17b5', r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r)
}

// Blank reports a character that is no white space by its name and is seen as nothing else.
func Blank(r rune) bool { return r == '\u2800' || r == '\u3164' || r == '\uffa0' }
