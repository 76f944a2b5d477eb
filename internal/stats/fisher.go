package stats

import "math"

// Fisher is the one-sided exact chance that the head passes as seldom as it does, were the passes of both sides dealt out
// at random among their trials. It is 1 where a side has no trial.
func Fisher(base, head Count) float64 {
	if base.Trials == 0 || head.Trials == 0 {
		return 1
	}
	return min(1, hypergeometric(base.Passed+head.Passed, base.Trials, head.Trials).upTo(head.Passed))
}

// spread is a probability mass over consecutive whole numbers, the first of which is low.
type spread struct {
	low int
	p   []float64
}

// hypergeometric is the number of passes among `head` trials drawn from base+head of which `passes` passed. The masses
// are built outwards from the most likely number by their ratios, so that none overflows and the tails keep their digits.
func hypergeometric(passes, base, head int) spread {
	low, high := max(0, passes-base), min(passes, head)
	s := spread{low, make([]float64, high-low+1)}
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

// total adds up in order.
func total(p []float64) float64 {
	sum := 0.0
	for _, v := range p {
		sum += v
	}
	return sum
}

// Region is the set of outcomes of `Rounds` fresh trials on each side that prove one case broken: those whose exact chance
// is at most a level. It is closed: one more pass on the base or one less on the head stays inside.
type Region struct {
	Rounds int
	most   []int // by base passes: the most head passes that still prove it, -1 for none
}

// Prove returns the region of a level in (0, 1).
func Prove(rounds int, level float64) Region {
	r := Region{Rounds: rounds, most: make([]int, rounds+1)}
	for base := range r.most {
		r.most[base] = -1
		for head := 0; head <= rounds && Reaches(Fisher(Count{base, rounds}, Count{head, rounds}), level); head++ {
			r.most[base] = head
		}
	}
	return r
}

// Has reports whether so many passes of Rounds trials each prove the case broken.
func (r Region) Has(basePasses, headPasses int) bool { return headPasses <= r.most[basePasses] }

// Empty reports that no outcome proves anything: the level is out of reach of so few rounds.
func (r Region) Empty() bool { return !r.Has(r.Rounds, 0) }

// Certain reports whether the outcome is settled after `done` rounds whatever the rest brings, and then which it is.
// Stopping there changes no decision, only what it costs.
func (r Region) Certain(done, basePasses, headPasses int) (proven, certain bool) {
	left := r.Rounds - done
	switch {
	case r.Has(basePasses, headPasses+left):
		return true, true
	case !r.Has(basePasses+left, headPasses):
		return false, true
	}
	return false, false
}

// Provable is how many suspects so many rounds can prove at once, at a level that they share: one that passes all its rounds on
// the base and none on the head has a chance of 1 in C(2·rounds, rounds), however many rounds there are.
func Provable(rounds int, level float64) int {
	ways := 1.0 // C(2·rounds, rounds)
	for i := 1; i <= rounds; i++ {
		ways = ways * float64(rounds+i) / float64(i)
	}
	return int(min(math.Floor(ways*level+SlackProbability), math.MaxInt32))
}
