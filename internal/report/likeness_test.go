package report_test

import (
	"fmt"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

func TestASideSaysHowItWasComparedByMeaning(t *testing.T) {
	label := &score.Metric{Name: score.Accuracy, Method: score.MethodLabel}
	words := &score.Metric{Name: score.Accuracy, Method: score.MethodLexical, Degraded: true}
	meaning := &score.Metric{Name: score.Accuracy, Method: score.MethodSemantic, Model: "m"}
	other := &score.Metric{Name: score.Accuracy, Method: score.MethodSemantic, Model: "n"}
	for _, c := range []struct {
		rule            string
		trials          [][]*score.Metric // by case; nil is an answer without metrics
		semantic, model string
		likeness        []string
	}{
		{"labels are not compared", [][]*score.Metric{{label}, {nil}}, "none", "", []string{"", ""}},
		{"by meaning", [][]*score.Metric{{meaning, meaning}, {label}}, "semantic", "m", []string{"semantic m", ""}},
		{"by words", [][]*score.Metric{{words}}, "lexical_fallback", "", []string{"lexical_fallback"}},
		{"some so and some so", [][]*score.Metric{{meaning}, {words}}, "mixed", "m", []string{"semantic m", "lexical_fallback"}},
		{"one case in both ways", [][]*score.Metric{{meaning, words}}, "mixed", "", []string{"mixed"}},
		{"a trial without an answer says nothing", [][]*score.Metric{{nil, meaning, nil}}, "semantic", "m", []string{"semantic m"}},
		{"two models are no model", [][]*score.Metric{{meaning}, {other}}, "semantic", "", []string{"semantic m", "semantic n"}},
		{"two models in one case are no way", [][]*score.Metric{{meaning, other}}, "semantic", "", []string{"mixed"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var b report.Builder
			for i, trials := range c.trials {
				for k, m := range trials {
					r := report.Result{SuiteID: "s", CaseID: fmt.Sprint("c", i), Trial: k + 1, Classification: classify.Classification{Primary: classify.Pass}}
					if m != nil {
						r.Metrics = []score.Metric{*m}
					}
					if err := b.Add(r, report.Ref{}); err != nil {
						t.Fatal(err)
					}
				}
			}
			side := b.Side()
			if method, model := report.Similarity(side); method != c.semantic || model != c.model {
				t.Errorf("%s by %q, want %s by %q", method, model, c.semantic, c.model)
			}
			for i, want := range c.likeness {
				if got := side.Suites[0].Cases[i].SimilarityMethod; got != want {
					t.Errorf("case %d: %q, want %q", i, got, want)
				}
			}
		})
	}
}
