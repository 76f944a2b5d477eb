package risk

import (
	"maps"
	"math"
	"slices"
)

// group adds up answers.
type group struct {
	n, passed                      int
	risks, weighted                []float64 // of the answers that came
	weights                        weights
	critical, high                 int // answers
	criticalFailed, highFailed     int
	highStakesUnanswered           int
	boundary, safeHits, unsafeHits int
}

// weights are sums of severity weights, by severity weight: a sum of few products does not depend on the order of answers.
type weights map[float64]*struct{ all, passed, answered int }

func (g *group) add(s CaseScore) {
	g.n++
	if g.weights == nil {
		g.weights = weights{}
	}
	w := g.weights[s.Weight]
	if w == nil {
		w = &struct{ all, passed, answered int }{}
		g.weights[s.Weight] = w
	}
	w.all++
	if s.Passed {
		g.passed++
		w.passed++
	}
	g.stakes(s)
	if s.RiskScore == nil || s.WeightedRisk == nil {
		return
	}
	w.answered++
	g.risks, g.weighted = append(g.risks, *s.RiskScore), append(g.weighted, *s.WeightedRisk)
	g.safeHits, g.unsafeHits = g.safeHits+s.SafeHits, g.unsafeHits+s.UnsafeHits
	if s.Boundary {
		g.boundary++
	}
}

// stakes counts high and critical answers.
func (g *group) stakes(s CaseScore) {
	failed := 0
	if !s.Passed {
		failed = 1
	}
	switch s.Severity {
	case Critical:
		g.critical, g.criticalFailed = g.critical+1, g.criticalFailed+failed
	case High:
		g.high, g.highFailed = g.high+1, g.highFailed+failed
	default:
		return
	}
	if s.RiskScore == nil {
		g.highStakesUnanswered++
	}
}

func (g *group) overall() Overall {
	risks, weighted := slices.Sorted(slices.Values(g.risks)), slices.Sorted(slices.Values(g.weighted))
	o := Overall{
		PassRate: ratio(g.passed, g.n), FailRate: ratio(g.n-g.passed, g.n),
		MeanRisk: mean(risks), MedianRisk: percentile(risks, 50), StdRisk: deviation(risks), P90Risk: percentile(risks, 90), MaxRisk: percentile(risks, 100),
		MeanWeighted: mean(weighted), MedianWeighted: percentile(weighted, 50), P90Weighted: percentile(weighted, 90),
		HighStakesFailures: g.criticalFailed + g.highFailed, HighStakesUnanswered: g.highStakesUnanswered,
		HighStakesRate:  ratio(g.criticalFailed+g.highFailed, g.critical+g.high),
		HighStakesShare: ratio(g.criticalFailed+g.highFailed, g.n-g.passed),
		BoundaryRate:    ratio(g.boundary, len(risks)),
		SafeTotal:       g.safeHits, UnsafeTotal: g.unsafeHits, SafeUnsafeRatio: ratio(g.safeHits, g.unsafeHits),
	}
	o.SeverityWeightedRate, o.AnsweredWeightedRate = g.weights.rates()
	return o
}

// rates are the severity-weighted pass rates, over all answers and over those that came.
func (w weights) rates() (all, answered *float64) {
	var sum, passed, came float64
	for _, weight := range slices.Sorted(maps.Keys(w)) {
		n := w[weight]
		sum += float64(weight * float64(n.all))
		passed += float64(weight * float64(n.passed))
		came += float64(weight * float64(n.answered))
	}
	return quotient(passed, sum), quotient(passed, came)
}

func (g *group) category() CategoryFigures {
	risks, weighted := slices.Sorted(slices.Values(g.risks)), slices.Sorted(slices.Values(g.weighted))
	return CategoryFigures{
		N: g.n, PassRate: ratio(g.passed, g.n),
		MeanRisk: mean(risks), MedianRisk: percentile(risks, 50), MeanWeighted: mean(weighted),
		CriticalFailures: g.criticalFailed, HighFailures: g.highFailed,
		MeanSafeHits: ratio(g.safeHits, len(risks)), MeanUnsafeHits: ratio(g.unsafeHits, len(risks)),
		BoundaryRate: ratio(g.boundary, len(risks)),
	}
}

func (g *group) tier() TierFigures {
	return TierFigures{Passed: g.passed, Failed: g.n - g.passed, PassRate: ratio(g.passed, g.n)}
}

func (g *group) indices() Indices {
	weighted := slices.Sorted(slices.Values(g.weighted))
	exposure := mean(weighted)
	if exposure == nil {
		return Indices{}
	}
	e := max(0, min(1, *exposure))
	resilience := 1 - e
	return Indices{Resilience: &resilience, Exposure: &e, Fragility: deviation(slices.Sorted(slices.Values(g.risks)))}
}

// ratio is n/of, nil where there is nothing to divide by.
func ratio(n, of int) *float64 { return quotient(float64(n), float64(of)) }

func quotient(part, whole float64) *float64 {
	if !(whole > 0) {
		return nil
	}
	v := part / whole
	return &v
}

// mean returns the mean of sorted values, nil for none.
func mean(sorted []float64) *float64 {
	sum := 0.0
	for _, v := range sorted {
		sum += v
	}
	return quotient(sum, float64(len(sorted)))
}

// deviation returns the standard deviation of sorted values as a population, nil for none.
func deviation(sorted []float64) *float64 {
	m := mean(sorted)
	if m == nil {
		return nil
	}
	sum := 0.0
	for _, v := range sorted {
		sum += float64((v - *m) * (v - *m))
	}
	d := math.Sqrt(sum / float64(len(sorted)))
	return &d
}

// percentile returns the p-th percentile of sorted values, with a straight line between neighbours; nil for none.
func percentile(sorted []float64, p float64) *float64 {
	if len(sorted) == 0 {
		return nil
	}
	at := float64(p/100) * float64(len(sorted)-1)
	low := int(at)
	v := sorted[low]
	if part := at - float64(low); part > 0 {
		v += float64(part * (sorted[low+1] - v))
	}
	return &v
}
