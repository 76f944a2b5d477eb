package compare_test

import "math"

// betaBelow is the chance of a beta variable below x: the regularised incomplete beta function, by its continued
// fraction (Lentz).
func betaBelow(x, a, b float64) float64 {
	if x <= 0 || x >= 1 {
		return math.Max(0, math.Min(1, math.Ceil(x)))
	}
	if x > (a+1)/(a+b+2) {
		return 1 - betaBelow(1-x, b, a)
	}
	ab, _ := math.Lgamma(a + b)
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	front := math.Exp(ab - la - lb + a*math.Log(x) + b*math.Log1p(-x))
	const tiny = 1e-300
	c, d, f := 1.0, 0.0, 1.0
	for i := range 1000 {
		m := float64(i / 2)
		step := 1.0
		switch {
		case i == 0:
		case i%2 == 0:
			step = m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		default:
			step = -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		}
		if d = 1 + step*d; math.Abs(d) < tiny {
			d = tiny
		}
		if c = 1 + step/c; math.Abs(c) < tiny {
			c = tiny
		}
		d = 1 / d
		f *= c * d
		if i > 0 && math.Abs(1-c*d) < 1e-15 {
			break
		}
	}
	return front * (f - 1) / a
}

// quantile finds the x with below(x) = p by halving.
func quantile(p, lo, hi float64, below func(float64) float64) float64 {
	for range 200 {
		if mid := (lo + hi) / 2; below(mid) < p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

func betaQuantile(p, a, b float64) float64 {
	return quantile(p, 0, 1, func(x float64) float64 { return betaBelow(x, a, b) })
}

// studentBelow is the chance of Student's t with so many degrees of freedom below t.
func studentBelow(t, freedom float64) float64 {
	tail := betaBelow(freedom/(freedom+t*t), freedom/2, 0.5) / 2
	if t > 0 {
		return 1 - tail
	}
	return tail
}

func studentQuantile(p, freedom float64) float64 {
	return quantile(p, -1e3, 1e3, func(t float64) float64 { return studentBelow(t, freedom) })
}
