package score_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/label"
	"github.com/failproof/failproof/internal/texttest"
)

// oddText draws a text that is hard to read.
func oddText(t *rapid.T, label string) string { return texttest.Text(rapid.Uint64().Draw(t, label)) }

// aboutRefunds draws a sentence about the claim, and whether it states it.
func aboutRefunds(t *rapid.T) (text string, stated bool) {
	said := rapid.SampledFrom([]string{"a refund is guaranteed", "refunds are guaranteed", "the refund is guaranteed", "we guarantee a refund", "your refund is fully guaranteed"}).Draw(t, "said")
	denied := rapid.SampledFrom([]string{"a refund is not guaranteed", "refunds aren't guaranteed", "no refund is guaranteed", "the refund is never guaranteed", "we can’t guarantee a refund"}).Draw(t, "denied")
	frames := []struct {
		text   string
		denies bool
	}{
		{"%", false}, {"It is true that %", false}, {"Note that %", false}, {"As you know, %", false}, {"In short: %", false}, {"There's no doubt that %", false},
		{"**Note:** %", false}, {"1. %", false}, {"Yes, %", false}, {"👍 %", false}, {"It is certain that %", false}, {"We confirm that %", false}, {"It is not wrong that %", false},
		{"There is no evidence that %", true}, {"It is untrue that %", true},
		{"It is not true that %", true}, {"It is false that %", true}, {"It isn't the case that %", true}, {"I deny that %", true}, {"It's a myth that %", true}, {"Nobody says that %", true},
	}
	f := rapid.SampledFrom(frames).Draw(t, "frame")
	if empty := rapid.SampledFrom([]string{"", "", "", "~~%~~", "If only %", "Suppose %", "Is it true that %? I can't tell", "The flyer says: “%”"}).Draw(t, "empty"); empty != "" {
		return sentence(empty, said), false // crossed out, wished, supposed, asked, quoted: nothing is stated
	}
	if rapid.Bool().Draw(t, "deny") {
		return sentence(f.text, denied), f.denies
	}
	return sentence(f.text, said), !f.denies
}

func sentence(frame, said string) string {
	s := strings.Replace(frame, "%", said, 1)
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

// beside draws a sentence that has nothing to do with the claim.
func beside(t *rapid.T) string {
	subjects := []string{"Delivery", "Our shop in Bern", "The courier", "This policy", "Each gift card", "The weather", "Nobody in the office", "Every parcel", "It", "The old manual"}
	verbs := []string{"is free", "is not free", "isn't late", "was wrong about the colour", "must be signed for", "may arrive on Monday", "can't be tracked", "takes 3 days", "is a myth to some", "fails to open before nine",
		"has no lift", "costs less than 5 €", "never sleeps", "denies nothing", "is closed, unless it rains", "(see page 4) is blue", "doesn’t matter 👍", "is “cheap”"}
	ends := []string{".", "!", "…", "?"}
	if rapid.IntRange(0, 4).Draw(t, "model") == 0 {
		said := rapid.SampledFrom(texttest.Sentences).Draw(t, "said beside")
		if !slices.ContainsFunc([]string{"refund", "guarant", "rong", "Actually", "offer"}, func(word string) bool { return strings.Contains(said, word) }) {
			return said
		}
	}
	if rapid.IntRange(0, 3).Draw(t, "fixed") == 0 {
		return rapid.SampledFrom(unrelated).Draw(t, "unrelated")
	}
	return rapid.SampledFrom(subjects).Draw(t, "subject") + " " + rapid.SampledFrom(verbs).Draw(t, "verb") + rapid.SampledFrom(ends).Draw(t, "end")
}

// TestAnUnrelatedSentenceTakesNothingBack: what an answer states, it states beside anything else.
func TestAnUnrelatedSentenceTakesNothingBack(t *testing.T) {
	e := refunds(t)
	rapid.Check(t, func(t *rapid.T) {
		text, stated := aboutRefunds(t)
		alone := groundingOf(e, text)
		if (alone < 1) != stated {
			t.Fatalf("%q: grounding %v, want stated %v", text, alone, stated)
		}
		other, gap := beside(t), rapid.SampledFrom([]string{" ", "\n", "\n\n", "\n- "}).Draw(t, "gap")
		for _, answer := range []string{text + gap + other, other + gap + text} {
			if got := groundingOf(e, answer); got > alone {
				t.Fatalf("%q: grounding %v, and %v without the unrelated sentence", answer, got, alone)
			}
		}
	})
}

// TestTwoLabelsNeverBothScoreFullyWhateverTheText: an answer settles on one label at most.
func TestTwoLabelsNeverBothScoreFullyWhateverTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := rapid.SampledFrom(labelSets).Draw(t, "set")
		if rapid.IntRange(0, 2).Draw(t, "own") == 0 {
			set = []string{texttest.Contraction(rapid.Uint64().Draw(t, "first")), texttest.Contraction(rapid.Uint64().Draw(t, "second"))}
			if _, _, alike := label.New(set[0], set).Indistinguishable(); alike {
				return
			}
		}
		a, b := rapid.SampledFrom(set).Draw(t, "a"), rapid.SampledFrom(set).Draw(t, "b")
		frame := rapid.SampledFrom(labelFrames).Draw(t, "frame")
		answer := strings.NewReplacer("%", a, "@", b).Replace(frame)
		parts := []string{answer, oddText(t, "odd"), strings.NewReplacer("%", b, "@", a).Replace(rapid.SampledFrom(labelFrames).Draw(t, "other"))}
		parts = rapid.Permutation(parts).Draw(t, "order")[:rapid.IntRange(1, 3).Draw(t, "parts")]
		var full []string
		text := strings.Join(parts, rapid.SampledFrom([]string{" ", "\n", "\n\n", ", "}).Draw(t, "gap"))
		question := rapid.SampledFrom([]string{"", "Is it " + a + " or " + b + "?", "A) " + a + "\nB) " + b, oddText(t, "question")}).Draw(t, "asked")
		for _, expected := range set {
			if label.Read(label.New(expected, set), question, text).Value == 1 {
				full = append(full, expected)
			}
		}
		if len(full) > 1 {
			t.Fatalf("%q, asked %q, scores fully as each of %q", text, question, full)
		}
	})
}

// TestADenialTurnsRoundAndItsDoubleBack holds for claims and labels alike.
func TestADenialTurnsRoundAndItsDoubleBack(t *testing.T) {
	e := refunds(t)
	denials := []string{"It is not true that %", "It is false that %", "It isn’t the case that %", "I deny that %", "It would be wrong to say that %", "It is not correct that %", "It is untrue that %"}
	labels := label.New("Compliant", compliance)
	rapid.Check(t, func(t *rapid.T) {
		outer := rapid.SampledFrom(denials).Draw(t, "denial")
		prefix := rapid.SampledFrom([]string{"", "Note: ", "To be clear, ", "In our view, ", "Well, "}).Draw(t, "prefix")
		thing := rapid.SampledFrom([]string{"it", "the vendor", "this process", "the new design"}).Draw(t, "thing")
		for _, c := range []struct {
			said   string
			stated bool
		}{{"a refund is guaranteed", false}, {"a refund is not guaranteed", true}, {"a refund isn't guaranteed", true}} {
			text := prefix + strings.Replace(outer, "%", c.said, 1) + "."
			if got := groundingOf(e, text); (got < 1) != c.stated {
				t.Fatalf("%q: grounding %v, want stated %v", text, got, c.stated)
			}
		}
		for said, want := range map[string]string{"% is compliant": "Non-Compliant", "% is not compliant": "Compliant", "% isn’t compliant": "Compliant", "% is non-compliant": "Compliant", "% does not comply": "Compliant"} {
			text := prefix + strings.Replace(outer, "%", strings.Replace(said, "%", thing, 1), 1) + "."
			if got := label.Read(labels, "", text).Predicted; got != want {
				t.Fatalf("%q is read as %q, want %q", text, got, want)
			}
		}
	})
}

// TestAQuotationNeverDecidesWhateverStandsBesideIt: what somebody else is quoted to say settles nothing.
func TestAQuotationNeverDecidesWhateverStandsBesideIt(t *testing.T) {
	e := refunds(t)
	marks := [][2]string{{`"`, `"`}, {"“", "”"}, {"„", "“"}, {"«", "»"}, {"「", "」"}, {"＂", "＂"}, {"‹", "›"}, {"❝", "❞"}}
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.SampledFrom(marks).Draw(t, "marks")
		speaker := rapid.SampledFrom([]string{"The auditor", "The flyer", "My boss", "A customer", "Their website"}).Draw(t, "speaker")
		verb := rapid.SampledFrom([]string{"says", "said", "wrote", "states", "claimed"}).Draw(t, "verb")
		colon := rapid.SampledFrom([]string{": ", ", ", " "}).Draw(t, "colon")
		quoting := func(words string) string {
			if rapid.Bool().Draw(t, "behind") {
				return m[0] + words + "," + m[1] + " " + strings.ToLower(speaker[:1]) + speaker[1:] + " " + verb + "."
			}
			return speaker + " " + verb + colon + m[0] + words + "." + m[1]
		}
		verdict := rapid.SampledFrom([]string{"It is non-compliant.", "The vendor is not compliant.", "Answer: Non-Compliant", "**Non-Compliant**"}).Draw(t, "verdict")
		quote := quoting(rapid.SampledFrom([]string{"The vendor is fully compliant with the rules", "It is clear that the vendor is compliant", "Everything here is compliant and fine"}).Draw(t, "words"))
		for _, answer := range []string{verdict + "\n\n" + quote, quote + "\n\n" + verdict} {
			if got := label.Read(label.New("Non-Compliant", compliance), "", answer); got.Value != 1 {
				t.Fatalf("%q is read as %q %v, want Non-Compliant", answer, got.Predicted, got.Found)
			}
		}
		said := quoting(rapid.SampledFrom([]string{"A refund is guaranteed in all of our shops", "In all shops a refund is guaranteed"}).Draw(t, "claim"))
		for _, answer := range []string{said, said + " " + beside(t), beside(t) + "\n\n" + said} {
			if got := groundingOf(e, answer); got != 1 {
				t.Fatalf("%q: grounding %v, want 1", answer, got)
			}
		}
	})
}

// retyped writes a text with other quotation marks, hyphens and spaces, which mean the same.
func retyped(t *rapid.T, text string) string {
	apostrophe := rapid.SampledFrom([]string{"'", "’", "ʼ", "＇", "‛"}).Draw(t, "apostrophe")
	hyphen := rapid.SampledFrom([]string{"-", "\u2011", "\u2010", "－"}).Draw(t, "hyphen")
	space := rapid.SampledFrom([]string{" ", "\u00a0", "  ", " \u200b", "\u202f"}).Draw(t, "space")
	return strings.NewReplacer("'", apostrophe, "’", apostrophe, "-", hyphen, " ", space).Replace(text)
}

// TestTypographyDecidesNothing: the same words give the same label and the same claims, however their marks are typed.
func TestTypographyDecidesNothing(t *testing.T) {
	e := refunds(t)
	rapid.Check(t, func(t *rapid.T) {
		text, _ := aboutRefunds(t)
		if again := retyped(t, text); groundingOf(e, again) != groundingOf(e, text) {
			t.Fatalf("%q: grounding %v, %q: %v", text, groundingOf(e, text), again, groundingOf(e, again))
		}
		answer := rapid.SampledFrom([]string{"It isn't compliant.", "The vendor is non-compliant.", "It's not partially-compliant, it's compliant.", "I'd say it's partially compliant.", "Non-Compliant - it can't pass."}).Draw(t, "answer")
		again := retyped(t, answer)
		labels := label.New("Compliant", []string{"Compliant", "Non-Compliant", "Partially Compliant"})
		if was, is := label.Read(labels, "", answer), label.Read(labels, "", again); was.Predicted != is.Predicted || was.Value != is.Value {
			t.Fatalf("%q is read as %q, %q as %q", answer, was.Predicted, again, is.Predicted)
		}
	})
}
