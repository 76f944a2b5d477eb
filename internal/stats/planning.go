package stats

import "math"

// Planning is what a run of n cases and k trials a side could have found, and what it would take.
type Planning struct {
	Sigma2 float64 // variance of one trial inside a case
	Alpha  float64 // level of one look
	Power  float64 // the share of such drops that are to be found, 0.8
}

// Detectable is the smallest drop of every case alike that so many trials a side (cases times k) find; above 1 for very few.
func (p Planning) Detectable(trials int) float64 {
	z := p.z()
	a := float64(z*z) / float64(trials)
	return (a + math.Sqrt(float64(a*a)+8*float64(a*p.Sigma2))) / 2
}

// Trials is how many case-trials a side it takes to find a drop in (0, 1] of every case alike. The drop adds its own to the variance:
// a case that always passed varies once it does not.
func (p Planning) Trials(drop float64) int {
	z := p.z()
	return int(math.Ceil(float64(z*z) * (2*p.Sigma2 + drop) / float64(drop*drop)))
}

func (p Planning) z() float64 { return NormalQuantile(1-p.Alpha) + NormalQuantile(p.Power) }
