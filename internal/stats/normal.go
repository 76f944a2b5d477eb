package stats

import "math"

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
