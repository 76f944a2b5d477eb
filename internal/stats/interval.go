package stats

import "math"

// Pair holds the values of one case's trials, at least one on each side.
type Pair struct{ Base, Head []float64 }

// Delta returns the mean of the head's values minus the mean of the base's.
func (p Pair) Delta() float64 { return mean(p.Head) - mean(p.Base) }

// Methods of a rerun interval.
const (
	MethodWithin    = "within_case" // from the variance of the trials within each case
	MethodAgresti   = "agresti_min" // for one trial on each side: from the differences, with two more cases assumed
	MethodUnchanged = "unchanged"   // every case has one answer for both sides
)

// RerunDistribution is the distribution of the delta that is expected if the same comparison were run again.
type RerunDistribution struct {
	Center float64
	SE     float64 // standard error
	Method string  // MethodWithin, MethodAgresti or MethodUnchanged
	Sigma2 float64 // variance of one trial within a case, used by Planning
}

// Interval returns the bounds of the 95 % interval, limited to [-1, 1].
func (r RerunDistribution) Interval() (lo, hi float64) {
	half := float64(Normal95 * r.SE)
	return max(-1, r.Center-half), min(1, r.Center+half)
}

// Scaled returns r for a mean over more cases than those that r was computed from. share is the share of r's cases
// among them. The other cases do not vary.
func (r RerunDistribution) Scaled(share float64) RerunDistribution {
	r.Center, r.SE = float64(r.Center*share), float64(r.SE*share)
	return r
}

// RerunInterval returns the distribution of the mean delta of pairs if they were run again. The cases are fixed, so
// only the model's sampling varies. A correction term keeps the interval from being empty if all trials agree.
func RerunInterval(pairs []Pair) RerunDistribution {
	if len(pairs) == 0 {
		return RerunDistribution{Method: MethodUnchanged}
	}
	for _, p := range pairs {
		if len(p.Base) > 1 || len(p.Head) > 1 {
			return withinCase(pairs)
		}
	}
	return AgrestiMin(pairs)
}

// AgrestiMin returns the distribution of the mean delta of pairs that have one trial on each side (Agresti and Min
// 2005, "Wald+2").
func AgrestiMin(pairs []Pair) RerunDistribution {
	sum, squares := 0.0, 0.0
	for _, p := range pairs {
		d := p.Delta()
		sum += d
		squares += float64(d * d)
	}
	reach := valueRange(pairs)
	squares += float64(reach * reach)
	size := float64(len(pairs) + 2)
	return RerunDistribution{
		Center: sum / size,
		SE:     math.Sqrt(max(0, squares-float64(sum*sum)/size)) / size,
		Method: MethodAgresti,
		Sigma2: squares / (2 * size),
	}
}

func withinCase(pairs []Pair) RerunDistribution {
	reach := valueRange(pairs)
	squares, freedom, trials, sum := 0.0, 0, 0, 0.0
	for _, p := range pairs {
		squares += squaresOf(p.Base) + squaresOf(p.Head)
		freedom += len(p.Base) + len(p.Head) - 2
		trials += len(p.Base) + len(p.Head)
		sum += p.Delta()
	}
	pooled := squares / float64(freedom)
	variance := 0.0
	for _, p := range pairs {
		variance += meanVariance(p.Base, pooled) + meanVariance(p.Head, pooled)
	}
	n, side := float64(len(pairs)), float64(trials)/2
	variance = variance/float64(n*n) + 2*float64(reach*reach)/float64(side*side)
	return RerunDistribution{
		Center: sum / n, SE: math.Sqrt(variance), Method: MethodWithin,
		Sigma2: (squares + 0.5*float64(reach*reach)) / float64(freedom+1),
	}
}

// meanVariance returns the variance of the mean of one side's values. For a single value it returns the pooled
// variance.
func meanVariance(values []float64, pooled float64) float64 {
	k := float64(len(values))
	if len(values) == 1 {
		return pooled
	}
	return squaresOf(values) / (k - 1) / k
}

// valueRange returns 1 if all values are passes or fails, and otherwise their range.
func valueRange(pairs []Pair) float64 {
	var sides [][]float64
	for _, p := range pairs {
		sides = append(sides, p.Base, p.Head)
	}
	lo, hi, binary := extent(sides...)
	if binary {
		return 1
	}
	return hi - lo
}

func mean(values []float64) float64 { return total(values) / float64(len(values)) }

func squaresOf(values []float64) float64 {
	m, sum := mean(values), 0.0
	for _, v := range values {
		sum += float64((v - m) * (v - m))
	}
	return sum
}

// Wilson returns Wilson's score interval for a share that was observed in n trials. level is the confidence level, such
// as 0.95. If the trials are weighted, n is 1/Σw², with weights that sum to 1.
func Wilson(share, n, level float64) (lo, hi float64) {
	z := NormalQuantile((1 + level) / 2)
	zz := float64(z * z)
	centre := share + zz/(2*n)
	half := float64(z * math.Sqrt(share*(1-share)/n+zz/(4*n*n)))
	scale := 1 + zz/n
	return max(0, (centre-half)/scale), min(1, (centre+half)/scale)
}
