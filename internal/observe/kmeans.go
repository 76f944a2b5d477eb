package observe

import (
	"math"
	"slices"
)

// K-means, as document 001 asks for: k-means++ starts, Lloyd's steps, then moves of single points (Hartigan), which leave
// fewer bad ends; the best of several starts.
const (
	maxStarts  = 500 // of 30 points in 7 clusters, one start in a hundred ends in the best partition known
	minStarts  = 10
	startWork  = 15000 // points times starts, between the two, up to smallCloud points
	smallCloud = 300
	trialShare = 10 // one start in so many is spent on each number of clusters that is only tried
	seedDraws  = 4
	maxSteps   = 300  // of Lloyd, as scikit-learn
	movedRows  = 2000 // up to which single points are moved
	maxPasses  = 50   // of moves over all points
	chosenRows = 2000 // points by which the number of clusters is chosen
)

// cloud are points of equal dimension, one after the other.
type cloud struct {
	n, dim int
	at     []float64
}

func (c *cloud) point(i int) []float64 { return c.at[i*c.dim : (i+1)*c.dim] }

// sample returns at most limit points, evenly spread.
func (c *cloud) sample(limit int) *cloud {
	if c.n <= limit {
		return c
	}
	s := &cloud{n: limit, dim: c.dim}
	for i := range limit {
		s.at = append(s.at, c.point(i*c.n/limit)...)
	}
	return s
}

// partition is a cloud cut into k clusters.
type partition struct {
	k       int
	labels  []int
	centres []float64
	sizes   []int
	inertia float64 // sum of squared distances to the centres

	others []float64 // least that each point is from a centre that is not its own, when it was last looked for
	looked []float64 // what drift was then
	drift  float64   // at least how far any centre has moved, in all
}

// slack is more than rounding adds up to in a distance.
const slack = 1e-9

// stays reports that no other centre can be as near to a point as its own, which is own away: the others were looked for before, and
// have not come so near since. Most points of most steps are spared the search.
func (p *partition) stays(i int, own float64) bool {
	return own*(1+slack)+slack < p.nearestOther(i)
}

// nearestOther is at most as far as the nearest centre that is not the point's own.
func (p *partition) nearestOther(i int) float64 { return p.others[i] - (p.drift-p.looked[i])*(1+slack) }

// look notes how near the nearest of the others is to a point; 0 where that is not known.
func (p *partition) look(i int, other float64) { p.others[i], p.looked[i] = other, p.drift }

// startsFor is how many starts a cloud gets: many where they cost nothing.
func startsFor(c *cloud) int {
	if c.n > smallCloud {
		return minStarts
	}
	return min(maxStarts, max(minStarts, startWork/max(c.n, 1)))
}

// kmeans returns the best partition of several starts.
func kmeans(c *cloud, k, starts int) *partition {
	tried := make([]*partition, starts)
	inParallel(starts, func(i int) {
		p := lloyd(c, k, seeds(c, k, newChance(forStarts, i)))
		if c.n <= movedRows {
			p.move(c)
		}
		tried[i] = p
	})
	best := tried[0]
	for _, p := range tried[1:] {
		if p.inertia < best.inertia*(1-1e-12) {
			best = p
		}
	}
	return best
}

// seeds chooses k points: each next, of four drawn with a chance that grows with the squared distance from those before,
// the one that leaves the least distance (greedy k-means++).
func seeds(c *cloud, k int, dealt *chance) []float64 {
	out := append([]float64{}, c.point(dealt.below(c.n))...)
	near, sum := make([]float64, c.n), 0.0
	for i := range near {
		near[i] = squared(c.point(i), out)
		sum += near[i]
	}
	for len(out) < k*c.dim {
		best, least := 0, math.Inf(1)
		for range seedDraws {
			i := drawn(near, dealt.unit()*sum)
			if left := remaining(c, near, i, least); left < least {
				best, least = i, left
			}
		}
		x := c.point(best)
		for i := range near {
			near[i] = min(near[i], squared(c.point(i), x))
		}
		sum = least
		out = append(out, x...)
	}
	return out
}

// remaining adds up the squared distances that are left once point x is a centre too. It gives up beyond most.
func remaining(c *cloud, near []float64, x int, most float64) (sum float64) {
	for i, d := range near {
		if sum += min(d, squared(c.point(i), c.point(x))); sum >= most {
			break
		}
	}
	return sum
}

// drawn is the first place up to which the weights add up to more than at.
func drawn(weights []float64, at float64) int {
	for i, w := range weights {
		if at -= w; at < 0 {
			return i
		}
	}
	return len(weights) - 1
}

// squared is the squared distance. Four sums side by side keep the processor from waiting for each addition.
func squared(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	for len(a) >= 4 && len(b) >= 4 {
		d0, d1, d2, d3 := a[0]-b[0], a[1]-b[1], a[2]-b[2], a[3]-b[3]
		s0 += float64(d0 * d0)
		s1 += float64(d1 * d1)
		s2 += float64(d2 * d2)
		s3 += float64(d3 * d3)
		a, b = a[4:], b[4:]
	}
	for j := range a {
		d := a[j] - b[j]
		s0 += float64(d * d)
	}
	return (s0 + s1) + (s2 + s3)
}

// lloyd moves the centres to the means of their points until no point changes its cluster, or nothing is gained, as where
// there are fewer places than clusters.
func lloyd(c *cloud, k int, centres []float64) *partition {
	p := &partition{k: k, labels: make([]int, c.n), centres: centres, sizes: make([]int, k), others: make([]float64, c.n), looked: make([]float64, c.n)}
	old := make([]float64, len(centres))
	for i := range p.labels {
		p.labels[i] = -1
	}
	before := math.Inf(1)
	for range maxSteps {
		changed := p.assign(c)
		p.fillEmpty(c)
		copy(old, p.centres)
		p.settle(c)
		most := 0.0
		for at := 0; at < k*c.dim; at += c.dim {
			most = max(most, squared(old[at:at+c.dim], p.centres[at:]))
		}
		p.drift += math.Sqrt(most)
		if !changed || p.inertia >= before {
			break
		}
		before = p.inertia
	}
	return p
}

// assign gives each point to its nearest centre, the first of equal ones.
func (p *partition) assign(c *cloud) (changed bool) {
	clear(p.sizes)
	for i := range c.n {
		if own := p.labels[i]; own >= 0 && p.stays(i, math.Sqrt(squared(c.point(i), p.centres[own*c.dim:]))) {
			p.sizes[own]++
			continue
		}
		best, least, second := 0, math.Inf(1), math.Inf(1)
		for k := range p.k {
			if d := squared(c.point(i), p.centres[k*c.dim:]); d < least {
				best, least, second = k, d, least
			} else {
				second = min(second, d)
			}
		}
		p.look(i, math.Sqrt(second))
		changed = changed || p.labels[i] != best
		p.labels[i] = best
		p.sizes[best]++
	}
	return changed
}

// fillEmpty gives a cluster without points the point that is farthest from its centre.
func (p *partition) fillEmpty(c *cloud) {
	for k := range p.k {
		if p.sizes[k] > 0 {
			continue
		}
		far, most := -1, -1.0
		for i, l := range p.labels {
			if d := squared(c.point(i), p.centres[l*c.dim:]); p.sizes[l] > 1 && d > most {
				far, most = i, d
			}
		}
		if far < 0 {
			return
		}
		p.sizes[p.labels[far]]--
		p.labels[far], p.sizes[k] = k, 1
		p.look(far, 0)
	}
}

// settle puts the centres where their points are on average, and adds up the inertia.
func (p *partition) settle(c *cloud) {
	clear(p.centres)
	for i, l := range p.labels {
		addScaled(p.centres[l*c.dim:(l+1)*c.dim], 1, c.point(i))
	}
	for k, size := range p.sizes {
		for j := range c.dim {
			p.centres[k*c.dim+j] /= float64(max(size, 1))
		}
	}
	p.inertia = 0
	for i, l := range p.labels {
		p.inertia += squared(c.point(i), p.centres[l*c.dim:])
	}
}

// move gives single points to the cluster where they cost least, counting that both centres follow, until none gains.
func (p *partition) move(c *cloud) {
	for range maxPasses {
		moved := false
		for i := range c.n {
			moved = p.moveOne(c, i) || moved
		}
		if !moved {
			break
		}
	}
	p.settle(c)
}

func (p *partition) moveOne(c *cloud, i int) bool {
	x, from := c.point(i), p.labels[i]
	size := float64(p.sizes[from])
	if size <= 1 {
		return false
	}
	const margin = 1e-12
	to, least := from, squared(x, p.centres[from*c.dim:])*size/(size-1)-margin
	// Another cluster costs the squared distance times size/(size+1): at least half of it, unless it has no point.
	if p.stays(i, math.Sqrt(max(0, 2*least))) && !slices.Contains(p.sizes, 0) {
		return false
	}
	nearest := math.Inf(1)
	for k := range p.k {
		if k == from {
			continue
		}
		size, away := float64(p.sizes[k]), squared(x, p.centres[k*c.dim:])
		nearest = min(nearest, away)
		if cost := away * size / (size + 1); cost < least {
			to, least = k, cost
		}
	}
	if to == from {
		p.look(i, math.Sqrt(nearest))
		return false
	}
	p.shift(c, from, x, -1)
	p.shift(c, to, x, 1)
	p.labels[i] = to
	p.look(i, 0)
	return true
}

// shift adds a point to a cluster, or takes it away, by ±1.
func (p *partition) shift(c *cloud, k int, x []float64, by int) {
	p.sizes[k] += by
	centre, size := p.centres[k*c.dim:(k+1)*c.dim], float64(p.sizes[k])
	p.drift += math.Sqrt(squared(x, centre)) / max(size, 1)
	for j := range centre {
		centre[j] += float64(by) * (x[j] - centre[j]) / max(size, 1)
	}
}
