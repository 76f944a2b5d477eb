package answer

import (
	"regexp"
	"slices"
	"strings"
)

// controls are the characters that begin and end what is laid out from right to left, even if its letters run from left
// to right.
const controls = "\u202e\u202c\u202d\u2066\u2067\u2068\u2069"

var (
	turningTag = regexp.MustCompile(`(?i)<bdo\s[^<>]{0,200}?\bdir\s*=\s*["']?rtl[^<>]{0,200}>`)
	turnedTag  = regexp.MustCompile(`(?i)</bdo\s*>`)
	// turned matches text that is laid out from right to left, with the characters that begin and end it.
	turned = regexp.MustCompile(`\x{202e}[^\n\x{2029}` + controls + `]*[\x{202c}\x{202d}\x{2066}-\x{2069}]?`)
	// oneSign matches a unit that keeps its order when the text is reversed: a tag, an entity, or a letter with its
	// accents
	oneSign = regexp.MustCompile(`(?s)<[^<>]{0,200}>|&#?[A-Za-z0-9]{1,31};|\P{M}\p{M}*|.`)
)

// ReadingOrder returns text in reading order: it reverses the parts that control characters or tags lay out from right
// to left. If text has no such part, ReadingOrder returns it unchanged.
func ReadingOrder(text string) string {
	if strings.IndexByte(text, '<') >= 0 && strings.Contains(strings.ToLower(text), "<bdo") {
		text = turnedTag.ReplaceAllString(turningTag.ReplaceAllString(text, "\u202e"), "\u202c")
	}
	return turned.ReplaceAllStringFunc(text, func(part string) string {
		signs := oneSign.FindAllString(strings.Trim(part, controls), -1)
		slices.Reverse(signs)
		return strings.Join(signs, "")
	})
}
