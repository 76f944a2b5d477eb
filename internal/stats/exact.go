package stats

import (
	"cmp"
	"math"
	"slices"
)

// Stratum is one case: the values of its trials on both sides, and its weight in the tested mean.
type Stratum struct {
	Base, Head []float64 // values from 0 to 1, at least one on each side
	Weight     float64   // above 0
}

// How a stratified test was counted.
const (
	TestNone    = "none"    // no case has two different results, so there is nothing to test
	TestExact   = "exact"   // all results are passes or fails of equal weight, and passes are counted
	TestLattice = "lattice" // weighted values are first rounded to a grid
)

// StratifiedResult is the result of a stratified test.
type StratifiedResult struct {
	// chances, if nothing changed, of a head that is at most (Worse) or at least (Better) as good as the observed one
	Worse, Better float64
	Informative   int    // strata with two different results
	Mode          string // TestNone, TestExact or TestLattice
}

// gridSteps is the number of grid steps between the lowest and the highest possible statistic of a lattice test.
const gridSteps = 16384

// minDifference is the smallest relevant difference: a stratum whose values differ by less tells nothing.
const minDifference = 1e-12

// StratifiedTest tests whether the head differs from the base. It considers all ways to exchange results between base
// and head within each stratum. Worse is the share of ways in which the head's weighted sum is at most the observed
// sum. Better is the share in which it is at least the observed sum.
//
// The test is exact for any flake rates of the strata. With one pass/fail trial on each side, it is McNemar's one-sided
// exact test.
func StratifiedTest(strata []Stratum) StratifiedResult {
	useful := make([]stratum, 0, len(strata))
	for _, s := range strata {
		if one, ok := newStratum(s); ok {
			useful = append(useful, one)
		}
	}
	if len(useful) == 0 {
		return StratifiedResult{Worse: 1, Better: 1, Mode: TestNone}
	}
	mode := TestExact
	if !countsPasses(useful) {
		mode = TestLattice
		quantize(useful)
	}
	observed, pmf := convolve(useful)
	return StratifiedResult{
		Worse: min(1, pmf.atMost(observed)), Better: min(1, pmf.atLeast(observed)),
		Informative: len(useful), Mode: mode,
	}
}

// stratum is a Stratum with two different results, with its values in whole steps.
type stratum struct {
	base, head []float64
	// how much the delta changes if a value of 1 moves from base to head: w(1/k_head + 1/k_base)
	scale  float64
	low    float64 // the smallest value of both sides
	binary bool    // all values are 0 or 1
	step   int     // if binary: the steps that a pass is worth
	units  []int   // if not binary: the values of base, then head, in steps
}

func newStratum(s Stratum) (stratum, bool) {
	lo, hi, binary := extent(s.Base, s.Head)
	if len(s.Base) == 0 || len(s.Head) == 0 || hi-lo <= minDifference {
		return stratum{}, false
	}
	scale := float64(s.Weight * (1/float64(len(s.Head)) + 1/float64(len(s.Base))))
	return stratum{base: s.Base, head: s.Head, scale: scale, low: lo, binary: binary, step: 1}, true
}

// extent returns the lowest and the highest of all values, and whether all values are 0 or 1.
func extent(sides ...[]float64) (lo, hi float64, binary bool) {
	lo, hi, binary = math.Inf(1), math.Inf(-1), true
	for _, side := range sides {
		for _, v := range side {
			lo, hi = min(lo, v), max(hi, v)
			binary = binary && (v == 0 || v == 1)
		}
	}
	return lo, hi, binary
}

// countsPasses reports whether it is enough to count passes: all values are 0 or 1, and a pass has the same weight in
// every stratum.
func countsPasses(strata []stratum) bool {
	return !slices.ContainsFunc(strata, func(s stratum) bool {
		return !s.binary ||
			math.Abs(s.scale-strata[0].scale) > minDifference*strata[0].scale
	})
}

// quantize rounds the weighted values of each stratum to a grid. The observed statistic and its distribution are
// rounded alike, so the test stays exact and loses only a little power.
func quantize(strata []stratum) {
	reach := 0.0
	for _, s := range strata {
		reach += s.sumRange()
	}
	steps := gridSteps / reach
	for i := range strata {
		s := &strata[i]
		unit := func(v float64) int { return int(math.Floor(float64(float64(s.scale*(v-s.low))*steps) + 0.5)) }
		if s.binary {
			s.step = unit(1)
			continue
		}
		for _, v := range slices.Concat(s.base, s.head) {
			s.units = append(s.units, unit(v))
		}
	}
}

// sumRange returns the range of the stratum's part in the statistic: the largest part that shuffling can give, minus
// the smallest.
func (s stratum) sumRange() float64 {
	pooled := slices.Sorted(slices.Values(slices.Concat(s.base, s.head)))
	sum := 0.0
	for i := range s.head {
		sum += pooled[len(pooled)-1-i] - pooled[i]
	}
	return float64(s.scale * sum)
}

// convolve returns the observed sum of the head over all strata, and the distribution of this sum if nothing changed.
// It adds the strata in an order that depends only on their distributions, so that equal data in another order gives
// equal digits.
func convolve(strata []stratum) (observed int, all distribution) {
	parts := make([]sparseDistribution, len(strata))
	for i := range strata {
		parts[i] = strata[i].nullDistribution()
		observed += strata[i].headSum()
	}
	slices.SortStableFunc(parts, func(a, b sparseDistribution) int {
		return cmp.Or(slices.Compare(a.sums, b.sums),
			slices.Compare(a.p, b.p))
	})
	all = distribution{0, []float64{1}}
	for _, p := range parts {
		all = add(all, p)
	}
	return observed, all
}

// sparseDistribution is the distribution of the head's sum in one stratum if nothing changed. sums are the possible
// sums, in steps, and p their probabilities.
type sparseDistribution struct {
	sums []int // ascending
	p    []float64
}

// add returns the distribution of the sum of two independent numbers with the distributions all and one. It cuts off
// probabilities at both ends that became 0.
func add(all distribution, one sparseDistribution) distribution {
	low, high := one.sums[0], one.sums[len(one.sums)-1]
	out := make([]float64, len(all.p)+high-low)
	for k, mass := range one.p {
		target := out[one.sums[k]-low:]
		for i, v := range all.p {
			target[i] += float64(v * mass)
		}
	}
	return trimmed(distribution{all.low + low, out})
}

func trimmed(s distribution) distribution {
	for len(s.p) > 1 && s.p[0] == 0 {
		s.low, s.p = s.low+1, s.p[1:]
	}
	for len(s.p) > 1 && s.p[len(s.p)-1] == 0 {
		s.p = s.p[:len(s.p)-1]
	}
	return s
}

// atMost and atLeast return the chance of a sum of at most x, and of at least x.
func (d distribution) atMost(x int) float64  { return total(d.p[:min(max(x-d.low+1, 0), len(d.p))]) }
func (d distribution) atLeast(x int) float64 { return total(d.p[min(max(x-d.low, 0), len(d.p)):]) }

// headSum returns the observed sum of the head's values, in steps.
func (s stratum) headSum() (sum int) {
	if s.binary {
		return passes(s.head) * s.step
	}
	for _, u := range s.units[len(s.base):] {
		sum += u
	}
	return sum
}

func passes(values []float64) (n int) {
	for _, v := range values {
		if v == 1 {
			n++
		}
	}
	return n
}

// nullDistribution returns the distribution of the head's sum if the stratum's results are shuffled between base and
// head.
func (s stratum) nullDistribution() sparseDistribution {
	if !s.binary {
		return subsets(s.units, len(s.head))
	}
	h := hypergeometric(passes(s.base)+passes(s.head), len(s.base), len(s.head))
	out := sparseDistribution{make([]int, len(h.p)), h.p}
	for i := range h.p {
		out.sums[i] = (h.low + i) * s.step
	}
	return out
}

// subsets returns the distribution of the sum of size units that are drawn without replacement.
//
// A state is a number of drawn units and their sum. For each unit in turn, subsets moves a share of the mass of every
// state to the state with that unit drawn. The share is the chance that the unit is drawn. This avoids dividing by huge
// binomial coefficients.
func subsets(units []int, size int) sparseDistribution {
	reach := 0
	for _, u := range slices.Sorted(slices.Values(units))[len(units)-size:] {
		reach += u
	}
	mass := make([][]float64, size+1)
	for i := range mass {
		mass[i] = make([]float64, reach+1)
	}
	mass[0][0] = 1
	for at, u := range units {
		left := float64(len(units) - at)
		for drawn := min(at, size); drawn >= 0; drawn-- {
			moveMass(mass, drawn, u, float64(size-drawn)/left)
		}
	}
	return newSparse(mass[size])
}

// moveMass takes the share draw from the mass of all states with the given number of drawn units. It moves this share
// to the states with one unit more, whose sums are larger by u.
func moveMass(mass [][]float64, drawn, u int, draw float64) {
	for sum, m := range mass[drawn] {
		if m == 0 {
			continue
		}
		if draw > 0 {
			mass[drawn+1][sum+u] += float64(m * draw)
		}
		mass[drawn][sum] = float64(m * (1 - draw))
	}
}

func newSparse(mass []float64) (out sparseDistribution) {
	for sum, m := range mass {
		if m > 0 {
			out.sums = append(out.sums, sum)
			out.p = append(out.p, m)
		}
	}
	return out
}

// Fisher returns the one-sided p-value of Fisher's exact test: the chance that the head passes at most as often as
// observed, if all passes are assigned to the trials of both sides at random. It returns 1 if a side has no trial.
func Fisher(base, head Count) float64 {
	if base.Trials == 0 || head.Trials == 0 {
		return 1
	}
	return min(1, hypergeometric(base.Passed+head.Passed, base.Trials, head.Trials).atMost(head.Passed))
}

// distribution is a probability distribution over consecutive whole numbers, which begin at low.
type distribution struct {
	low int
	p   []float64
}

// hypergeometric returns the distribution of the head's number of passes if the given number of passes is assigned to
// all trials at random. base and head are the numbers of trials on each side. The probabilities are computed outwards
// from the mode by their ratios, so that none overflows and the tails keep their digits.
func hypergeometric(passes, base, head int) distribution {
	low, high := max(0, passes-base), min(passes, head)
	s := distribution{low, make([]float64, high-low+1)}
	ratio := func(x int) float64 { // mass(x+1) / mass(x)
		return float64(passes-x) * float64(head-x) / (float64(x+1) * float64(base-passes+x+1))
	}
	mode := min(max((passes+1)*(head+1)/(base+head+2), low), high)
	s.p[mode-low] = 1
	for x := mode; x < high; x++ {
		s.p[x+1-low] = s.p[x-low] * ratio(x)
	}
	for x := mode - 1; x >= low; x-- {
		s.p[x-low] = s.p[x+1-low] / ratio(x)
	}
	sum := total(s.p)
	for i := range s.p {
		s.p[i] /= sum
	}
	return s
}

// total returns the sum of p, added in order.
func total(p []float64) float64 {
	sum := 0.0
	for _, v := range p {
		sum += v
	}
	return sum
}

// Region is the set of outcomes that prove one case broken, after Rounds new trials on each side. It has the outcomes
// whose p-value is at most a level. An outcome in the region stays in it with one more pass on the base, or one less on
// the head.
type Region struct {
	Rounds  int
	maxHead []int // by base passes: the most head passes that prove the case broken; -1: no number does
}

// NewRegion returns the region for the given number of rounds and a level in (0, 1).
func NewRegion(rounds int, level float64) Region {
	r := Region{Rounds: rounds, maxHead: make([]int, rounds+1)}
	for base := range r.maxHead {
		r.maxHead[base] = -1
		for head := 0; head <= rounds && AtMost(Fisher(Count{base, rounds}, Count{head, rounds}), level); head++ {
			r.maxHead[base] = head
		}
	}
	return r
}

// Has reports whether the given numbers of passes, out of Rounds trials on each side, prove the case broken.
func (r Region) Has(basePasses, headPasses int) bool { return headPasses <= r.maxHead[basePasses] }

// Empty reports whether no outcome proves the case broken, because there are too few rounds for the level.
func (r Region) Empty() bool { return !r.Has(r.Rounds, 0) }

// Certain reports whether the outcome is certain after the given number of rounds, because the remaining rounds cannot
// change it. proven is set if that outcome proves the case broken. If the outcome is certain, stopping changes no
// decision and saves calls.
func (r Region) Certain(rounds, basePasses, headPasses int) (proven, certain bool) {
	left := r.Rounds - rounds
	switch {
	case r.Has(basePasses, headPasses+left):
		return true, true
	case !r.Has(basePasses+left, headPasses):
		return false, true
	}
	return false, false
}

// MaxProvable returns how many candidates can all be confirmed if they share level. The smallest p-value of one
// candidate is 1/C(2·rounds, rounds): all its reruns pass on the base and none on the head.
func MaxProvable(rounds int, level float64) int {
	ways := 1.0 // C(2·rounds, rounds)
	for i := 1; i <= rounds; i++ {
		ways = ways * float64(rounds+i) / float64(i)
	}
	return int(min(math.Floor(ways*level+SlackProbability), math.MaxInt32))
}
