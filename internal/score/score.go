// Package score computes the metrics of one answer, and case, suite and run scores (docs/reference/metrics.md). It does
// no I/O and knows no file format. Packages label, fact and likeness read the answers.
package score

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Metric is a measurement of one answer. Value and Weight are in [0, 1]. Description may quote the answer.
type Metric struct {
	Name        string  `json:"name"`
	Value       float64 `json:"value"`
	Weight      float64 `json:"weight"`
	Description string  `json:"description"`
	Method      string  `json:"method,omitempty"` // label, semantic, lexical_fallback
	Status      string  `json:"status,omitempty"` // no_label, …
	Degraded    bool    `json:"degraded,omitempty"`

	Cosine *float64 `json:"cosine,omitempty"` // the cosine behind a semantic accuracy, before clamping, in [-1, 1]
	Model  string   `json:"model,omitempty"`  // fingerprint of the embedding model

	Facts []FactRead `json:"facts,omitempty"` // for completeness: what was found of each key fact
}

// FactRead is the result of looking for one key fact in an answer.
type FactRead struct {
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
	// the share of a case's criteria that a judge calls met, for information only
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

// RulesVersion changes whenever an answer may be measured differently.
const RulesVersion = "2"

// Tolerance is added to a score before it is compared with a threshold, so that 0.1+0.2 meets 0.3.
const Tolerance = 1e-9

// Meets reports whether score is at least bar, within Tolerance; false for NaN.
func Meets(score, bar float64) bool { return score+Tolerance >= bar }

// WarnNoWeight warns that no metric of an overall score has a weight.
const WarnNoWeight = "no_weight"

// Overall returns Σ(value·weight)/Σweight, not rounded. Metrics of weight 0 do not count. Without any weight it returns
// 0 and WarnNoWeight.
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

// Add adds a value. With weight 0 it does nothing, even for a NaN.
func (m *Mean) Add(value, weight float64) {
	if weight == 0 {
		return
	}
	// The conversion prevents a fused multiply-add, whose result would differ between machines.
	m.sum += float64(value * weight)
	m.weight += weight
}

// Value returns the mean; false if nothing with a weight was added.
func (m Mean) Value() (mean float64, ok bool) {
	if m.weight == 0 {
		return 0, false
	}
	return m.sum / m.weight, true
}

// Join adds all values of another mean.
func (m *Mean) Join(other Mean) {
	m.sum += other.sum
	m.weight += other.weight
}

// Tally counts the trials of one case. Unscored trials are included in Trials, never in Passed.
type Tally struct{ Passed, Trials, Unscored int }

// Score returns the mean accuracy of all trials, counting unscored ones as 0; false if the case has no trial.
func (t Tally) Score() (mean float64, ok bool) { return share(t.Passed, t.Trials) }

// AnsweredScore returns the mean accuracy of the answered trials; false if there are none.
func (t Tally) AnsweredScore() (mean float64, ok bool) { return share(t.Passed, t.Trials-t.Unscored) }

func share(part, whole int) (float64, bool) {
	if whole <= 0 {
		return 0, false
	}
	return float64(part) / float64(whole), true
}

// Suite returns the suite score: the mean of the cases' scores, in [0, 1]. It returns false if there are none. For the
// cases of all suites together, the result is the micro score.
func Suite(cases iter.Seq[Tally]) (mean float64, ok bool) { return average(cases, Tally.Score) }

// SuiteAnswered returns the suite score over the answered trials; false if there are none.
func SuiteAnswered(cases iter.Seq[Tally]) (mean float64, ok bool) {
	return average(cases, Tally.AnsweredScore)
}

func average(cases iter.Seq[Tally], score func(Tally) (float64, bool)) (float64, bool) {
	var m Mean
	for c := range cases {
		if s, ok := score(c); ok {
			m.Add(s, 1)
		}
	}
	return m.Value()
}

// Penalised returns the penalty score: 1 minus the penalty of the category, by default 0 for a pass and 1 for others.
// It does not affect accuracy.
func Penalised(penalties map[string]float64, category string, passed bool) float64 {
	if p, set := penalties[category]; set {
		return 1 - p
	}
	if passed {
		return 1
	}
	return 0
}

// Latency returns the score of a latency: 1 up to good, 0 from bad on, and linear between. All three are milliseconds,
// and good is below bad.
func Latency(good, bad, latency float64) float64 { return max(0, min(1, (bad-latency)/(bad-good))) }

const (
	figureDigits = 3  // of a score, a share or a threshold
	mostDigits   = 12 // at most, to distinguish two figures
)

// Figures formats a value and its limit. The limit gets all of its decimals, and at least three. The value gets from
// three to mostDigits decimals: as many as it takes to show on which side of the limit the value is, and that it is not
// 0 or 1.
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

// Figure formats a value without a limit.
func Figure(value float64) string { return Fixed(value, figureDigits, 0, 1) }

// Fixed formats a value with a number of decimals. It adds decimals if the text would otherwise show a number in ends
// that the value does not equal.
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
