package label_test

import (
	"testing"

	"github.com/failproof/failproof/internal/label"
)

// The label that catches the rest is an everyday word; where something is put under it, it is the label.
func TestALabelForTheRestIsRead(t *testing.T) {
	labels := []string{"Delivery", "Refund", "Cancellation", "Other"}
	for answer, want := range map[string]float64{
		"I would classify this as Other.": 1,
		"This falls under Other.":         1,
		"It belongs to Other.":            1,
		"None of Delivery, Refund or Cancellation apply here, so I would classify this as Other.": 1,
		"It is a refund. There is no other.":                                                      0,
		"The customer wants a refund, and nothing in the message points to any other department.": 0,
	} {
		if got := label.Read(label.New("Other", labels), "", answer).Value; got != want {
			t.Errorf("%q scores %v for Other, want %v", answer, got, want)
		}
	}
}

// What stands beside the choice is not chosen.
func TestWhatStandsBesideTheChoiceIsNotRead(t *testing.T) {
	labels := []string{"Delivery", "Refund", "Cancellation", "Other"}
	for _, answer := range []string{
		"Intent: Cancellation\nConfidence: 0.91\nAlternatives: Refund (0.06), Other (0.03)",
		"**Intent:** Cancellation\n**Confidence:** 0.91\n**Alternatives:** Refund (0.06), Other (0.03)",
		"Intent: Cancellation\nRunner-up: Refund",
		"- Intent: Cancellation\n- Fallback: Refund",
	} {
		for expected, want := range map[string]float64{"Cancellation": 1, "Refund": 0} {
			if got := label.Read(label.New(expected, labels), "", answer).Value; got != want {
				t.Errorf("%q scores %v for %s, want %v", answer, got, expected, want)
			}
		}
	}
}
