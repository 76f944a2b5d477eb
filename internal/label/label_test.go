package label_test

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/label"
)

func TestAnAnswerMayRepeatTheQuestion(t *testing.T) {
	const ask = "You are an auditor. Is the vendor Compliant or Non-Compliant? Answer with one label."
	const numbered = "Which label fits?\n1. Compliant\n2. Non-Compliant\n3. Partially Compliant\n"
	const lettered = "Pick one: (A) Compliant (B) Non-Compliant"
	for _, c := range []struct {
		rule, question, expected, answer string
		want                             float64
	}{
		{"an echo alone is no label", ask, "Compliant", "Is the vendor Compliant or Non-Compliant?", 0},
		{"an echo and an answer", ask, "Compliant", "Is the vendor compliant or non-compliant? The vendor is compliant.", 1},
		{"an echo in other punctuation", ask, "Non-Compliant", "You ask: is the vendor “Compliant” or “Non-Compliant” – it is non-compliant", 1},
		{"an echo in bold", ask, "Compliant", "**Is the vendor Compliant or Non-Compliant?**\n\nIt is compliant", 1},
		{"a statement of the question is not the answer's", "All vendors are compliant by default. Is this one?", "Non-Compliant",
			"All vendors are compliant by default. This one is non-compliant.", 1},
		{"a statement that is the whole answer stays", "The vendor is compliant. True?", "Compliant", "The vendor is compliant.", 1},
		{"an example's verdict line may be repeated", "Example:\nFinal answer is: Compliant\nNow you.", "Compliant", "Was non-compliant once.\nFinal answer is: Compliant", 1},
		{"an option by its number", numbered, "Non-Compliant", "Answer: 2", 1},
		{"an option by its number alone", numbered, "Non-Compliant", "2", 1},
		{"the wrong option", numbered, "Non-Compliant", "Answer: 1", 0},
		{"an option by its letter", lettered, "Non-Compliant", "The answer is (B).", 1},
		{"an option named option", lettered, "Non-Compliant", "Option B", 1},
		{"an option by number and name", numbered, "Partially Compliant", "3. Partially Compliant", 1},
		{"a list of options that is repeated", numbered, "Non-Compliant", "1. Compliant\n2. Non-Compliant\n3. Partially Compliant\n\nAnswer: 2", 1},
		{"a number that names no option", numbered, "Compliant", "Answer: 7", 0},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got := label.Read(label.New(c.expected, compliance), c.question, c.answer)
			if got.Value != c.want {
				t.Errorf("Label(%q, question %q, answer %q) = %v (predicted %q, status %q, found %q); want %v",
					c.expected, c.question, c.answer, got.Value, got.Predicted, got.Status, got.Found, c.want)
			}
		})
	}
}

func TestLabelSaysHowItCameAbout(t *testing.T) {
	for _, c := range []struct {
		rule, answer, predicted, status string
		hedged                          bool
	}{
		{"the label is written as the case writes it", "answer: NON COMPLIANT", "Non-Compliant", "", false},
		{"a hedge is said", "It is probably compliant.", "Compliant", label.StatusHedged, true},
		{"two labels predict none", "A is compliant. B is non-compliant.", "", label.StatusTwoLabels, false},
		{"no label predicts none", "Hello.", "", label.StatusNoLabel, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got := label.Read(label.New("Compliant", two), "", c.answer)
			if got.Predicted != c.predicted || got.Status != c.status || got.Hedged != c.hedged {
				t.Errorf("Read(answer %q) = %+v; want predicted %q, status %q, hedged %v",
					c.answer, got, c.predicted, c.status, c.hedged)
			}
			if got.Description == "" {
				t.Errorf("Read(answer %q) has no description", c.answer)
			}
		})
	}
}

func TestLabelNeverPanicsAndStaysInRange(t *testing.T) {
	words := []string{"compliant", "non-", "not", "answer:", "**", "wait", "?", "\n", "or", "if", "“", "2)", "{", "therefore", "partially", "no", "é", "\xff", "<b>", "(", ")", "nor", "between", "and", "from", "tell", ",", "|", ":", "0.5", "3.", "as well as", "you decide."}
	rapid.Check(t, func(t *rapid.T) {
		answer := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 25).Draw(t, "answer"), rapid.SampledFrom([]string{"", " "}).Draw(t, "between"))
		question := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 10).Draw(t, "question"), " ")
		got := label.Read(label.New("Compliant", compliance), question, answer)
		v := got.Value
		if v != 0 && v != 0.7 && v != 1 {
			t.Errorf("Label(question %q, answer %q) = %v, want 0, 0.7 or 1", question, answer, v)
		}
		if again := label.Read(label.New("Compliant", compliance), question, answer); !reflect.DeepEqual(again, got) {
			t.Errorf("Read(answer %q) = %v, then %v", answer, got, again)
		}
	})
}

func FuzzLabel(f *testing.F) {
	f.Add("Compliant", "Is it compliant?", "Answer: **Non-Compliant**. Wait, no.")
	f.Add("Does not apply", "", "{\"label\": \"Applies\"}")
	f.Add("B", "A) x B) y", "(B)")
	f.Add("Compliant", "", "compliant <b>non-\ncompliant") // a label over the last line break
	f.Fuzz(func(t *testing.T, expected, question, answer string) {
		for _, labels := range [][]string{nil, compliance, {expected}} {
			got := label.Read(label.New(expected, labels), question, answer)
			if got.Value < 0 || got.Value > 1 {
				t.Errorf("Label(%q, %q, %q, %q) = %+v", expected, labels, question, answer, got)
			}
		}
	})
}

func TestAPromptTurnsNoLabelThatAnAnswerGives(t *testing.T) {
	const lettered = "Pick one: (A) Compliant (B) Non-Compliant"
	for _, c := range []struct {
		rule, own, asked, answer string
		want                     float64 // where Compliant is expected
	}{
		{"a sentence that the answer repeats turns no later one", "All are non-compliant by default.", "All are non-compliant by default. Is this?", "All are non-compliant by default. This one is compliant.", 1},
		{"what the prompt says is the answer's own where it repeats it", "", "End so:\nThis one is non-compliant.",
			"All vendors are compliant by default. This one is non-compliant.", 0},
		{"the prompt says what an option means", "", lettered, "(A)", 1},
		{"the prompt says what another option means", "", lettered, "(B)", 0},
		{"an option that the prompt gives two labels is none", "", "<!-- A) Compliant B) Non-Compliant --> A) Non-Compliant B) Compliant", "A", 0},
		{"the prompt says which key the label stands behind", "", "Name the finding.", "Finding: Compliant\nDraft: Non-Compliant", 1},
		{"a key of the prompt turns no verdict", "", "Give your draft.", "Draft: Compliant\n\nFinal verdict: Non-Compliant", 0},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := label.New("Compliant", compliance)
			if got := s.Find(c.own, c.asked, s.ParseAnswer(c.answer)); got.Value != c.want {
				t.Errorf("%v (predicted %q, status %q, found %q), want %v", got.Value, got.Predicted, got.Status, got.Found, c.want)
			}
		})
	}
}
