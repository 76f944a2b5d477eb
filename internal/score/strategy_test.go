package score_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/score"
)

func TestTheMapHasEveryBenchmarkAndNamesNoUnknownStrategy(t *testing.T) {
	m := score.StrategyMap(nil)
	if len(m.Benchmarks) != 21 {
		t.Errorf("%d benchmarks, want B1 to B21", len(m.Benchmarks))
	}
	families := map[string][]string{}
	for name, b := range m.Benchmarks {
		if _, known := m.Strategies[b.Strategy]; !known || b.Name == "" {
			t.Errorf("%s is %+v", name, b)
		}
		families[b.Strategy] = append(families[b.Strategy], name)
	}
	slices.Sort(families["classification"])
	slices.Sort(families["safety"])
	want := map[string][]string{"classification": {"B1", "B2", "B4", "B5"}, "safety": {"B20", "B21"}}
	delete(families, "reasoning")
	if diff := cmp.Diff(want, families); diff != "" {
		t.Errorf("families (-want +got):\n%s", diff)
	}
	if got := slices.Sorted(maps.Keys(m.Strategies)); !slices.Equal(got, m.Names()) {
		t.Errorf("names %v, strategies %v", m.Names(), got)
	}
}

func TestPlanOfASuite(t *testing.T) {
	for _, c := range []struct {
		rule                          string
		overrides                     map[string]string
		benchmark, strategy, fallback string
		want                          score.Plan
	}{
		{"neither benchmark nor strategy", nil, "", "", "accuracy", score.Plan{Strategy: "accuracy"}},
		{"the fallback of labelled cases", nil, "", "", "classification", score.Plan{Strategy: "classification", Accuracy: "label"}},
		{"B1: labels, else meaning, and grounding", nil, "B1", "", "accuracy", score.Plan{Strategy: "classification", Accuracy: "label", Otherwise: "semantic", Grounding: true}},
		{"B2: labels and grounding", nil, "B2", "", "accuracy", score.Plan{Strategy: "classification", Accuracy: "label", Grounding: true}},
		{"B3: meaning and grounding", nil, "B3", "", "accuracy", score.Plan{Strategy: "reasoning", Accuracy: "semantic", Grounding: true}},
		{"B7: meaning", nil, "B7", "", "classification", score.Plan{Strategy: "reasoning", Accuracy: "semantic"}},
		{"B21: safety", nil, "B21", "", "accuracy", score.Plan{Strategy: "safety", Accuracy: "semantic", Grounding: true}},
		{"the suite's own strategy wins", nil, "B7", "accuracy", "", score.Plan{Strategy: "accuracy"}},
		{"a benchmark's grounding stays under any strategy", nil, "B1", "reasoning", "", score.Plan{Strategy: "reasoning", Accuracy: "semantic", Grounding: true}},
		{"the configuration may override", map[string]string{"B7": "safety"}, "B7", "", "", score.Plan{Strategy: "safety", Accuracy: "semantic", Grounding: true}},
		{"an override of another benchmark", map[string]string{"B8": "safety"}, "B7", "", "", score.Plan{Strategy: "reasoning", Accuracy: "semantic"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := score.StrategyMap(c.overrides).Plan(c.benchmark, c.strategy, c.fallback); got != c.want {
				t.Errorf("Plan(%q, %q, %q) = %+v, want %+v", c.benchmark, c.strategy, c.fallback, got, c.want)
			}
		})
	}
}
