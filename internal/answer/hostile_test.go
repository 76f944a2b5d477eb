package answer

import (
	"strings"
	"testing"
)

func TestTheEndOfTheLineIsKnownAtEachPlace(t *testing.T) {
	text := "a `b`\n\n`c` d\n"
	r := &renderer{text: text}
	for r.at = 0; r.at <= len(text); r.at++ {
		if got, want := r.lineEnd(), lineEnd(text, r.at); got != want {
			t.Errorf("at %d the line ends at %d, want %d", r.at, got, want)
		}
	}
}

// TestAnswersThatAreMadeToBeSlow would not end in reasonable time if a step took the square of an answer's length.
func TestAnswersThatAreMadeToBeSlow(t *testing.T) {
	for _, part := range []string{"`<", "*_[`<", "`", "[", "<a ", "<!--", "](", "~~~\n", "> - ", "&amp", "\\u0041", "<think>", "**a** ", "| a ", "$`"} {
		text := strings.Repeat(part, 2<<20/len(part))
		for view := range Views(text) {
			Seen(view)
			Linked(view)
			Shown(view)
		}
	}
}
