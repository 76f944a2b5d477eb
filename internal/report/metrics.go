package report

import (
	"slices"

	"github.com/failproof/failproof/internal/score"
)

// MetricSummary is one metric over the answers of a suite or a run. Means are in [0, 1]; null if the side has no such
// metric.
type MetricSummary struct {
	Name      string   `json:"name"`
	Weight    float64  `json:"weight"`
	Value     *float64 `json:"value"`      // mean over the head's answers
	BaseValue *float64 `json:"base_value"` // over the base's
	Answers   int      `json:"answers"`    // head answers that have the metric
	Degraded  int      `json:"degraded"`   // of these, answers that the metric's fallback scored
}

// OptIns are the optional scores of docs/reference/metrics.md. They change no other score. A score is null if it is
// switched off or nothing has it.
type OptIns struct {
	Penalty     *float64 `json:"penalty_score"` // mean over the head's answers
	BasePenalty *float64 `json:"base_penalty_score"`
	Latency     *float64 `json:"latency_score"`
	BaseLatency *float64 `json:"base_latency_score"`
}

// metricSums sums up the metrics and optional scores of a suite's answers.
type metricSums struct {
	metrics [len(score.MetricNames)]metricMean
	penalty score.Mean
	latency score.Mean
}

// metricMean is the mean of one metric over many answers.
type metricMean struct {
	mean              score.Mean
	weight            float64
	answers, degraded int
	semantic          int
}

func (m *metricSums) add(r Result) {
	for _, x := range r.Metrics {
		if i := slices.Index(score.MetricNames[:], x.Name); i >= 0 {
			m.metrics[i].add(x)
		}
	}
	addOptional(&m.penalty, r.Scores.Penalty)
	addOptional(&m.latency, r.Scores.Latency)
}

func (m *metricMean) add(x score.Metric) {
	m.mean.Add(x.Value, 1)
	m.weight = x.Weight
	m.answers++
	if x.Degraded {
		m.degraded++
	}
	if x.Method == score.MethodSemantic {
		m.semantic++
	}
}

func addOptional(m *score.Mean, v *float64) {
	if v != nil {
		m.Add(*v, 1)
	}
}

// join adds the sums of another suite.
func (m *metricSums) join(other metricSums) {
	for i, x := range other.metrics {
		m.metrics[i].mean.Merge(x.mean)
		m.metrics[i].weight = max(m.metrics[i].weight, x.weight)
		m.metrics[i].answers += x.answers
		m.metrics[i].degraded += x.degraded
		m.metrics[i].semantic += x.semantic
	}
	m.penalty.Merge(other.penalty)
	m.latency.Merge(other.latency)
}

// sums joins the sums of suites. A nil suite has none.
func sums(suites []*SuiteSide) (m metricSums) {
	for _, s := range suites {
		if s != nil {
			m.join(s.metrics)
		}
	}
	return m
}

// SummarizeMetrics returns the metrics that suites have on either side, in the order of score.MetricNames. It also
// returns the optional scores. A suite may be nil.
func SummarizeMetrics(heads, bases []*SuiteSide) ([]MetricSummary, OptIns) {
	out, head, base := []MetricSummary{}, sums(heads), sums(bases)
	for i, name := range score.MetricNames {
		h, b := head.metrics[i], base.metrics[i]
		if h.answers+b.answers == 0 {
			continue
		}
		out = append(out, MetricSummary{Name: name, Weight: max(h.weight, b.weight), Value: Optional(h.mean.Value()),
			BaseValue: Optional(b.mean.Value()),
			Answers:   h.answers, Degraded: h.degraded})
	}
	return out, OptIns{Penalty: Optional(head.penalty.Value()), BasePenalty: Optional(base.penalty.Value()),
		Latency: Optional(head.latency.Value()), BaseLatency: Optional(base.latency.Value())}
}

// Optional returns a pointer to value; nil if ok is false.
func Optional(value float64, ok bool) *float64 {
	if !ok {
		return nil
	}
	return &value
}

// OverallScore returns the mean of the suites' overall scores, with the weights of the run score. It returns false if
// no suite has an overall score.
func (s *Side) OverallScore() (float64, bool) { return s.weightedMean((*SuiteSide).OverallScore) }
