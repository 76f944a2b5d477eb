package observe

import (
	"cmp"
	"math"
	"slices"
)

// maxClusters is the most that are looked for.
const maxClusters = 8

// cluster cuts the cloud into as many clusters as give the best silhouette, numbered by size and then by first member.
// Points that are all the same are one cluster.
func cluster(c *cloud) (labels []int, k int, silhouette float64) {
	if columnVariance(c.at, c.dim) <= nought {
		return make([]int, c.n), 1, 0
	}
	few := c.sample(chosenRows)
	most := min(maxClusters, int(math.Sqrt(float64(few.n))))
	var tried []*partition
	var cuts [][]int
	for k := 2; k <= most; k++ {
		p := kmeans(few, k, max(3, startsFor(few)/trialShare))
		tried, cuts = append(tried, p), append(cuts, p.labels)
	}
	best, scores := 0, silhouettes(few, cuts)
	for i := range scores {
		if scores[i] > scores[best]+1e-9 {
			best = i
		}
	}
	p, silhouette := tried[best], scores[best]
	if better := kmeans(few, p.k, startsFor(few)); better.inertia < p.inertia {
		p, silhouette = better, silhouettes(few, [][]int{better.labels})[0]
	}
	if few != c {
		p = lloyd(c, p.k, slices.Clone(p.centres))
	}
	return numbered(p.labels, p.k), p.k, silhouette
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

// silhouettes are the mean silhouettes of several partitions of one cloud: 1 where points are near their own cluster and
// far from the next, 0 where there is none. A point alone in its cluster counts 0.
func silhouettes(c *cloud, cuts [][]int) []float64 {
	parts := make([][]float64, blocksOf(c.n))
	sizes := make([][]int, len(cuts))
	for i, labels := range cuts {
		sizes[i] = make([]int, slices.Max(labels)+1)
		for _, l := range labels {
			sizes[i][l]++
		}
	}
	inBlocks(c.n, func(block, from, to int) {
		part, away := make([]float64, len(cuts)), make([]float64, c.n)
		sums := make([]float64, c.n+1)
		for i := from; i < to; i++ {
			for j := range away {
				away[j] = math.Sqrt(squared(c.point(i), c.point(j)))
			}
			for at, labels := range cuts {
				part[at] += silhouette(i, away, labels, sizes[at], sums[:len(sizes[at])])
			}
		}
		parts[block] = part
	})
	out := make([]float64, len(cuts))
	for _, part := range parts {
		addScaled(out, 1/float64(c.n), part)
	}
	return out
}

// silhouette is one point's, from its distances to all points. sums is room for the clusters.
func silhouette(i int, away []float64, labels, sizes []int, sums []float64) float64 {
	own := labels[i]
	if sizes[own] < 2 {
		return 0
	}
	clear(sums)
	for j, d := range away {
		sums[labels[j]] += d
	}
	inside, outside := sums[own]/float64(sizes[own]-1), math.Inf(1)
	for l, sum := range sums {
		if l != own && sizes[l] > 0 {
			outside = min(outside, sum/float64(sizes[l]))
		}
	}
	if most := max(inside, outside); most > 0 && !math.IsInf(outside, 1) {
		return (outside - inside) / most
	}
	return 0
}
