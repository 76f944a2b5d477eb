package noise

import (
	"math"

	"github.com/failproof/failproof/internal/stats"
)

// DetectionChance returns the chance, in [0, 1], that a run confirms a single regression. The regressed case was always
// right, and the share fails of its answers is wrong now. Its first answers must make it a candidate, and its reruns
// must confirm it.
func (s Settings) DetectionChance(fails float64) float64 {
	if s.Confirm == 0 {
		return 0
	}
	region := stats.NewRegion(s.Confirm, s.singleLevel(false))
	maxHead := -1 // most passes on the head with which the case is still confirmed
	for region.Has(s.Confirm, maxHead+1) {
		maxHead++
	}
	return binomialCDF(s.Trials/2, s.Trials, 1-fails) * binomialCDF(maxHead, s.Confirm, 1-fails)
}

// binomialCDF returns the chance of at most k successes in n trials with success chance p.
func binomialCDF(k, n int, p float64) (sum float64) {
	ways := 1.0
	for i := 0; i <= k; i++ {
		sum += ways * math.Pow(p, float64(i)) * math.Pow(1-p, float64(n-i))
		ways = ways * float64(n-i) / float64(i+1)
	}
	return min(sum, 1)
}
