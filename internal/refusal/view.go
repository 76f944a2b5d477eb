package refusal

import (
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/english"
)

// windowBytes bounds how much of an answer is looked at. Refusals stand in the opening, or at the end of a
// short answer; the longest moral lectures before one run to about 2,000 bytes.
const windowBytes = 4096

// view is the surface of the head of an answer.
type view struct {
	english.Surface
	original string
	whole    bool // the window reaches the end of the answer
	skipped  int  // bytes of the original before the window
}

// newView reads the head of a text.
func newView(text string) view {
	skipped := reasoningEnd(text)
	head, whole := text[skipped:], true
	if len(head) > windowBytes {
		head, whole = cutAtRune(head, windowBytes), false
	}
	return view{Surface: english.OwnSpeech(head), original: text, whole: whole, skipped: skipped}
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

// match translates a span of the view into a Match on the original. The span is not empty.
func (v view) match(rule string, start, end int) Match {
	for end > start+1 && v.Plain[end-1] == ' ' {
		end--
	}
	from, to := v.Place(start, end)
	from, to = v.skipped+from, v.skipped+to
	return Match{Rule: rule, Evidence: v.original[from:to], Start: from, End: to}
}
