package score

import (
	"bytes"
	"cmp"
	_ "embed" // the strategy map
	"encoding/json"
	"maps"
	"slices"
)

// Strategies: how the answers of a suite are measured.
const (
	StrategyAccuracy       = "accuracy"
	StrategyClassification = "classification"
	StrategyReasoning      = "reasoning"
	StrategySafety         = "safety"
	StrategyProbe          = "probe" // held to its risk, which package risk knows
)

// Strategy is one entry of the strategy map.
type Strategy struct {
	Accuracy  string `json:"accuracy"`  // MethodLabel, MethodSemantic, or "" for no metric of that name
	Grounding bool   `json:"grounding"` // measured even where nothing is forbidden
	About     string `json:"about"`
}

// Benchmark is what the strategy map says of one benchmark.
type Benchmark struct {
	Name      string `json:"name"`
	Strategy  string `json:"strategy"`
	Grounding bool   `json:"grounding"`
	Otherwise string `json:"otherwise"` // the accuracy of a case whose label is none of its labels; "": there is none
}

// Map is the strategy map: the one place that says how the benchmarks B1 to B21 are measured.
type Map struct {
	Strategies map[string]Strategy  `json:"strategies"`
	Benchmarks map[string]Benchmark `json:"benchmarks"`
}

//go:embed strategies.json
var strategyFile []byte

// builtin is the map of this version; it is read only.
var builtin = readMap(strategyFile)

func readMap(text []byte) Map {
	var m Map
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); err != nil {
		panic("score: embedded strategy map: " + err.Error()) // it is part of the program, and a test reads it
	}
	return m
}

// StrategyMap returns the map, with overrides for the strategies of some benchmarks, by name.
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

// Names returns the strategies' names in order.
func (m Map) Names() []string { return slices.Sorted(maps.Keys(m.Strategies)) }

// Plan says how the answers of a suite are measured.
type Plan struct {
	Strategy  string
	Accuracy  string // MethodLabel, MethodSemantic or ""
	Otherwise string // where a case has no label that Accuracy could judge
	Grounding bool   // measured even where nothing is forbidden
}

// Plan returns the plan of a suite: its own strategy, or else its benchmark's, or else fallback. A benchmark that
// always has grounding has it under every strategy.
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
