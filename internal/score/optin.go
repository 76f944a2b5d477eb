package score

// Penalised is document 000's penalty-based score of one answer: 1 less the penalty of its category, which is 0 for a
// pass and 1 for others unless the user sets it. It stands beside the accuracy and does not change it.
func Penalised(penalties map[string]float64, category string, passed bool) float64 {
	if p, set := penalties[category]; set {
		return 1 - p
	}
	if passed {
		return 1
	}
	return 0
}

// Latency is document 000's latency score of one answer: 1 up to good, 0 from bad on, a straight line between. All are in
// milliseconds, good below bad. It is independent of what was answered.
func Latency(good, bad, took float64) float64 {
	return max(0, min(1, (bad-took)/(bad-good)))
}
