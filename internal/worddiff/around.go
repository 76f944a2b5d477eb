package worddiff

import (
	"slices"
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
	runs := alignRuns(Words(base, head))
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

// run is a part that both texts have in common, or the different parts of the texts at one place.
type run struct {
	common, base, head string
}

// alignRuns returns the two texts of d as one sequence of runs.
func alignRuns(d Diff) (out []run) {
	base, head := slices.Clone(d.Base), slices.Clone(d.Head)
	for len(base)+len(head) > 0 {
		var r run
		for len(base) > 0 && base[0].Changed {
			r.base, base = r.base+base[0].Text, base[1:]
		}
		for len(head) > 0 && head[0].Changed {
			r.head, head = r.head+head[0].Text, head[1:]
		}
		if r != (run{}) {
			out = append(out, r)
		}
		if len(base) == 0 || len(head) == 0 || base[0].Changed || head[0].Changed {
			continue
		}
		n := min(len(base[0].Text), len(head[0].Text))
		out = append(out, run{common: base[0].Text[:n]})
		base, head = dropPrefix(base, n), dropPrefix(head, n)
	}
	return out
}

// dropPrefix removes the first n bytes from the first of pieces.
func dropPrefix(pieces []Piece, n int) []Piece {
	if n == len(pieces[0].Text) {
		return pieces[1:]
	}
	pieces[0].Text = pieces[0].Text[n:]
	return pieces
}

// shortenCommon returns both texts of runs, shortened: on each side of a difference, at most context common runes are
// kept.
func shortenCommon(runs []run, context int) (base, head string) {
	var b, h strings.Builder
	for i, r := range runs {
		if r.common != "" {
			r.common = shortenMiddle(r.common, context*min(i, 1), context*min(len(runs)-1-i, 1))
		}
		b.WriteString(r.common + r.base)
		h.WriteString(r.common + r.head)
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
	return strings.TrimLeft(strings.TrimRight(s[:start], text.Joiners)+ellipsis+strings.TrimLeft(s[end:], text.Joiners),
		" ")
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
