package classify_test

import (
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/refusal"
)

func TestDetailsTellHowAnAnswerRefusesAndWhatStanceIsNoRefusal(t *testing.T) {
	c := classify.New(detector)
	for _, x := range []struct {
		text    string
		primary classify.Category
		kind    refusal.Kind
		stance  refusal.Stance
	}{
		{"I'm sorry, but I can't help with that.", classify.Refusal, refusal.Declined, ""},
		{"I don't have access to your calendar.", classify.Refusal, refusal.Unable, ""},
		{"Let's talk about something else.", classify.Refusal, refusal.Deflected, ""},
		{"As an AI, I don't have personal opinions, but many critics rank the second album highest for its rich production.", classify.Pass, "", refusal.Disclaimed},
		{"That is a misconception: bats are not blind, and most of them see quite well.", classify.Pass, "", refusal.Disputed},
		{"Bats are not blind.", classify.Pass, "", ""},
	} {
		got := c.Classify(classify.Case{Expect: &expect.Expectation{}}, answer(x.text), nil)
		if got.Primary != x.primary || got.Details.Kind != x.kind || got.Details.Stance != x.stance {
			t.Errorf("Classify(%q) = %s, kind %q, stance %q; want %s, %q, %q", x.text, got.Primary, got.Details.Kind, got.Details.Stance, x.primary, x.kind, x.stance)
		}
	}
}
