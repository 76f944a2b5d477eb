package main

import "math"

// clopperPearson is the exact interval of a share that was seen in `seen` of n runs.
func clopperPearson(seen, n int, level float64) (lo, hi float64) {
	tail := (1 - level) / 2
	lo, hi = 0, 1
	if seen > 0 {
		lo = solve(func(p float64) bool { return atLeast(seen, n, p) < tail })
	}
	if seen < n {
		hi = solve(func(p float64) bool { return 1-atLeast(seen+1, n, p) > tail })
	}
	return lo, hi
}

// solve finds the largest p in [0, 1] for which below holds, which holds up to it.
func solve(below func(p float64) bool) float64 {
	lo, hi := 0.0, 1.0
	for range 60 {
		if mid := (lo + hi) / 2; below(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// atLeast is the chance of at least so many of n, each with chance p.
func atLeast(seen, n int, p float64) float64 {
	if p <= 0 {
		return 0
	}
	sum := 0.0
	all, _ := math.Lgamma(float64(n + 1))
	for x := seen; x <= n; x++ {
		a, _ := math.Lgamma(float64(x + 1))
		b, _ := math.Lgamma(float64(n - x + 1))
		sum += math.Exp(all - a - b + float64(x)*math.Log(p) + float64(n-x)*math.Log1p(-p))
	}
	return min(1, sum)
}
