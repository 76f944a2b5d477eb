package refusal

import (
	"strings"
	"unicode/utf8"
)

// windowBytes bounds how much of an answer is looked at. Refusals stand in the opening, or at the end of a
// short answer; the longest moral lectures before one run to about 2,000 bytes.
const windowBytes = 4096

// view is the normalised head of an answer. All its strings have the same length and index the same places.
type view struct {
	original string
	whole    bool    // the window reaches the end of the answer
	plain    string  // plain apostrophes and quotes, single spaces, no emphasis marks; speech that is not the model's is masked
	lower    string  // plain, with ASCII letters in lower case
	flat     string  // lower, with line breaks as spaces
	skipped  int     // bytes of the original before the window
	from, to []int32 // for each byte of plain: the bytes of the window it stands for
}

// newView normalises the head of a text.
func newView(text string) view {
	skipped := reasoningEnd(text)
	head, whole := text[skipped:], true
	if len(head) > windowBytes {
		head, whole = cutAtRune(head, windowBytes), false
	}
	n := normalise(head)
	v := view{original: text, whole: whole, skipped: skipped, from: n.from, to: n.to}
	mask(n.out)
	v.plain = string(n.out)
	asciiLower(n.out)
	v.lower = string(n.out)
	v.flat = strings.ReplaceAll(v.lower, "\n", " ")
	return v
}

// reasoningEnd returns the offset after a leading block of model reasoning (<think>…</think>), which is not the answer.
func reasoningEnd(text string) int {
	trimmed := strings.TrimLeft(text, " \t\r\n")
	for _, tag := range []string{"think", "thinking"} {
		if !strings.HasPrefix(trimmed, "<"+tag+">") {
			continue
		}
		closing := "</" + tag + ">"
		if i := strings.Index(text, closing); i >= 0 {
			return i + len(closing)
		}
	}
	return 0
}

// cutAtRune returns at most n bytes of s without splitting a rune.
func cutAtRune(s string, n int) string {
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// asciiLower lowers ASCII letters only, so that lengths stay equal.
func asciiLower(b []byte) {
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
}

// match translates a span of the view into a Match on the original. The span is not empty.
func (v view) match(rule string, start, end int) Match {
	for end > start+1 && v.plain[end-1] == ' ' {
		end--
	}
	from, to := v.skipped+int(v.from[start]), v.skipped+int(v.to[end-1])
	return Match{Rule: rule, Evidence: v.original[from:to], Start: from, End: to}
}
