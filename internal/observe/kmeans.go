package observe

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// Figures of k-means, which starts with greedy k-means++ and goes on with Lloyd's steps. The best of several starts
// counts.
const (
	starts    = 10
	seedDraws = 4   // number of points that are tried for each next centre
	maxSteps  = 300 // largest number of Lloyd's steps, as in scikit-learn
)

// cloud is a list of n points of dimension dim. coords has their coordinates, one point after the other.
type cloud struct {
	n, dim int
	coords []float64
}

func (c *cloud) point(i int) []float64 { return c.coords[i*c.dim : (i+1)*c.dim] }

// sample returns the points that a method is fitted to: all points of a small cloud, and evenly spread points of a
// large cloud.
func (c *cloud) sample() *cloud {
	if c.n <= maxFitted {
		return c
	}
	s := &cloud{n: maxFitted, dim: c.dim}
	for _, i := range evenIndices(c.n, maxFitted) {
		s.coords = append(s.coords, c.point(i)...)
	}
	return s
}

// partition is a division of the points of a cloud into clusters.
type partition struct {
	labels  []int
	centres []float64
	sizes   []int
	inertia float64 // sum of squared distances of the points to the centres of their clusters
}

// kmeans returns the best partition into k clusters from several starts.
func kmeans(c *cloud, k int) (best *partition) {
	for start := range starts {
		p := lloyd(c, k, seeds(c, k, newRNG(purposeStarts, start)))
		if best == nil || p.inertia < best.inertia*(1-1e-12) {
			best = p
		}
	}
	return best
}

// seeds returns k points of c, chosen by greedy k-means++. For each next point, it draws several with a chance
// proportional to the squared distance from the points chosen so far. It takes the one that leaves the smallest sum of
// squared distances.
func seeds(c *cloud, k int, random *rng) []float64 {
	out := append([]float64{}, c.point(random.intN(c.n))...)
	near, sum := make([]float64, c.n), 0.0
	for i := range near {
		near[i] = squaredDistance(c.point(i), out)
		sum += near[i]
	}
	for len(out) < k*c.dim {
		best, least := 0, math.Inf(1)
		for range seedDraws {
			i := pickWeighted(near, random.unit()*sum)
			if inertia := remaining(c, near, i); inertia < least {
				best, least = i, inertia
			}
		}
		x := c.point(best)
		for i := range near {
			near[i] = min(near[i], squaredDistance(c.point(i), x))
		}
		sum = least
		out = append(out, x...)
	}
	return out
}

// remaining returns the sum of squared distances from the nearest centre if point x becomes a centre too. distances has
// the squared distance of each point from its nearest centre so far.
func remaining(c *cloud, distances []float64, x int) (sum float64) {
	for i, d := range distances {
		sum += min(d, squaredDistance(c.point(i), c.point(x)))
	}
	return sum
}

// pickWeighted returns the first index up to which the sum of the weights exceeds threshold. If there is none, it
// returns the last index.
func pickWeighted(weights []float64, threshold float64) int {
	for i, w := range weights {
		if threshold -= w; threshold < 0 {
			return i
		}
	}
	return len(weights) - 1
}

// squaredDistance returns the squared distance between a and b. It keeps four separate sums, so that the processor need
// not wait for each addition.
func squaredDistance(a, b []float64) float64 {
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

// lloyd returns the partition of c that results from moving the given centres to the means of their points, again and
// again. It stops when no point changes its cluster, when the inertia does not fall, or after maxSteps.
func lloyd(c *cloud, k int, centres []float64) *partition {
	p := &partition{labels: make([]int, c.n), centres: centres, sizes: make([]int, k)}
	for i := range p.labels {
		p.labels[i] = -1
	}
	previous := math.Inf(1)
	for range maxSteps {
		changed := p.assign(c)
		p.recentre(c)
		if !changed || p.inertia >= previous {
			break
		}
		previous = p.inertia
	}
	return p
}

// assign gives each point to its nearest centre, or to the first of equally near centres. It reports whether any point
// changed its cluster.
func (p *partition) assign(c *cloud) (changed bool) {
	clear(p.sizes)
	for i := range c.n {
		best, least := 0, math.Inf(1)
		for k := range p.sizes {
			if d := squaredDistance(c.point(i), p.centres[k*c.dim:]); d < least {
				best, least = k, d
			}
		}
		changed = changed || p.labels[i] != best
		p.labels[i] = best
		p.sizes[best]++
	}
	return changed
}

// recentre moves each centre to the mean of its points, and computes the inertia. A centre without points moves to 0.
func (p *partition) recentre(c *cloud) {
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
		p.inertia += squaredDistance(c.point(i), p.centres[l*c.dim:])
	}
}

// maxClusters is the largest number of clusters that cluster tries.
const maxClusters = 8

// cluster divides the cloud into the number of clusters with the best silhouette, up to maxClusters. In a large cloud,
// only the points that sample returns determine the centres. If all points are equal, there is one cluster. best is the
// silhouette. Clusters are numbered by size, then by first member.
func cluster(c *cloud) (labels []int, k int, best float64) {
	if c.variance() <= epsilon {
		return make([]int, c.n), 1, 0
	}
	sampled := c.sample()
	var centres []float64
	for k, best = 2, math.Inf(-1); k <= min(maxClusters, int(math.Sqrt(float64(sampled.n)))); k++ {
		p := kmeans(sampled, k)
		if s := silhouette(sampled, p.labels); s > best+1e-9 {
			centres, best = p.centres, s
		}
	}
	k = len(centres) / c.dim
	p := &partition{labels: make([]int, c.n), centres: centres, sizes: make([]int, k)}
	p.assign(c)
	return numberBySize(p.labels, k), k, best
}

// numberBySize returns labels with the clusters numbered by size, the largest first. Of equally large clusters, the one
// with the first member comes first.
func numberBySize(labels []int, k int) []int {
	size, first := make([]int, k), make([]int, k)
	for i, l := range slices.Backward(labels) {
		size[l]++
		first[l] = i
	}
	order := evenIndices(k, k)
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(size[b]-size[a], first[a]-first[b]) })
	out := make([]int, len(labels))
	for i, l := range labels {
		out[i] = slices.Index(order, l)
	}
	return out
}

// silhouette returns the mean silhouette of the points. It is near 1 if the points are much nearer to their own cluster
// than to the next one. It is 0 if there are no clusters. A point that is alone in its cluster counts 0.
func silhouette(c *cloud, labels []int) (mean float64) {
	sizes := tally(labels)
	sums := make([]float64, len(sizes))
	for i, assigned := range labels {
		if sizes[assigned] < 2 {
			continue
		}
		clear(sums)
		for j, l := range labels {
			sums[l] += math.Sqrt(squaredDistance(c.point(i), c.point(j)))
		}
		inside, outside := sums[assigned]/float64(sizes[assigned]-1), math.Inf(1)
		for l, sum := range sums {
			if l != assigned && sizes[l] > 0 {
				outside = min(outside, sum/float64(sizes[l]))
			}
		}
		if largest := max(inside, outside); largest > 0 && !math.IsInf(outside, 1) {
			mean += (outside - inside) / largest / float64(c.n)
		}
	}
	return mean
}

// rng generates random numbers by SplitMix64 (Steele, Lea and Flood, 2014). This method needs only 64-bit arithmetic
// and is good enough for starts and shuffles. The numbers are the same in every run and on every machine.
type rng struct{ state uint64 }

// newRNG returns a generator for a purpose, such as the starts of k-means. number distinguishes generators for the
// same purpose. Equal arguments give equal generators.
func newRNG(purpose, number int) *rng {
	c := &rng{uint64(purpose)<<32 ^ uint64(number)}
	c.next()
	return c
}

func (r *rng) next() uint64 {
	r.state += 0x9E3779B97F4A7C15
	z := r.state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// intN returns a number from 0 to n-1. Its bias is below n / 2^64.
func (r *rng) intN(n int) int {
	hi, _ := bits.Mul64(r.next(), uint64(n))
	return int(hi)
}

// unit returns a number in [0, 1).
func (r *rng) unit() float64 { return float64(r.next()>>11) / (1 << 53) }

// Purposes of an rng.
const (
	purposeStarts = iota + 1
	purposeShuffles
	purposeSampling
)
