package worddiff

import (
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/text"
)

// contexts are the numbers of common runes to keep on each side of a difference. Around uses the first with which both
// texts are short enough.
var contexts = []int{320, 160, 80, 40, 20}

// ellipsis replaces an omitted part of a text.
const ellipsis = " … "

// ShortenAround shortens base and head to at most baseRunes and headRunes runes, so that their differences stay
// visible. It first removes text that both have in common, the same on both sides. If that is not enough, it removes
// the middle. An ellipsis marks each omission. If both texts are short enough, they are not changed.
func ShortenAround(base, head string, baseRunes, headRunes int) (string, string) {
	if fits(base, baseRunes) && fits(head, headRunes) {
		return base, head
	}
	all, _ := align(tokens(base), tokens(head), wordDifferences)
	runs := mergeShort(all)
	for _, context := range contexts {
		if base, head = shortenCommon(runs, context); fits(base, baseRunes) && fits(head, headRunes) {
			break
		}
	}
	return cutMiddle(base, baseRunes), cutMiddle(head, headRunes)
}

func fits(text string, runes int) bool {
	return len(text) <= runes || utf8.RuneCountInString(text) <= runes
}

// shortenCommon returns both texts of runs, shortened: on each side of a difference, at most context common runes are
// kept.
func shortenCommon(runs []run, context int) (base, head string) {
	var b, h strings.Builder
	for i, r := range runs {
		before, after := context, context
		if len(r.base)+len(r.head) == 0 { // the texts begin alike
			before = 0
		}
		if i == len(runs)-1 {
			after = 0
		}
		common := shortenMiddle(strings.Join(r.common, ""), before, after)
		b.WriteString(strings.Join(r.base, "") + common)
		h.WriteString(strings.Join(r.head, "") + common)
	}
	return b.String(), h.String()
}

// shortenMiddle shortens s to about headRunes runes of its beginning and tailRunes runes of its end. It cuts between
// words. If both numbers are 0, it returns s.
func shortenMiddle(s string, headRunes, tailRunes int) string {
	if headRunes+tailRunes == 0 || fits(s, headRunes+tailRunes+utf8.RuneCountInString(ellipsis)) {
		return s
	}
	start, end := len(text.FirstRunes(s, headRunes)), len(s)
	if tailRunes > 0 {
		end = len(text.FirstRunes(s, utf8.RuneCountInString(s)-tailRunes))
	}
	if at := strings.LastIndexAny(s[:start], " \n"); at > start/2 {
		start = at
	}
	if at := strings.IndexAny(s[end:], " \n"); at >= 0 && at < (len(s)-end)/2 {
		end += at + 1
	}
	short := strings.TrimRight(s[:start], text.Joiners) + ellipsis + strings.TrimLeft(s[end:], text.Joiners)
	if start == 0 {
		return short[1:] // the text begins with the ellipsis
	}
	return short
}

// IsExcerpt reports whether excerpt may be a shortened form of text, with an ellipsis for each omission. text must
// begin with the first part of excerpt and have the other parts in the same order.
func IsExcerpt(excerpt, text string) bool {
	for i, part := range strings.Split(excerpt, "…") {
		part = strings.Trim(part, " ")
		at := strings.Index(text, part)
		if at < 0 || i == 0 && at > 0 && part != "" {
			return false
		}
		text = text[at+len(part):]
	}
	return true
}

// cutMiddle shortens text to the given number of runes by removing its middle. The beginning gets three quarters of the
// length.
func cutMiddle(text string, runes int) string {
	if fits(text, runes) {
		return text
	}
	room := max(runes-utf8.RuneCountInString(ellipsis), 1)
	return shortenMiddle(text, room-room/4, room/4)
}
