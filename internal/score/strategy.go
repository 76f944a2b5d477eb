package score

import (
	"bytes"
	"cmp"
	_ "embed" // strategies.json
	"encoding/json"
	"maps"
)

// Strategies of measuring the answers of a suite.
const (
	StrategyAccuracy       = "accuracy"
	StrategyClassification = "classification"
	StrategyReasoning      = "reasoning"
	StrategySafety         = "safety"
	StrategyProbe          = "probe" // judged by risk; see package risk
)

// Strategy is one entry of the strategy map.
type Strategy struct {
	Accuracy  string `json:"accuracy"`  // MethodLabel, MethodSemantic, or "" for no metric of that name
	Grounding bool   `json:"grounding"` // measured even if nothing is forbidden
	About     string `json:"about"`
}

// Benchmark is the entry of one benchmark in the strategy map.
type Benchmark struct {
	Name      string `json:"name"`
	Strategy  string `json:"strategy"`
	Grounding bool   `json:"grounding"`
	Otherwise string `json:"otherwise"` // accuracy of a case whose expected label is not allowed; "": none
}

// Map is the strategy map: it defines how the benchmarks B1 to B21 are measured.
type Map struct {
	Strategies map[string]Strategy  `json:"strategies"`
	Benchmarks map[string]Benchmark `json:"benchmarks"`
}

//go:embed strategies.json
var strategyFile []byte

// builtin is the embedded map; it is read-only.
var builtin = readMap(strategyFile)

func readMap(text []byte) Map {
	var m Map
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); err != nil {
		panic("score: embedded strategy map: " + err.Error()) // the file is embedded and tested
	}
	return m
}

// StrategyMap returns the embedded map, with other strategies for some benchmarks, by name.
func StrategyMap(overrides map[string]string) Map {
	m := Map{Strategies: builtin.Strategies, Benchmarks: maps.Clone(builtin.Benchmarks)}
	for name, strategy := range overrides {
		b, known := m.Benchmarks[name]
		if _, built := m.Strategies[strategy]; known && built {
			b.Strategy = strategy
			m.Benchmarks[name] = b
		}
	}
	return m
}

// Plan is how the answers of a suite are measured.
type Plan struct {
	Strategy  string
	Accuracy  string // MethodLabel, MethodSemantic or ""
	Otherwise string // accuracy of a case without a label that can be judged
	Grounding bool   // measured even if nothing is forbidden
}

// Plan returns the plan of a suite. It takes the suite's own strategy, or else the strategy of the benchmark, or else
// fallback. If the benchmark measures grounding, so does the plan, whatever its strategy.
func (m Map) Plan(benchmark, strategy, fallback string) Plan {
	b := m.Benchmarks[benchmark]
	name := cmp.Or(strategy, b.Strategy, fallback)
	s := m.Strategies[name]
	p := Plan{Strategy: name, Accuracy: s.Accuracy, Grounding: s.Grounding || b.Grounding}
	if p.Accuracy == MethodLabel {
		p.Otherwise = b.Otherwise
	}
	return p
}
