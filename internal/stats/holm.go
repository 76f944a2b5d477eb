package stats

import (
	"cmp"
	"slices"
)

// Holm adjusts probabilities of one family, so that holding each to a level keeps the chance of any false alarm below that
// level. The order of the result is that of p.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	out := make([]float64, len(p))
	most := 0.0
	for rank, i := range order {
		most = max(most, min(1, float64(len(p)-rank)*p[i]))
		out[i] = most
	}
	return out
}
