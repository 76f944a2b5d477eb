package stats

// Fisher is the one-sided exact chance that the head passes as seldom as it does, were the passes of both sides dealt out
// at random among their trials. It is 1 where a side has no trial.
func Fisher(base, head Count) float64 {
	if base.Trials == 0 || head.Trials == 0 {
		return 1
	}
	pmf := hypergeometric(base.Passed+head.Passed, base.Trials, head.Trials)
	return min(1, pmf.upTo(head.Passed))
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
