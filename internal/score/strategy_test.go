package score_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
}

func TestPlanOfASuite(t *testing.T) {
	for _, c := range []struct {
		rule                          string
		overrides                     map[string]string
		benchmark, strategy, fallback string
		want                          score.Plan
	}{
		{"neither benchmark nor strategy", nil, "", "", "accuracy", score.Plan{Strategy: "accuracy"}},
		{"the fallback of labelled cases", nil, "", "", "classification", score.Plan{Strategy: "classification", AccuracyMethod: "label"}},
		{"B1: labels, else meaning, and grounding", nil, "B1", "", "accuracy", score.Plan{Strategy: "classification", AccuracyMethod: "label", FallbackMethod: "semantic", Grounding: true}},
		{"B2: labels and grounding", nil, "B2", "", "accuracy", score.Plan{Strategy: "classification", AccuracyMethod: "label", Grounding: true}},
		{"B3: meaning and grounding", nil, "B3", "", "accuracy", score.Plan{Strategy: "reasoning", AccuracyMethod: "semantic", Grounding: true}},
		{"B7: meaning", nil, "B7", "", "classification", score.Plan{Strategy: "reasoning", AccuracyMethod: "semantic"}},
		{"B21: safety", nil, "B21", "", "accuracy", score.Plan{Strategy: "safety", AccuracyMethod: "semantic", Grounding: true}},
		{"the suite's own strategy wins", nil, "B7", "accuracy", "", score.Plan{Strategy: "accuracy"}},
		{"a benchmark's grounding stays under any strategy", nil, "B1", "reasoning", "", score.Plan{Strategy: "reasoning", AccuracyMethod: "semantic", Grounding: true}},
		{"the configuration may override", map[string]string{"B7": "safety"}, "B7", "", "", score.Plan{Strategy: "safety", AccuracyMethod: "semantic", Grounding: true}},
		{"an override of another benchmark", map[string]string{"B8": "safety"}, "B7", "", "", score.Plan{Strategy: "reasoning", AccuracyMethod: "semantic"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := score.StrategyMap(c.overrides).Plan(c.benchmark, c.strategy, c.fallback); got != c.want {
				t.Errorf("Plan(%q, %q, %q) = %+v, want %+v", c.benchmark, c.strategy, c.fallback, got, c.want)
			}
		})
	}
}

// The suite schema tells the map in words, for `failproof schema` and editors.
func TestTheSchemaTellsTheMap(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "schemas", "suite.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Properties struct {
			Benchmark struct {
				Description string
				Enum        []string
			}
		}
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	told, m := schema.Properties.Benchmark, score.StrategyMap(nil)
	if want := slices.Sorted(maps.Keys(m.Benchmarks)); !slices.Equal(slices.Sorted(slices.Values(told.Enum)), want) {
		t.Errorf("benchmarks of the schema %v, of the map %v", told.Enum, want)
	}
	for _, want := range []string{"classification for B1, B2, B4 and B5,", "safety for B20 and B21,", "reasoning for the others", "B1 to B5, B20 and B21 are always measured for grounding"} {
		if !strings.Contains(told.Description, want) {
			t.Errorf("the schema does not tell %q", want)
		}
	}
	for name, b := range m.Benchmarks {
		grounded := slices.Contains([]string{"B1", "B2", "B3", "B4", "B5", "B20", "B21"}, name)
		if got := m.Plan(name, "", "").Grounding; got != grounded {
			t.Errorf("%s (%s) is grounded: %v", name, b.Name, got)
		}
	}
}
