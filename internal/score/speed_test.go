package score_test

import (
	"testing"

	"github.com/failproof/failproof/internal/label"
	"github.com/failproof/failproof/internal/likeness"
	"github.com/failproof/failproof/internal/score"
)

// ordinary is what a suite of questions about a rule gets: some fifty words.
const ordinary = `The vendor must report the incident to the regulator within 14 days of becoming aware of it. A written notice is
enough, and it may be sent by post or by email. Multi-factor authentication is required for every account with access to the system,
with no exceptions. A refund is not guaranteed.`

// BenchmarkMeasure measures an ordinary answer under each strategy. Each answer is to a case of its own, whose expected
// answer and prompt nobody has read yet; facts, claims and labels are compiled, as the cases of a suite share them.
func BenchmarkMeasure(b *testing.B) {
	for _, strategy := range []string{score.StrategyAccuracy, score.StrategyClassification, score.StrategyReasoning, score.StrategySafety} {
		b.Run(strategy, func(b *testing.B) {
			question := "What does the vendor owe the regulator, and is it Compliant or Non-Compliant?"
			like := score.Expected{Plan: score.StrategyMap(nil).Plan("", strategy, ""), Question: question, Prompt: "Answer by the rules of the scheme.\n\n" + question,
				Labels: label.New("Compliant", []string{"Compliant", "Non-Compliant"})}
			if like.Plan.AccuracyMethod == score.MethodSemantic {
				like.Reference = "Vendors report incidents to the regulator within two weeks, in writing, and use MFA for every account."
			}
			like.Facts = compiled(b, words().Fact, "14 days", "written notice", "MFA for every account", "report to the regulator")
			like.Forbidden = compiled(b, words().Claim, "refund is guaranteed", `/clause 5\.9\.\d+/`)
			s := score.Settings{Corpus: likeness.NewCorpus(nil)}
			b.ReportAllocs()
			for b.Loop() {
				e := like
				e.Measure(ordinary, s)
			}
			b.ReportMetric(float64(b.Elapsed().Seconds())/float64(b.N)*1e5, "s/100k-answers")
		})
	}
}

func compiled[T any](b testing.TB, compile func(string) (*T, error), texts ...string) (out []*T) {
	for _, text := range texts {
		one, err := compile(text)
		if err != nil {
			b.Fatal(err)
		}
		out = append(out, one)
	}
	return out
}
