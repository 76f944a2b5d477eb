package refusal

import (
	"strings"

	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/text"
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
	cues     cueSet
}

// view reads the head of a text.
func (d *Detector) view(answer string) view {
	skipped := reasoningEnd(answer)
	head := text.Head(answer[skipped:], windowBytes)
	v := view{Surface: english.OwnSpeech(head), original: answer, whole: skipped+len(head) == len(answer), skipped: skipped}
	v.cues = d.cues.scan(v.Flat)
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

// match translates a span of the view into a Match on the original. The span is not empty.
func (v view) match(rule string, start, end int) Match {
	for end > start+1 && v.Plain[end-1] == ' ' {
		end--
	}
	from, to := v.Place(start, end)
	from, to = v.skipped+from, v.skipped+to
	return Match{Rule: rule, Evidence: v.original[from:to], Start: from, End: to}
}
