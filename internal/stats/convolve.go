package stats

import "slices"

// convolve adds up the strata: the head's sum that was seen, and what chance alone makes of it. Strata are taken in the
// order of their shape, so that equal data in another order gives equal digits.
func convolve(strata []stratum) (seen int, all spread) {
	parts := make([]part, len(strata))
	for i := range strata {
		parts[i] = strata[i].null()
		seen += strata[i].seen()
	}
	slices.SortStableFunc(parts, part.compare)
	all = spread{0, []float64{1}}
	for _, p := range parts {
		all = add(all, p)
	}
	return seen, all
}

// part is what chance makes of one stratum: the sums it can have, in steps, and their masses.
type part struct {
	sums []int // ascending
	p    []float64
}

func (a part) compare(b part) int {
	if c := slices.Compare(a.sums, b.sums); c != 0 {
		return c
	}
	return slices.Compare(a.p, b.p)
}

// add convolves. Masses too small to be told from nothing are cut off at both ends, which keeps long sums short.
func add(all spread, one part) spread {
	low, high := one.sums[0], one.sums[len(one.sums)-1]
	out := make([]float64, len(all.p)+high-low)
	for k, mass := range one.p {
		target := out[one.sums[k]-low:]
		target = target[:len(all.p)]
		for i, v := range all.p {
			target[i] += float64(v * mass)
		}
	}
	return trimmed(spread{all.low + low, out})
}

func trimmed(s spread) spread {
	for len(s.p) > 1 && s.p[0] == 0 {
		s.low, s.p = s.low+1, s.p[1:]
	}
	for len(s.p) > 1 && s.p[len(s.p)-1] == 0 {
		s.p = s.p[:len(s.p)-1]
	}
	return s
}

// upTo is the chance of a sum of at most seen, from of at least seen.
func (s spread) upTo(seen int) float64 { return total(s.p[:min(max(seen-s.low+1, 0), len(s.p))]) }
func (s spread) from(seen int) float64 { return total(s.p[min(max(seen-s.low, 0), len(s.p)):]) }

func (s stratum) seen() (sum int) {
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

// null is the distribution of the head's sum if the stratum's results are shuffled.
func (s stratum) null() part {
	if !s.binary {
		return subsets(s.units, len(s.head))
	}
	h := hypergeometric(passes(s.base)+passes(s.head), len(s.base), len(s.head))
	out := part{make([]int, len(h.p)), h.p}
	for i := range h.p {
		out.sums[i] = (h.low + i) * s.step
	}
	return out
}

// subsets is the sum of `size` units drawn without replacement. Units are passed one by one; the mass of (drawn so far,
// sum so far) moves on by the chance that the next one is drawn, so that nothing needs dividing by a giant coefficient.
func subsets(units []int, size int) part {
	reach := 0
	for _, u := range slices.Sorted(slices.Values(units))[len(units)-size:] {
		reach += u
	}
	width := reach + 1
	mass := make([][]float64, size+1)
	for i := range mass {
		mass[i] = make([]float64, width)
	}
	mass[0][0] = 1
	for at, u := range units {
		left := float64(len(units) - at)
		for drawn := min(at, size); drawn >= 0; drawn-- {
			pass(mass, drawn, u, float64(size-drawn)/left)
		}
	}
	return support(mass[size])
}

// pass moves the share `draw` of what has drawn so many on to one more, u further.
func pass(mass [][]float64, drawn, u int, draw float64) {
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

func support(mass []float64) (out part) {
	for sum, m := range mass {
		if m > 0 {
			out.sums = append(out.sums, sum)
			out.p = append(out.p, m)
		}
	}
	return out
}
