// Package stats holds the statistics behind a verdict: exact tests, adjusted probabilities, intervals and sample
// sizes. It works on numbers only and uses no random numbers, so equal results give equal figures.
//
// A trial's value is in [0, 1]. A probability is one-sided; a small one means that the head is worse.
package stats

import (
	"cmp"
	"math"
	"slices"
)

// Rounding tolerances for comparing a probability, a value or a drop with a limit.
const (
	SlackProbability = 1e-12
	SlackValue       = 1e-9
)

// Reaches reports whether p is at most level.
func Reaches(p, level float64) bool { return p <= level+SlackProbability }

// SnapToZero returns delta, or 0 if it is only a rounding error.
func SnapToZero(delta float64) float64 {
	if math.Abs(delta) < SlackProbability {
		return 0
	}
	return delta
}

// Count counts the trials of a case on one side and those that passed.
type Count struct{ Passed, Trials int }

// Holm adjusts the probabilities of a family of tests: comparing each with a level keeps the chance of any false
// alarm below that level. The result is in the order of p.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	out := make([]float64, len(p))
	largest := 0.0
	for rank, i := range order {
		largest = max(largest, min(1, float64(len(p)-rank)*p[i]))
		out[i] = largest
	}
	return out
}

// Normal95 is the half width of a 95 % interval in standard errors.
const Normal95 = 1.959963984540054

// NormalQuantile returns z with P(Z <= z) = p for a standard normal Z; NaN unless p is in (0, 1).
func NormalQuantile(p float64) float64 {
	if !(p > 0 && p < 1) {
		return math.NaN()
	}
	z := math.Sqrt2 * math.Erfinv(2*p-1)
	if math.IsInf(z, 0) { // 2p-1 was rounded to -1
		return -deepTail(p)
	}
	// One step of Newton's method on the tail, because 2p-1 is too coarse for small p.
	density := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
	return z - (math.Erfc(-z/math.Sqrt2)/2-p)/density
}

// deepTail returns the z with an upper tail of p, for p below 1e-16.
func deepTail(p float64) float64 {
	lo, hi := 8.0, 40.0
	for range 100 {
		mid := (lo + hi) / 2
		if math.Erfc(mid/math.Sqrt2)/2 > p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// Planning computes what a run can detect, and what it takes to detect more.
type Planning struct {
	Sigma2 float64 // variance of one trial within a case
	Alpha  float64 // level of one test
	Power  float64 // chance that a drop is detected, such as 0.8
}

// Detectable returns the smallest drop, equal in every case, that the given number of trials on each side detects. It
// is above 1 if the trials are too few.
func (p Planning) Detectable(trials int) float64 {
	z := p.z()
	a := float64(z*z) / float64(trials)
	return (a + math.Sqrt(float64(a*a)+8*float64(a*p.Sigma2))) / 2
}

// Trials returns the number of trials that each side needs, over all cases, so that the test detects that every case
// drops by the given number in (0, 1]. It includes the variance that the drop adds.
func (p Planning) Trials(drop float64) int {
	z := p.z()
	return int(math.Ceil(float64(z*z) * (2*p.Sigma2 + drop) / float64(drop*drop)))
}

func (p Planning) z() float64 { return NormalQuantile(1-p.Alpha) + NormalQuantile(p.Power) }
