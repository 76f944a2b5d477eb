package score_test

import (
	"testing"

	"github.com/failproof/failproof/internal/fact"
	"github.com/failproof/failproof/internal/label"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/texttest"
)

func TestNoTextEndsARun(t *testing.T) {
	for seed := range uint64(400) {
		measureOdd(t, texttest.Text(seed), texttest.Text(seed+1e6), texttest.Contraction(seed))
	}
	for i, a := range texttest.Sentences {
		for j, b := range texttest.Sentences {
			measureOdd(t, a+" "+b, texttest.Sentences[(i+j)%len(texttest.Sentences)], texttest.Contraction(uint64(i)))
		}
	}
}

func FuzzMeasure(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(texttest.Text(seed), texttest.Text(seed+1e6), texttest.Contraction(seed))
	}
	f.Add("If that is not what you're after, tell me.", "If that's not what they're after, who's it for?", "isn't")
	f.Fuzz(measureOdd)
}

// measureOdd measures one text by everything that can be expected of another.
func measureOdd(t *testing.T, answer, expected, name string) {
	t.Helper()
	defer func() {
		if v := recover(); v != nil {
			t.Fatalf("answer %q, expected %q, label %q: %v", answer, expected, name, v)
		}
	}()
	words := fact.NewSynonyms(nil)
	e := &score.Expected{Reference: expected, Prompt: name + " " + expected, Question: expected, Allowed: []string{name, expected}}
	e.Sentences = words.Sentences(expected)
	for _, text := range []string{expected, name} {
		if fact, err := words.Fact(text); err == nil {
			e.Facts = append(e.Facts, fact)
		}
		if claim, err := words.Claim(text); err == nil {
			e.Forbidden = append(e.Forbidden, claim)
		}
	}
	for _, labels := range [][]string{nil, {name, expected}, {"Compliant", "Non-Compliant", name}} {
		e.Labels = label.New(name, labels)
		for _, accuracy := range []string{score.MethodLabel, score.MethodSemantic} {
			e.Plan = score.Plan{AccuracyMethod: accuracy, Grounding: true}
			for _, m := range e.Measure(answer, score.Settings{CountUnsupported: true}).Metrics {
				if m.Value < 0 || m.Value > 1 {
					t.Errorf("answer %q, expected %q, label %q: %+v", answer, expected, name, m)
				}
			}
		}
	}
}
