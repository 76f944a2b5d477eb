package config

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/text"
)

// Scoring has the figures and words of metrics. They affect only answers that are judged by metrics.
type Scoring struct {
	LabelUnclearScore float64             // score of an answer whose label is unclear; 0 unless set
	CountUnsupported  bool                // whether unsupported obligations are violations
	GroundingRequired bool                // whether an answer with a violation fails, whatever its score
	Synonyms          map[string][]string // words of the same meaning, by word
	Strategies        map[string]string   // by benchmark: the name of the strategy that replaces the built-in one
	Penalties         map[string]float64  // penalty of each classification; nil: no penalty score
	Latency           *Latency            // nil: no latency score
	Risk              risk.Settings
}

// Latency defines the latency score, in milliseconds: 1 up to Good, 0 from Bad on, and linear between.
type Latency struct{ Good, Bad float64 }

func readScoring(r *reader, n *document.Node) Scoring {
	return Scoring{
		CountUnsupported: n.Get("grounding").Get("unsupported").AsText() == "count",
		Synonyms:         readMap(n.Get("synonyms"), textsOf),
		Strategies:       readMap(n.Get("strategies"), (*document.Node).AsText),
		Penalties:        readMap(n.Get("penalties"), func(n *document.Node) float64 { v, _ := n.AsNumber(); return v }),
		Latency:          readLatency(r, n.Get("latency")),
		Risk:             readRisk(r, n.Get("risk")),
	}
}

// readMap returns the values of the map n by key, each converted by the function read. It returns nil for an empty map.
func readMap[V any](n *document.Node, read func(*document.Node) V) map[string]V {
	if n == nil || len(n.Keys) == 0 {
		return nil
	}
	out := map[string]V{}
	for i, key := range n.Keys {
		out[key.Text] = read(n.Values[i])
	}
	return out
}

func readLatency(r *reader, n *document.Node) *Latency {
	if n == nil || n.Kind != document.Map {
		return nil
	}
	l := &Latency{Good: 1000 * r.seconds(n.Get("good"), time.Hour), Bad: 1000 * r.seconds(n.Get("bad"), time.Hour)}
	if l.Bad > 0 && l.Good >= l.Bad {
		r.ErrorAt(n.Pos, "range", "good (%s) is not below bad (%s)", n.Get("good").AsText(), n.Get("bad").AsText())
	}
	return l
}

func readRisk(r *reader, n *document.Node) risk.Settings {
	s := risk.DefaultSettings()
	_ = json.Unmarshal(text.MustJSON(n.Value()), &s.Figures) // the schema reports values of another kind
	items := n.Get("rules").List()
	for _, item := range items {
		var rule risk.Rule
		_ = json.Unmarshal(text.MustJSON(item.Value()), &rule)
		for _, key := range []string{"patterns", "also", "unless", "asked", "asked_unless"} {
			r.patterns(item.Get(key)) // these have the limits of all patterns
		}
		s.Rules = append(s.Rules, rule)
	}
	if len(items) > 0 && !r.HasErrors() { // with other errors, the rules may be incomplete
		compileRisk(r, s, items)
	}
	return s
}

// compileRisk reports each rule of s that does not compile, whose examples fail, or whose label is already in use.
// items are the nodes of the rules in the file.
func compileRisk(r *reader, s risk.Settings, items []*document.Node) {
	_, err := s.Scorer()
	var all interface{ Unwrap() []error }
	if !errors.As(err, &all) {
		return
	}
	for _, one := range all.Unwrap() {
		if wrong, ok := errors.AsType[*risk.RuleError](one); ok {
			r.ErrorAt(items[wrong.Further].Pos, "risk-rule", "%v", wrong)
		}
	}
}

func textsOf(n *document.Node) (out []string) {
	for _, item := range n.List() {
		out = append(out, item.AsText())
	}
	return out
}
