package worddiff

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/text"
)

// How many runes of what both texts have are kept on either side of a difference: as many as there is room for.
var contexts = []int{320, 160, 80, 40, 20}

// left stands for what is left out of a text.
const left = " … "

// Around truncates two texts to so many runes around their difference, so that truncation never hides it. Common text
// is removed first, equally on both sides, then the middle of the difference; an ellipsis marks it. Texts that fit are
// not changed.
func Around(base, head string, baseRunes, headRunes int) (string, string) {
	if fits(base, baseRunes) && fits(head, headRunes) {
		return base, head
	}
	runs := aligned(Words(base, head))
	for _, context := range contexts {
		if base, head = keep(runs, context); fits(base, baseRunes) && fits(head, headRunes) {
			break
		}
	}
	return cutMiddle(base, baseRunes), cutMiddle(head, headRunes)
}

func fits(text string, runes int) bool {
	return len(text) <= runes || utf8.RuneCountInString(text) <= runes
}

// run is a part of both texts that is the same, or what stands at one place in either of them.
type run struct {
	both, base, head string
}

// aligned cuts what both texts have wherever either of them has something of its own.
func aligned(d Diff) (out []run) {
	base, head := slices.Clone(d.Base), slices.Clone(d.Head)
	for len(base)+len(head) > 0 {
		var r run
		for len(base) > 0 && base[0].Own {
			r.base, base = r.base+base[0].Text, base[1:]
		}
		for len(head) > 0 && head[0].Own {
			r.head, head = r.head+head[0].Text, head[1:]
		}
		if r != (run{}) {
			out = append(out, r)
		}
		if len(base) == 0 || len(head) == 0 || base[0].Own || head[0].Own {
			continue
		}
		n := min(len(base[0].Text), len(head[0].Text))
		out = append(out, run{both: base[0].Text[:n]})
		base, head = after(base, n), after(head, n)
	}
	return out
}

// after are pieces without the first n bytes of the first.
func after(pieces []Piece, n int) []Piece {
	if n == len(pieces[0].Text) {
		return pieces[1:]
	}
	pieces[0].Text = pieces[0].Text[n:]
	return pieces
}

// keep puts both texts together again, with so many runes of what they share beside each difference.
func keep(runs []run, context int) (base, head string) {
	var b, h strings.Builder
	for i, r := range runs {
		if r.both != "" {
			r.both = ends(r.both, context*min(i, 1), context*min(len(runs)-1-i, 1))
		}
		b.WriteString(r.both + r.base)
		h.WriteString(r.both + r.head)
	}
	return b.String(), h.String()
}

// ends keeps the first and the last runes of a text and cuts at words; a text of which nothing is to be kept is the
// only one, and whole.
func ends(s string, first, last int) string {
	if first+last == 0 || fits(s, first+last+utf8.RuneCountInString(left)) {
		return s
	}
	start, end := len(text.First(s, first)), len(s)
	if last > 0 {
		end = len(text.First(s, utf8.RuneCountInString(s)-last))
	}
	if at := strings.LastIndexAny(s[:start], " \n"); at > start/2 {
		start = at
	}
	if at := strings.IndexAny(s[end:], " \n"); at >= 0 && at < (len(s)-end)/2 {
		end += at + 1
	}
	return strings.TrimLeft(strings.TrimRight(s[:start], text.Joiners)+left+strings.TrimLeft(s[end:], text.Joiners),
		" ")
}

// CutOf reports that excerpt may have been cut of a text: what stands between its ellipses stands there too, in that
// order.
func CutOf(excerpt, text string) bool {
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

// cutMiddle keeps three quarters of the room for a text's beginning, the rest for its end.
func cutMiddle(text string, runes int) string {
	if fits(text, runes) {
		return text
	}
	room := max(runes-utf8.RuneCountInString(left), 1)
	return ends(text, room-room/4, room/4)
}
