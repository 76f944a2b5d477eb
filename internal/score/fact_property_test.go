package score_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/fact"
	"github.com/failproof/failproof/internal/score"
)

// refundFacts are key facts about refunds, and what covers or misses them.
var refundFacts = []struct {
	fact, answer string
	covered      bool
}{
	{"refunds must be asked for within 14 days", "You have to ask for a refund within two weeks", true},
	{"refunds must be asked for within 14 days", "You may ask for a refund within 14 days", false},
	{"refunds must be asked for within 14 days", "Ask for your refund on time", false},
	{"refunds rose by 5% before the summer", "Before the summer, refunds rose by 5 percent", true},
	{"refunds rose by 5% before the summer", "Refunds fell by 5% before the summer", false},
	{"refunds rose by 5% before the summer", "If refunds rose by 5% before the summer, we would know", false},
	{"Anna Schmidt signs refunds above $500", "Refunds above $500 are signed by Anna Schmidt", true},
	{"refunds above $500 are signed by Anna Schmidt", "Refunds above $500 are signed by Anna Weber", false},
	{"ask refunds@acme.com for a refund", "For a refund, ask refunds@acme.com", true},
	{"ask refunds@acme.com for a refund", "For a refund, ask sales@acme.com", false},
	{"clerks can refund buyers", "Buyers can refund clerks", false},
	{"clerks can refund buyers", "Buyers can be refunded by clerks", true},
	{"never promise a refund", "You must not promise a refund", true},
	{"never promise a refund", "You should promise a refund", false},
	{"refunds are paid by 3 March 2024", "Refunds are paid by 2024-03-03", true},
	{"refunds are paid by 3 March 2024", "Refunds are paid by 3 May 2024", false},
}

// TestAnUnrelatedSentenceNeitherCoversNorUncoversAFact: a key fact is covered by what is said of it, whatever else is
// said.
func TestAnUnrelatedSentenceNeitherCoversNorUncoversAFact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(refundFacts).Draw(t, "fact")
		f, err := words().Fact(c.fact)
		if err != nil {
			t.Fatal(err)
		}
		e := &score.Expected{Plan: score.StrategyMap(nil).Plan("", "", score.StrategyAccuracy), Facts: []*fact.Fact{f}}
		covered := func(answer string) bool { return e.Measure(answer, score.Settings{}).Metrics[0].Value == 1 }
		text := c.answer + rapid.SampledFrom([]string{".", "!"}).Draw(t, "end")
		other, gap := beside(t), rapid.SampledFrom([]string{" ", "\n", "\n\n", "\n- "}).Draw(t, "gap")
		for _, answer := range []string{text, text + gap + other, other + gap + text} {
			if got := covered(answer); got != c.covered {
				t.Fatalf("fact %q in %q: covered %v, want %v", c.fact, answer, got, c.covered)
			}
		}
	})
}
