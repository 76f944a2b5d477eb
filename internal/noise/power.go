package noise

import (
	"math"

	"github.com/failproof/failproof/internal/stats"
)

// DetectionChance returns the chance, in [0, 1], that a run proves a single case broken that was always right and now
// fails in the given share of its answers: its first answers make it a suspect, and its fresh ones confirm it. Other
// cases do not flip.
func (s Settings) DetectionChance(fails float64) float64 {
	if s.Confirm == 0 {
		return 0
	}
	region := stats.Prove(s.Confirm, s.single(false))
	most := -1 // right answers of the head that still prove it
	for region.Has(s.Confirm, most+1) {
		most++
	}
	return atMost(s.Trials/2, s.Trials, 1-fails) * atMost(most, s.Confirm, 1-fails)
}

// atMost returns the chance of at most k successes in n trials with success chance p.
func atMost(k, n int, p float64) (sum float64) {
	ways := 1.0
	for i := 0; i <= k; i++ {
		sum += ways * math.Pow(p, float64(i)) * math.Pow(1-p, float64(n-i))
		ways = ways * float64(n-i) / float64(i+1)
	}
	return min(sum, 1)
}
