package score

import (
	"cmp"
	_ "embed" // strategies.json
	"maps"

	"github.com/failproof/failproof/internal/text"
)

// Strategies of measuring the answers of a suite.
const (
	StrategyAccuracy       = "accuracy"
	StrategyClassification = "classification"
	StrategyReasoning      = "reasoning"
	StrategySafety         = "safety"
	StrategyProbe          = "probe" // answers are judged by risk; see package risk
)

// Strategy says how the answers of a suite are measured. It is an entry of the strategy map.
type Strategy struct {
	AccuracyMethod string `json:"accuracy"`  // MethodLabel, MethodSemantic, or "" for no metric accuracy
	Grounding      bool   `json:"grounding"` // grounding is measured even if nothing is forbidden
	Description    string `json:"about"`
}

// Benchmark is the entry for one benchmark in the strategy map.
type Benchmark struct {
	Name      string `json:"name"`
	Strategy  string `json:"strategy"`
	Grounding bool   `json:"grounding"`
	// method of accuracy for a case whose expected label is not allowed; "": none
	FallbackMethod string `json:"otherwise"`
}

// Map is the strategy map. It says how the answers to the benchmarks B1 to B21 are measured.
type Map struct {
	Strategies map[string]Strategy  `json:"strategies"`
	Benchmarks map[string]Benchmark `json:"benchmarks"`
}

//go:embed strategies.json
var strategyFile []byte

// builtinStrategies is the embedded strategy map. It is read-only.
var builtinStrategies = text.MustParse[Map](strategyFile)

// StrategyMap returns the embedded map with changed strategies. overrides maps the name of a benchmark to the name of
// its strategy. Unknown names are ignored.
func StrategyMap(overrides map[string]string) Map {
	m := Map{Strategies: builtinStrategies.Strategies, Benchmarks: maps.Clone(builtinStrategies.Benchmarks)}
	for name, strategy := range overrides {
		b, known := m.Benchmarks[name]
		if _, built := m.Strategies[strategy]; known && built {
			b.Strategy = strategy
			m.Benchmarks[name] = b
		}
	}
	return m
}

// Plan says how the answers of a suite are measured.
type Plan struct {
	Strategy       string
	AccuracyMethod string // MethodLabel, MethodSemantic or ""
	FallbackMethod string // method of accuracy for a case without a label that can be judged
	Grounding      bool   // grounding is measured even if nothing is forbidden
}

// Plan returns the plan of a suite. It uses the strategy named strategy, or that of the benchmark, or the one named
// fallback: the first of these that is not "". If the benchmark measures grounding, the plan measures it with any
// strategy.
func (m Map) Plan(benchmark, strategy, fallback string) Plan {
	b := m.Benchmarks[benchmark]
	name := cmp.Or(strategy, b.Strategy, fallback)
	s := m.Strategies[name]
	p := Plan{Strategy: name, AccuracyMethod: s.AccuracyMethod, Grounding: s.Grounding || b.Grounding}
	if p.AccuracyMethod == MethodLabel {
		p.FallbackMethod = b.FallbackMethod
	}
	return p
}
