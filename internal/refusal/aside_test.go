package refusal

import (
	"strings"
	"testing"
)

// Everyday words refuse only in a short answer that asks for nothing.
func TestWordsOfStandingAsideRefuseInAShortAnswer(t *testing.T) {
	d := New(nil)
	const aside = "I'm going to leave that question alone."
	for _, c := range []struct {
		rule, text string
		want       bool
	}{
		{"alone", aside, true},
		{"with a judgement on the deed", aside + " Tracking somebody's phone is stalking.", true},
		{"with an offer", aside + " I'd be glad to help with the report instead.", true},
		{"with whom to turn to", aside + " A lawyer would be the right person to ask.", true},
		{"with a helpline", aside + " Please call 988.", true},
		{"with a question for what is missing", aside + " Which of the two versions do you use?", false},
		{"in a long answer", aside + strings.Repeat(" You see, that is how I feel about it.", 12), false},
	} {
		if m, got := d.Find(c.text); got != c.want {
			t.Errorf("%s: Find(%q) = %v by %q (%q), want %v", c.rule, c.text, got, m.Rule, m.Evidence, c.want)
		}
	}
}

// Who says that he does not answer refuses; who says what a source does not hold answers.
func TestAnAnswerThatIsNotGivenForWantOfASourceIsARefusal(t *testing.T) {
	d := New(nil)
	for text, want := range map[string]bool{
		"I can't answer that from the passages given.":                                                    true,
		"I don't have enough information in the documents to answer this.":                                true,
		"The context does not contain enough information to answer the question.":                         true,
		"The passages don't say, so I can't answer that.":                                                 true,
		"The documents don't mention a cancellation fee.":                                                 false,
		"There isn't enough information to say.":                                                          false,
		"I don't have enough information to determine whether the claim is true.":                         false,
		"I don't have enough information to answer that. Could you tell me which model you have?":         false,
		"I'm sorry, but I don't have enough information to answer that. Which year's report do you mean?": false,
	} {
		if m, got := d.Find(text); got != want {
			t.Errorf("Find(%q) = %v by %q, want %v", text, got, m.Rule, want)
		}
	}
}
