package refusal

import (
	"regexp"
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
	from, to := wrapped(answer)
	spoken := answer[from:to]
	head := text.Head(spoken, windowBytes)
	v := view{Surface: english.OwnSpeech(head), original: answer, whole: len(head) == len(spoken), skipped: from}
	v.cues = d.cues.scan(v.Flat)
	return v
}

// onlyValue is a JSON object of one string, which is the answer.
var onlyValue = regexp.MustCompile(`^\s*\{\s*"[^"\\]{1,40}"\s*:\s*"((?:[^"\\]|\\.)*)"\s*\}\s*$`)

// wrapped returns where the words of an answer stand that is wrapped as a whole, in a JSON object or as a block quote: these are its own words and
// no quotation. Of any other it returns all.
func wrapped(text string) (from, to int) {
	switch from = len(text) - len(strings.TrimLeft(text, " \t\r\n")); {
	case strings.HasPrefix(text[from:], "{") && len(text) <= windowBytes:
		if at := onlyValue.FindStringSubmatchIndex(text); at != nil {
			return at[2], at[3]
		}
	case strings.HasPrefix(text[from:], ">"):
		for line := range strings.Lines(strings.TrimSpace(text)) {
			if !strings.HasPrefix(line, ">") {
				return 0, len(text)
			}
		}
		return from + 1, len(text)
	}
	return 0, len(text)
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
