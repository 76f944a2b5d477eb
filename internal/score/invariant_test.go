package score_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/label"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/texttest"
)

// unrelated are sentences that have nothing to do with refunds, some of which look as if they took something back.
var unrelated = []string{
	"It is not true that delivery is free.", "It's a myth that banks are slow.", "The universe is large.", "This policy is wrong.",
	"However, it is not correct to call us a bank.", "That is not the case for gift cards.", "Is delivery free? No.", "Not everyone agrees on the colour.",
	"There is no evidence of fraud.", "Perhaps it rains tomorrow.", "If that is not what you're after, tell me.", "Wrong addresses cost time.",
	"“No,” the courier said, “the parcel is late.”", "- ❌ smoking\n- ✅ dogs", "We don't sell cars.", "None of our vans is red.",
}

// statements about one claim, and whether they state it.
var statements = []struct {
	text   string
	stated bool
}{
	{"A refund is guaranteed.", true}, {"We guarantee a refund.", true}, {"Refunds are, in any case, guaranteed!", true}, {"- A refund is guaranteed", true},
	{"It is not false that a refund is guaranteed.", true}, {"We can't deny that a refund is guaranteed.", true}, {"There's no doubt that a refund is guaranteed.", true},
	{"A refund is not guaranteed.", false}, {"It is not true that a refund is guaranteed.", false}, {"A refund is not, as some say, guaranteed.", false},
	{"A refund isn’t guaranteed…", false}, {"Is a refund guaranteed?", false}, {"No refund is guaranteed.", false}, {"A refund may be guaranteed.", false},
	{"The flyer says: «A refund is guaranteed.»", false}, {"“A refund is guaranteed in all shops,” the flyer says.", false},
}

func refunds(t testing.TB) *score.Expected {
	t.Helper()
	e := &score.Expected{}
	for _, text := range []string{"refund is guaranteed", `/guaranteed refund/`} {
		c, err := words().Claim(text)
		if err != nil {
			t.Fatal(err)
		}
		e.Forbidden = append(e.Forbidden, c)
	}
	return e
}

func groundingOf(e *score.Expected, answer string) float64 {
	return e.Measure(answer, score.Settings{}).Metrics[0].Value
}

func TestAnUnrelatedSentenceNeverRaisesGrounding(t *testing.T) {
	e := refunds(t)
	for _, s := range statements {
		alone := groundingOf(e, s.text)
		if (alone < 1) != s.stated {
			t.Errorf("%q: grounding %v, want stated %v", s.text, alone, s.stated)
		}
		for _, other := range unrelated {
			for _, answer := range []string{s.text + map[bool]string{true: " ", false: "\n"}[strings.ContainsAny(s.text[len(s.text)-1:], ".?!")] + other, s.text + "\n\n" + other, other + " " + s.text, other + "\n\n" + s.text} {
				if got := groundingOf(e, answer); got > alone {
					t.Errorf("%q: grounding %v, and %v without the unrelated sentence", answer, got, alone)
				}
			}
		}
	}
}

func TestADenialAndItsDouble(t *testing.T) {
	e := refunds(t)
	denials := []string{"It is not true that %", "It is false that %", "It isn't the case that %", "I deny that %", "It would be wrong to say that %"}
	for _, outer := range denials {
		once := strings.Replace(outer, "%", "a refund is guaranteed", 1) + "."
		if got := groundingOf(e, once); got != 1 {
			t.Errorf("%q: grounding %v, want 1", once, got)
		}
		twice := strings.Replace(outer, "%", "a refund is not guaranteed", 1) + "."
		if got := groundingOf(e, twice); got == 1 {
			t.Errorf("%q: grounding %v, want less", twice, got)
		}
	}
	labels := label.New("Compliant", compliance)
	for answer, want := range map[string]string{
		"It is not compliant.": "Non-Compliant", "It is not non-compliant.": "Compliant", "It isn't the case that it is not compliant.": "Compliant",
		"It is false that it is compliant.": "Non-Compliant", "I deny that it is non-compliant.": "Compliant",
	} {
		if got := label.Read(labels, "", answer).Predicted; got != want {
			t.Errorf("%q is read as %q, want %q", answer, got, want)
		}
	}
}

// labelSets are labels that differ in ways a careless reader would miss.
var labelSets = [][]string{
	{"Compliant", "Non-Compliant", "Partially Compliant"}, {"A+", "A", "A-", "B+", "B", "B-"}, {"-1", "0", "1"}, {"<10", "10", ">10"}, {"C", "C++", "C#", "F#"},
	{"$", "$$", "$$$"}, {"👍", "👎", "🤷"}, {"Yes", "No", "Yes, with changes"}, {"Critical", "High", "Medium", "Low"}, {"1.1", "1.10", "1", "11"}, {"★", "★★", "★★★"},
	{"A", "B", "C", "D"}, {"true", "false"}, {"in scope", "out of scope"}, {"R&D", "Q&A", "R", "D"}, {".NET", "ASP.NET", "Node.js"}, {"n/a", "N", "A"}, {"+", "-", "++", "--"},
}

var labelFrames = []string{"%", "Answer: %", "The label is %.", "**%**", "It's %, not @.", "@? No, %.", "I'd say @. Actually, %.", "Severity: %\nConfidence: @", "% or @", "{\"label\": \"%\"}",
	"Not @ but %.", "From @ to %", "“%”", "(%)", "- %\n- @", "`%`", "% @", "@% %@", "%, because @ would be wrong."}

func TestTwoDifferentLabelsNeverBothScoreFully(t *testing.T) {
	for _, set := range labelSets {
		for i, a := range set {
			for seed, frame := range labelFrames {
				b := set[(i+1)%len(set)]
				answer := strings.NewReplacer("%", a, "@", b).Replace(frame)
				notBothFull(t, set, "", answer)
				notBothFull(t, set, "Is it "+a+" or "+b+"?", answer+" "+texttest.Text(uint64(seed)))
			}
		}
	}
}

func FuzzTwoLabels(f *testing.F) {
	f.Add("A+", "A-", "Grade: A+ or A-?")
	f.Add("Non-Compliant", "Compliant", "It isn’t compliant.")
	f.Add("<10", ">10", "< 10 > 10 <10 >10")
	f.Add("c", "C++", "C, C++ & C#")
	f.Fuzz(func(t *testing.T, a, b, answer string) {
		if _, _, alike := label.New(a, []string{a, b}).Indistinguishable(); !alike {
			notBothFull(t, []string{a, b}, "", answer)
		}
	})
}

func notBothFull(t *testing.T, labels []string, question, answer string) {
	t.Helper()
	var full []string
	for _, expected := range labels {
		if label.Read(label.New(expected, labels), question, answer).Value == 1 {
			full = append(full, expected)
		}
	}
	if len(full) > 1 {
		t.Errorf("%q scores fully as each of %q", answer, full)
	}
}

func TestAQuotationNeverDecides(t *testing.T) {
	labels := []string{"Compliant", "Non-Compliant"}
	speech := func(marks [2]string) bool { // brackets, bold letters and code are no speech
		return !strings.ContainsAny(marks[0], "([{*_~<>-`\u2067")
	}
	for _, marks := range slices.DeleteFunc(slices.Clone(texttest.Quotes), func(m [2]string) bool { return !speech(m) }) {
		quote := marks[0] + "The vendor is fully compliant with the rules" + marks[1]
		for _, answer := range []string{
			"The auditor wrote: " + quote + ". In fact it is non-compliant.", "Non-Compliant. The flyer says " + quote + ".", quote + ", the auditor said. It is non-compliant.",
		} {
			if got := label.Read(label.New("Non-Compliant", labels), "", answer); got.Value != 1 {
				t.Errorf("%q is read as %q %v, want Non-Compliant", answer, got.Predicted, got.Found)
			}
		}
		said := "The flyer says: " + marks[0] + "A refund is guaranteed." + marks[1]
		if got := groundingOf(refunds(t), said); got != 1 {
			t.Errorf("%q: grounding %v, want 1", said, got)
		}
	}
}
