package score_test

import (
	"testing"

	"github.com/failproof/failproof/internal/fact"
	"github.com/failproof/failproof/internal/score"
)

// words are the built-in synonyms and one of a user's own.
func words() *fact.Synonyms {
	return fact.NewSynonyms(map[string][]string{"refund": {"money back", "reimbursement"}})
}

// completeness measures an answer against facts alone.
func completeness(t *testing.T, facts []string, answer string) score.Metric {
	t.Helper()
	e := &score.Expected{Plan: score.StrategyMap(nil).Plan("", "", score.StrategyAccuracy)}
	for _, text := range facts {
		f, err := words().Fact(text)
		if err != nil {
			t.Fatalf("fact %q: %v", text, err)
		}
		e.Facts = append(e.Facts, f)
	}
	got := e.Measure(answer, score.Settings{})
	if len(got.Metrics) != 1 || got.Metrics[0].Name != score.Completeness {
		t.Fatalf("metrics %+v, want completeness alone", got.Metrics)
	}
	return got.Metrics[0]
}

func TestCompletenessIsTheShareOfCoveredFacts(t *testing.T) {
	got := completeness(t, []string{"14 days", "written notice", "MFA"}, "Give written notice within 14 days.")
	if got.Value != 2.0/3 || got.Weight != 0.8 || got.Description != "not found: “MFA” (2 of 3 key facts covered)" {
		t.Errorf("completeness %+v", got)
	}
}
