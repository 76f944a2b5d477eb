// Package score holds the arithmetic of documents 000 and 002: the metrics of one answer, and case, suite and run scores.
// It does no I/O and knows no file format. What an answer says it has from label, fact and likeness, which share one reading of it.
package score

// Metric is document 002's EvaluationMetric. Value and Weight are in [0, 1]. A description may quote the answer.
type Metric struct {
	Name        string  `json:"name"`
	Value       float64 `json:"value"`
	Weight      float64 `json:"weight"`
	Description string  `json:"description"`
	Method      string  `json:"method,omitempty"` // label, semantic, lexical_fallback
	Status      string  `json:"status,omitempty"` // no_label, …
	Degraded    bool    `json:"degraded,omitempty"`

	Cosine *float64 `json:"cosine,omitempty"` // of a semantic accuracy: before it was clamped and capped, in [-1, 1]
	Model  string   `json:"model,omitempty"`  // the fingerprint of the embedding model that it comes from
}

// Names of metrics.
const (
	Accuracy          = "accuracy"
	Completeness      = "completeness"
	Grounding         = "grounding"
	DiagnosticJaccard = "diagnostic_jaccard"
	Rubric            = "rubric" // the share of a case's criteria that a judge calls met; it is told, and weighs nothing
)

// MetricNames lists them in the order of results and reports.
var MetricNames = [...]string{Accuracy, Completeness, Grounding, DiagnosticJaccard, Rubric}

// Default weights (document 002, step 6).
const (
	AccuracyWeight     = 1.0
	CompletenessWeight = 0.8
	GroundingWeight    = 1.0
	JaccardWeight      = 0.0
)

// Weights returns the default weights by metric.
func Weights() map[string]float64 {
	return map[string]float64{
		Accuracy: AccuracyWeight, Completeness: CompletenessWeight, Grounding: GroundingWeight, DiagnosticJaccard: JaccardWeight,
	}
}

// RulesVersion changes whenever an answer can be measured differently.
const RulesVersion = "1"

// Tolerance is added to a score before it is held against a bar, so that 0.1+0.2 meets 0.3.
const Tolerance = 1e-9

// Meets reports whether score reaches bar. NaN meets nothing.
func Meets(score, bar float64) bool { return score+Tolerance >= bar }
