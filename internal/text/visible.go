package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// marksKept is the largest number of combining marks on one character that Visible keeps. A higher stack could cover
// the lines around it.
const marksKept = 4

// EscapeHidden returns text with \u{…} in place of control, bidirectional, zero-width and tag characters, and of too
// many combining marks. Bytes that are not UTF-8 become \x{…}. Line feeds and tabs stay.
func EscapeHidden(text string) string {
	if IsPlainASCII(text) {
		return text
	}
	var b strings.Builder
	marks, last := 0, rune(0)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.Is(unicode.M, r):
			marks++
		case !IsJoiner(r): // marks on both sides of a joiner count together
			marks = 0
		}
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(`\x{` + strconv.FormatUint(uint64(text[i]), 16) + `}`)
		case NeedsContext(r) && IsValidJoin(last, r, after(text[i+size:])):
			b.WriteRune(r)
		case IsHidden(r) || marks > marksKept:
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

// IsJoiner reports whether r is the zero-width joiner or the zero-width non-joiner. Some scripts distinguish words by
// these characters, and the joiner combines emoji.
func IsJoiner(r rune) bool { return r == '\u200c' || r == '\u200d' }

// Joiners has the characters for which IsJoiner is true.
const Joiners = "\u200c\u200d"

// NeedsContext reports whether r is a joiner or the emoji variation selector. These are legitimate only between certain
// characters; see Joins.
func NeedsContext(r rune) bool { return IsJoiner(r) || r == emojiSign }

// IsValidJoin reports whether joiner, for which Waits is true, is legitimate between two characters. A joiner belongs
// between two letters of a script that uses joiners, or between two emoji. The emoji variation selector belongs after a
// character that it turns into an emoji. At any other place they can only hide something.
func IsValidJoin(before, joiner, after rune) bool {
	if joiner == emojiSign {
		return makesEmoji(before, after)
	}
	if unicode.In(before, joiningScripts...) && unicode.In(after, joiningScripts...) {
		return isLetter(before) && isLetter(after)
	}
	return joiner == '\u200d' && (isEmoji(before) || before == '\ufe0f') && isEmoji(after)
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }

// joiningScripts has the scripts in which the shape of a letter depends on its neighbors.
var joiningScripts = []*unicode.RangeTable{unicode.Arabic, unicode.Syriac, unicode.Mandaic, unicode.Mongolian,
	unicode.Nko,
	unicode.Adlam, unicode.Hanifi_Rohingya,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil,
	unicode.Telugu, unicode.Kannada, unicode.Malayalam,
	unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan}

// isEmoji reports whether r is in a Unicode block of emoji. Skin tones are in these blocks too.
func isEmoji(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2600 && r <= 0x27bf || r >= 0x2b00 && r <= 0x2bff
}

// IsPlainASCII reports whether a text has only printable ASCII, line feeds and tabs.
func IsPlainASCII(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf || c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// emojiSign is the emoji variation selector. It turns some characters into emoji if it follows them, and is invisible
// otherwise.
const emojiSign = '\ufe0f'

// makesEmoji reports whether the emoji variation selector between the two characters makes an emoji, or a keycap such
// as 1️⃣.
func makesEmoji(before, after rune) bool {
	return isEmoji(before) || strings.ContainsRune(emojiElsewhere, before) || after == '\u20e3' &&
		strings.ContainsRune("0123456789#*", before)
}

// emojiElsewhere has the characters outside the blocks of isEmoji that have an emoji form (Unicode,
// emoji-variation-sequences.txt).
const emojiElsewhere = "©®‼⁉™ℹ↔↕↖↗↘↙↩↪⌚⌛⌨⏏⏩⏪⏫⏬⏭⏮⏯⏰⏱⏲⏳⏸⏹⏺Ⓜ▪▫▶◀◻◼◽◾⤴⤵〰〽㊗㊙"

// IsHidden reports whether a character is invisible or changes how other characters are shown.
func IsHidden(r rune) bool {
	if r == '\n' || r == '\t' {
		return false
	}
	return IsZeroWidth(r) || IsBlank(r) || !unicode.IsPrint(r) && !unicode.Is(unicode.Zs, r)
}

// IsZeroWidth reports whether a character takes no space. Such are format characters, variation selectors, and others
// that Unicode tells renderers to ignore. Every search in a text skips these characters.
func IsZeroWidth(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return false
	case r == '\u034f', r == '\u115f', r == '\u1160', r == '\u17b4', r == '\u17b5', r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r)
}

// IsBlank reports whether a character looks like white space, although it is not white space in Unicode.
func IsBlank(r rune) bool { return r == '\u2800' || r == '\u3164' || r == '\uffa0' }
