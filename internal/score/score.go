// Package score computes the metrics of one answer (docs/reference/metrics.md). It does no I/O and knows no file
// format. Packages label, fact and likeness read the answers, and package report computes case, suite and run scores.
package score

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Metric is one measurement of an answer. Value and Weight are in [0, 1]. Description may quote the answer.
type Metric struct {
	Name        string  `json:"name"`
	Value       float64 `json:"value"`
	Weight      float64 `json:"weight"`
	Description string  `json:"description"`
	Method      string  `json:"method,omitempty"` // label, semantic, lexical_fallback
	Status      string  `json:"status,omitempty"` // no_label, …
	Degraded    bool    `json:"degraded,omitempty"`

	Cosine *float64 `json:"cosine,omitempty"` // for a semantic accuracy: the cosine before clamping, in [-1, 1]
	Model  string   `json:"model,omitempty"`  // fingerprint of the embedding model

	Facts []FactResult `json:"facts,omitempty"` // for completeness: the result for each key fact
}

// FactResult is the result of looking for one key fact in an answer.
type FactResult struct {
	Fact     string `json:"fact"`               // as the suite writes it
	Outcome  string `json:"outcome"`            // said, contradicted or not_found
	Sentence string `json:"sentence,omitempty"` // the contradicting sentence of the answer
	Judged   bool   `json:"judged,omitempty"`   // the judge decided between said and not_found
}

// Names of metrics.
const (
	Accuracy          = "accuracy"
	Completeness      = "completeness"
	Grounding         = "grounding"
	DiagnosticJaccard = "diagnostic_jaccard"
	// the share of a case's criteria that a judge calls met; for information only
	Rubric = "rubric"
)

// MetricNames lists the metrics in the order of results and reports.
var MetricNames = [...]string{Accuracy, Completeness, Grounding, DiagnosticJaccard, Rubric}

// Default weights.
const (
	AccuracyWeight     = 1.0
	CompletenessWeight = 0.8
	GroundingWeight    = 1.0
	JaccardWeight      = 0.0
)

// Weights returns the default weight of each metric.
func Weights() map[string]float64 {
	return map[string]float64{Accuracy: AccuracyWeight, Completeness: CompletenessWeight, Grounding: GroundingWeight,
		DiagnosticJaccard: JaccardWeight}
}

// RulesVersion must change whenever an answer may be measured differently than before.
const RulesVersion = "7"

// Tolerance is added to a score before the score is compared with a threshold, so that 0.1+0.2 meets 0.3.
const Tolerance = 1e-9

// Meets reports whether score is at least threshold, within Tolerance. It returns false if score or threshold is NaN.
func Meets(score, threshold float64) bool { return score+Tolerance >= threshold }

// WarnNoWeight warns that no metric of an overall score has a weight above 0.
const WarnNoWeight = "no_weight"

// Overall returns Σ(value·weight)/Σweight of the metrics, not rounded. If no metric has a weight, it returns 0 and
// WarnNoWeight.
func Overall(metrics []Metric) (value float64, warn string) {
	var m Mean
	for _, metric := range metrics {
		m.Add(metric.Value, metric.Weight)
	}
	value, ok := m.Value()
	if !ok {
		return 0, WarnNoWeight
	}
	return value, ""
}

// Mean is an incremental weighted mean. Its zero value is ready to use. Equal input in equal order gives equal bits.
type Mean struct{ sum, weight float64 }

// Add adds value with the given weight. With weight 0 it does nothing, even if value is NaN.
func (m *Mean) Add(value, weight float64) {
	if weight == 0 {
		return
	}
	// The conversion prevents a fused multiply-add, whose result would differ between machines.
	m.sum += float64(value * weight)
	m.weight += weight
}

// Value returns the mean. It returns false if nothing with a weight was added.
func (m Mean) Value() (mean float64, ok bool) {
	if m.weight == 0 {
		return 0, false
	}
	return m.sum / m.weight, true
}

// Merge adds all values that were added to other.
func (m *Mean) Merge(other Mean) {
	m.sum += other.sum
	m.weight += other.weight
}

// PenaltyScore returns the penalty score of an answer: 1 minus the penalty of its category. By default, the penalty is
// 0 if the answer passed, and 1 otherwise. The penalty score does not affect accuracy.
func PenaltyScore(penalties map[string]float64, category string, passed bool) float64 {
	if p, set := penalties[category]; set {
		return 1 - p
	}
	if passed {
		return 1
	}
	return 0
}

// LatencyScore returns the score of a latency. It is 1 up to good, 0 from bad on, and linear between them. All three
// are in milliseconds, and good must be below bad.
func LatencyScore(good, bad, latency float64) float64 {
	return max(0, min(1, (bad-latency)/(bad-good)))
}

const (
	minDecimals = 3  // decimals of a score, a share or a threshold
	maxDecimals = 12 // largest number of decimals, to distinguish two figures
)

// FormatWithLimit returns value and limit as texts. The limit gets all of its decimals, and at least three. The value
// gets at least three decimals and at most maxDecimals. It gets as many as are needed to show on which side of the
// limit it is, and that it is not 0 or 1.
func FormatWithLimit(value, limit float64) (v, l string) {
	l = strconv.FormatFloat(limit, 'f', -1, 64)
	if _, decimals, _ := strings.Cut(l, "."); len(decimals) < minDecimals {
		l = strconv.FormatFloat(limit, 'f', minDecimals, 64)
	}
	for digits := minDecimals; ; digits++ {
		v = FormatDecimals(value, digits, 0, 1)
		shown, err := strconv.ParseFloat(v, 64)
		if digits >= maxDecimals || err != nil || cmp.Compare(shown, limit) == cmp.Compare(value, limit) {
			return v, l
		}
	}
}

// FormatScore returns value as text, for a value without a limit.
func FormatScore(value float64) string { return FormatDecimals(value, minDecimals, 0, 1) }

// FormatDecimals returns value as text with the given number of decimals. It adds decimals if the text would otherwise
// equal a number in exact that value does not equal.
func FormatDecimals(value float64, digits int, exact ...float64) string {
	for ; ; digits++ {
		text := strconv.FormatFloat(value, 'f', digits, 64)
		if digits >= maxDecimals || !roundsTo(text, value, digits, exact) {
			return text
		}
	}
}

func roundsTo(text string, value float64, digits int, exact []float64) bool {
	return slices.ContainsFunc(exact, func(end float64) bool {
		return math.Abs(value-end) > Tolerance &&
			strings.TrimPrefix(text, "-") == strconv.FormatFloat(end, 'f', digits, 64)
	})
}
