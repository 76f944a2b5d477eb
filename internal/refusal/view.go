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
	from := quoted(answer)
	spoken := answer[from:]
	head := text.Head(spoken, windowBytes)
	v := view{Surface: english.OwnSpeech(head), original: answer, whole: len(head) == len(spoken), skipped: from}
	v.cues = scan(d.cues, v.Flat)
	return v
}

// quoted returns where the words of an answer begin that is a block quote as a whole: these are its own words and no quotation. Of any other it
// returns 0.
func quoted(text string) (from int) {
	from = len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	if !strings.HasPrefix(text[from:], ">") {
		return 0
	}
	for line := range strings.Lines(strings.TrimSpace(text)) {
		if !strings.HasPrefix(line, ">") {
			return 0
		}
	}
	return from + 1
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
