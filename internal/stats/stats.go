// Package stats is the arithmetic behind a verdict that noise cannot flip: exact tests, adjusted probabilities,
// intervals and sample sizes. Numbers in, numbers out; it knows no suites, no gate and no words for a reader. Nothing
// in it draws a random number: every probability is counted, so that equal results give equal figures.
//
// A trial's value is in [0, 1]. A probability is one-sided, and small means that the head is worse.
package stats

import (
	"cmp"
	"math"
	"slices"
)

// Slack is the room that rounding gets where a probability, a value or a drop is held to a limit.
const (
	SlackProbability = 1e-12
	SlackValue       = 1e-9
)

// Reaches reports whether a probability is as small as level.
func Reaches(p, level float64) bool { return p <= level+SlackProbability }

// SnapToZero returns 0 for a difference that is only the rounding error of a sum, and any other difference unchanged.
func SnapToZero(delta float64) float64 {
	if math.Abs(delta) < SlackProbability {
		return 0
	}
	return delta
}

// Count is how many trials of one side of a case passed. 0 <= Passed <= Trials.
type Count struct{ Passed, Trials int }

// Holm adjusts the probabilities of one family, so that holding each to a level keeps the chance of any false alarm
// below that level. The result is in the order of p.
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

// Normal95 is the half width of a 95 % interval in standard errors.
const Normal95 = 1.959963984540054

// NormalQuantile returns z with P(Z <= z) = p for a standard normal Z; p is in (0, 1), anything else gives NaN.
func NormalQuantile(p float64) float64 {
	if !(p > 0 && p < 1) {
		return math.NaN()
	}
	z := math.Sqrt2 * math.Erfinv(2*p-1)
	if math.IsInf(z, 0) { // p so small that 2p-1 is -1; bisection below the smallest tail that Erfinv resolves
		return -deepTail(p)
	}
	// One step of Newton's method on the tail itself, which 2p-1 cannot resolve for small p.
	density := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
	return z - (math.Erfc(-z/math.Sqrt2)/2-p)/density
}

// deepTail returns the z whose upper tail is p, for p below 1e-16.
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

// Planning is what a run of n cases and k trials a side could have found, and what it would take to find more.
type Planning struct {
	Sigma2 float64 // variance of one trial inside a case
	Alpha  float64 // level of one look
	Power  float64 // the share of such drops that are to be found, 0.8
}

// Detectable returns the smallest drop of every case alike that so many trials a side (cases times k) find; above 1 for
// very few.
func (p Planning) Detectable(trials int) float64 {
	z := p.z()
	a := float64(z*z) / float64(trials)
	return (a + math.Sqrt(float64(a*a)+8*float64(a*p.Sigma2))) / 2
}

// Trials returns how many case-trials a side it takes to find a drop in (0, 1] of every case alike. The drop adds its
// own variance: a case that always passed varies once it does not.
func (p Planning) Trials(drop float64) int {
	z := p.z()
	return int(math.Ceil(float64(z*z) * (2*p.Sigma2 + drop) / float64(drop*drop)))
}

func (p Planning) z() float64 { return NormalQuantile(1-p.Alpha) + NormalQuantile(p.Power) }
