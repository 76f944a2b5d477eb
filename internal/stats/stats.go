// Package stats has the statistics behind a verdict: exact tests, adjusted probabilities, intervals and sample sizes.
// It uses no random numbers, so equal results give equal figures.
//
// A trial's value is in [0, 1]. A probability is one-sided, and a small one means that the head is worse.
package stats

import (
	"cmp"
	"math"
	"slices"
)

// Tolerances for rounding errors when a probability, or a value or drop, is compared with a limit.
const (
	SlackProbability = 1e-12
	SlackValue       = 1e-9
)

// AtMost reports whether p is at most level.
func AtMost(p, level float64) bool { return p <= level+SlackProbability }

// SnapToZero returns delta, or 0 if delta is so small that it is only a rounding error.
func SnapToZero(delta float64) float64 {
	if math.Abs(delta) < SlackProbability {
		return 0
	}
	return delta
}

// Count has the number of trials of a case on one side, and how many of them passed.
type Count struct{ Passed, Trials int }

// Holm returns the probabilities of a family of tests, adjusted by Holm's method and in the order of p. If each is
// compared with a level, the chance of any false alarm is at most that level.
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

// Normal95 is half the width of a 95 % interval, in standard errors.
const Normal95 = 1.959963984540054

// NormalQuantile returns z with P(Z <= z) = p for a standard normal Z. It returns NaN if p is not in (0, 1).
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

// deepTail returns z with P(Z > z) = p for a standard normal Z and p below 1e-16.
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

// Planning computes which drop a run can detect, and how many trials a smaller drop needs.
type Planning struct {
	Sigma2 float64 // variance of one trial within a case
	Alpha  float64 // level of one test
	Power  float64 // chance that a drop is detected, such as 0.8
}

// Detectable returns the smallest drop that the given number of trials on each side detects, if every case drops alike.
// It is above 1 if the trials are too few.
func (p Planning) Detectable(trials int) float64 {
	z := p.z()
	a := float64(z*z) / float64(trials)
	return (a + math.Sqrt(float64(a*a)+8*float64(a*p.Sigma2))) / 2
}

// Trials returns how many trials each side needs, over all cases, to detect that every case drops by drop, which is in
// (0, 1]. It includes the variance that the drop adds.
func (p Planning) Trials(drop float64) int {
	z := p.z()
	return int(math.Ceil(float64(z*z) * (2*p.Sigma2 + drop) / float64(drop*drop)))
}

func (p Planning) z() float64 { return NormalQuantile(1-p.Alpha) + NormalQuantile(p.Power) }
