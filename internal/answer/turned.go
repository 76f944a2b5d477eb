package answer

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// rightToLeft is the control character after which text is laid out from right to left, even if its letters run from
// left to right. turnEnds has the characters that end its effect.
const (
	rightToLeft = '\u202e'
	turnEnds    = "\n\u2029\u202c\u202d\u2066\u2067\u2068\u2069"
)

var (
	turningTag = regexp.MustCompile(`(?i)<bdo\s[^<>]{0,200}?\bdir\s*=\s*["']?rtl[^<>]{0,200}>`)
	turnedTag  = regexp.MustCompile(`(?i)</bdo\s*>`)
	// oneSign matches a unit that keeps its order when the text is reversed: a tag, an entity, or a letter with its
	// accents
	oneSign = regexp.MustCompile(`(?s)<[^<>]{0,200}>|&#?[A-Za-z0-9]{1,31};|\P{M}\p{M}*|.`)
)

// Unturned returns text in reading order: it reverses the parts that control characters or tags lay out from right to
// left. If text has no such part, Unturned returns it unchanged.
func Unturned(text string) string {
	if strings.IndexByte(text, '<') >= 0 && strings.Contains(strings.ToLower(text), "<bdo") {
		text = turnedTag.ReplaceAllString(turningTag.ReplaceAllString(text, string(rightToLeft)), "\u202c")
	}
	if !strings.ContainsRune(text, rightToLeft) {
		return text
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, string(rightToLeft))
		b.WriteString(before)
		if !found {
			return b.String()
		}
		end := strings.IndexAny(rest, turnEnds+string(rightToLeft))
		if end < 0 {
			end = len(rest)
		}
		signs := oneSign.FindAllString(rest[:end], -1)
		slices.Reverse(signs)
		for _, s := range signs {
			b.WriteString(s)
		}
		if text = rest[end:]; end < len(rest) && !strings.HasPrefix(text, "\n") &&
			!strings.HasPrefix(text, string(rightToLeft)) {
			r, size := utf8.DecodeRuneInString(text)
			if text = text[size:]; !unicode.Is(unicode.Cf, r) {
				b.WriteRune(r)
			}
		}
	}
}
