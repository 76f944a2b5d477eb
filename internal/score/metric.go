package score

// WarnNoWeight is the warning of an overall score that had no metric with a weight to average.
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
