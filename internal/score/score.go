// Package score holds the arithmetic of documents 000 and 002: the metrics of one answer, and case, suite and run
// scores. It does no I/O and knows no file format. What an answer says it has from label, fact and likeness, which
// share one reading of it.
package score

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
)

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

	Facts []FactRead `json:"facts,omitempty"` // of completeness: what the answer says of each key fact
}

// FactRead is what one answer says of one key fact.
type FactRead struct {
	Fact     string `json:"fact"`               // as the suite has it
	Outcome  string `json:"outcome"`            // said, contradicted or not_found
	Sentence string `json:"sentence,omitempty"` // of the answer, which contradicts the fact
	Judged   bool   `json:"judged,omitempty"`   // a judge decided between said and not_found
}

// Names of metrics.
const (
	Accuracy          = "accuracy"
	Completeness      = "completeness"
	Grounding         = "grounding"
	DiagnosticJaccard = "diagnostic_jaccard"
	// the share of a case's criteria that a judge calls met; it is told, and weighs nothing
	Rubric = "rubric"
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
	return map[string]float64{Accuracy: AccuracyWeight, Completeness: CompletenessWeight, Grounding: GroundingWeight,
		DiagnosticJaccard: JaccardWeight}
}

// RulesVersion changes whenever an answer can be measured differently.
const RulesVersion = "2"

// Tolerance is added to a score before it is compared with a threshold, so that 0.1+0.2 meets 0.3.
const Tolerance = 1e-9

// Meets reports whether score reaches bar. NaN meets nothing.
func Meets(score, bar float64) bool { return score+Tolerance >= bar }

// WarnNoWeight is the warning of an overall score without a metric that has a weight.
const WarnNoWeight = "no_weight"

// Overall returns Σ(value·weight)/Σweight, not rounded (document 002). A metric of weight 0 never enters. Without any
// weight it is 0, and warn is WarnNoWeight.
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

// Mean is a weighted mean to which values are added one at a time. The zero value is ready. Equal input in equal order
// gives equal bits.
type Mean struct{ sum, weight float64 }

// Add counts value with weight; a weight of 0 never enters, not even with a NaN.
func (m *Mean) Add(value, weight float64) {
	if weight == 0 {
		return
	}
	// The conversions keep a compiler from fusing the product into the sum, which would differ between machines.
	m.sum += float64(value * weight)
	m.weight += weight
}

// Value returns the mean, and false when nothing with a weight was added.
func (m Mean) Value() (mean float64, ok bool) {
	if m.weight == 0 {
		return 0, false
	}
	return m.sum / m.weight, true
}

// Join adds what another mean has gathered.
func (m *Mean) Join(other Mean) {
	m.sum += other.sum
	m.weight += other.weight
}

// Tally counts the trials of one case. Unscored trials are among Trials and never among Passed.
type Tally struct{ Passed, Trials, Unscored int }

// Score returns the mean accuracy of all trials, unscored ones counting 0 (document 000, section 2); false if the case
// has no trial.
func (t Tally) Score() (mean float64, ok bool) { return share(t.Passed, t.Trials) }

// AnsweredScore returns the mean accuracy of the trials with an answer; false if there are none.
func (t Tally) AnsweredScore() (mean float64, ok bool) { return share(t.Passed, t.Trials-t.Unscored) }

func share(part, whole int) (float64, bool) {
	if whole <= 0 {
		return 0, false
	}
	return float64(part) / float64(whole), true
}

// Suite returns the suite score (document 000, section 3): the mean over the cases of the mean over their trials, in
// [0, 1]; false without a result. Over the cases of all suites it is the micro score.
func Suite(cases iter.Seq[Tally]) (mean float64, ok bool) { return average(cases, Tally.Score) }

// SuiteAnswered returns the suite score over the trials with an answer to judge; false if there are none.
func SuiteAnswered(cases iter.Seq[Tally]) (mean float64, ok bool) {
	return average(cases, Tally.AnsweredScore)
}

func average(cases iter.Seq[Tally], of func(Tally) (float64, bool)) (float64, bool) {
	var m Mean
	for c := range cases {
		if s, ok := of(c); ok {
			m.Add(s, 1)
		}
	}
	return m.Value()
}

// Weighted is a suite score with the suite's weight in the run score.
type Weighted struct{ Score, Weight float64 }

// Run returns the run score (document 000, section 4): the mean of the suite scores, weighted if weights are set, in
// [0, 1]; false if no suite has a score. The caller leaves out suites without a result, rather than count them as 0.
func Run(suites []Weighted) (mean float64, ok bool) {
	var m Mean
	for _, s := range suites {
		m.Add(s.Score, s.Weight)
	}
	return m.Value()
}

// Penalised returns document 000's penalty-based score of one answer: 1 less the penalty of its category, which is 0
// for a pass and 1 for others unless the user sets it. It does not change the accuracy.
func Penalised(penalties map[string]float64, category string, passed bool) float64 {
	if p, set := penalties[category]; set {
		return 1 - p
	}
	if passed {
		return 1
	}
	return 0
}

// Latency returns document 000's latency score of one answer: 1 up to good, 0 from bad on, and linear between. All are
// in milliseconds, and good is below bad.
func Latency(good, bad, took float64) float64 { return max(0, min(1, (bad-took)/(bad-good))) }

const (
	figureDigits = 3  // of a score, a share or a bar in a sentence
	mostDigits   = 12 // that two figures are told apart by
)

// Figures writes a value and its limit. The limit is written as it was set, with at least three decimals; the value
// with enough to stay on its side of the limit, and not to look like 0 or 1 unless it is.
func Figures(value, limit float64) (v, l string) {
	l = strconv.FormatFloat(limit, 'f', -1, 64)
	if _, decimals, _ := strings.Cut(l, "."); len(decimals) < figureDigits {
		l = strconv.FormatFloat(limit, 'f', figureDigits, 64)
	}
	for digits := figureDigits; ; digits++ {
		v = Fixed(value, digits, 0, 1)
		shown, err := strconv.ParseFloat(v, 64)
		if digits >= mostDigits || err != nil || cmp.Compare(shown, limit) == cmp.Compare(value, limit) {
			return v, l
		}
	}
}

// Figure writes a value that is held to nothing.
func Figure(value float64) string { return Fixed(value, figureDigits, 0, 1) }

// Fixed writes a value with so many decimals, or with as many as it takes not to look like one of ends unless it is.
func Fixed(value float64, digits int, ends ...float64) string {
	for ; ; digits++ {
		text := strconv.FormatFloat(value, 'f', digits, 64)
		if digits >= mostDigits || !looksLike(text, value, digits, ends) {
			return text
		}
	}
}

func looksLike(text string, value float64, digits int, ends []float64) bool {
	return slices.ContainsFunc(ends, func(end float64) bool {
		return math.Abs(value-end) > Tolerance &&
			strings.TrimPrefix(text, "-") == strconv.FormatFloat(end, 'f', digits, 64)
	})
}
