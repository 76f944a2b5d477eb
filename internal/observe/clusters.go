package observe

import (
	"cmp"
	"math"
	"slices"
)

// maxClusters is the most that are looked for.
const maxClusters = 8

// cluster cuts the cloud into as many clusters as give the best silhouette, numbered by size and then by first member. Of a large cloud
// that is found by the points that it is fitted to, and each of the others goes to the nearest centre. Points that are all the same
// are one cluster.
func cluster(c *cloud) (labels []int, k int, best float64) {
	if columnVariance(c.at, c.dim) <= nought {
		return make([]int, c.n), 1, 0
	}
	few := c.fit()
	var centres []float64
	for k, best = 2, math.Inf(-1); k <= min(maxClusters, int(math.Sqrt(float64(few.n)))); k++ {
		p := kmeans(few, k)
		if s := silhouette(few, p.labels); s > best+1e-9 {
			centres, best = p.centres, s
		}
	}
	k = len(centres) / c.dim
	p := &partition{k: k, labels: make([]int, c.n), centres: centres, sizes: make([]int, k)}
	p.assign(c)
	return numbered(p.labels, k), k, best
}

// numbered renames clusters: the largest is 0, and of equal ones that with the first member.
func numbered(labels []int, k int) []int {
	size, first := make([]int, k), make([]int, k)
	for i, l := range slices.Backward(labels) {
		size[l]++
		first[l] = i
	}
	order := make([]int, k)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(size[b]-size[a], first[a]-first[b]) })
	name := make([]int, k)
	for at, l := range order {
		name[l] = at
	}
	out := make([]int, len(labels))
	for i, l := range labels {
		out[i] = name[l]
	}
	return out
}

// silhouette is the mean over all points: 1 where they are near their own cluster and far from the next, 0 where there is none. A point
// alone in its cluster counts 0.
func silhouette(c *cloud, labels []int) (mean float64) {
	sizes := tally(labels)
	sums := make([]float64, len(sizes))
	for i, own := range labels {
		if sizes[own] < 2 {
			continue
		}
		clear(sums)
		for j, l := range labels {
			sums[l] += math.Sqrt(squared(c.point(i), c.point(j)))
		}
		inside, outside := sums[own]/float64(sizes[own]-1), math.Inf(1)
		for l, sum := range sums {
			if l != own && sizes[l] > 0 {
				outside = min(outside, sum/float64(sizes[l]))
			}
		}
		if most := max(inside, outside); most > 0 && !math.IsInf(outside, 1) {
			mean += (outside - inside) / most / float64(c.n)
		}
	}
	return mean
}
