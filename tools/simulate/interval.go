package main

import "gonum.org/v1/gonum/mathext"

// clopperPearson is the exact interval of a share that was seen in `seen` of n runs.
func clopperPearson(seen, n int, level float64) (lo, hi float64) {
	tail, x, rest := (1-level)/2, float64(seen), float64(n-seen)
	lo, hi = 0, 1
	if seen > 0 {
		lo = mathext.InvRegIncBeta(x, rest+1, tail)
	}
	if seen < n {
		hi = mathext.InvRegIncBeta(x+1, rest, 1-tail)
	}
	return lo, hi
}
