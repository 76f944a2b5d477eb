package score_test

import (
	"slices"
	"testing"

	"github.com/failproof/failproof/internal/score"
)

// The expected answer itself means what was expected, also where no embedder can say so; another one is still only
// compared by its words.
func TestTheExpectedAnswerWordForWordNeedsNoEmbedder(t *testing.T) {
	expected := &score.Expected{Plan: score.Plan{Strategy: score.StrategyReasoning, AccuracyMethod: score.MethodSemantic}, Reference: "Guten Morgen."}
	for answer, want := range map[string]bool{"Guten Morgen.": true, "\nGuten Morgen.\r\n": true, "Guten Morgen": false, "Guten Abend.": false, "": false} {
		m := expected.Measure(answer, score.Settings{})
		i := slices.IndexFunc(m.Metrics, func(x score.Metric) bool { return x.Name == score.Accuracy })
		if i < 0 {
			t.Fatalf("%q: no accuracy in %+v", answer, m.Metrics)
		}
		got := m.Metrics[i]
		if told := got.Value == 1 && !m.Degraded() && !slices.Contains(m.Warnings, score.WarnSemanticUnavailable); told != want || got.Method != score.MethodLexical {
			t.Errorf("%q: %+v, warnings %v; taken for the expected answer: want %v", answer, got, m.Warnings, want)
		}
	}
}
