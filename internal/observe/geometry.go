package observe

import (
	"math"
	"slices"
	"strconv"
)

// geometry embeds the documents, clusters them, and compares the clusters with the labels of the head's cases. It also
// returns the cluster of each document, and its place on the map.
func geometry(m *tfidfMatrix, docs []Document) (g Geometry, clusters []int, positions [][2]float64) {
	e := embed(&m.matrix, maxDimensions)
	clusters, k, silhouette := cluster(&e.cloud)
	positions, planeShare := e.plane()
	sizes := make([]int, k)
	for i, d := range docs {
		if d.Side == Head {
			sizes[clusters[i]]++
		}
	}
	return Geometry{
		Terms: m.cols, Dimensions: e.dim, Exact: e.exact, ExplainedVariance: round6(e.explained),
		PlaneShare: round6(planeShare),
		Clusters:   k, ClusterSizes: sizes, Silhouette: round6(silhouette),
		MutualInformation: agreements(docs, clusters),
	}, clusters, positions
}

// agreements compares the clusters with category, severity and pass or fail. Only the head's cases count, because the
// answers to one case on both sides are not independent observations.
func agreements(docs []Document, clusters []int) MutualInformation {
	compare := func(label func(Document) string) *Association {
		var labeledClusters []int
		var labels []string
		for i, d := range docs {
			if l := label(d); d.Side == Head && l != "" {
				labeledClusters, labels = append(labeledClusters, clusters[i]), append(labels, l)
			}
		}
		return associate(labeledClusters, labels)
	}
	return MutualInformation{
		Category: compare(func(d Document) string { return d.Category }),
		Severity: compare(func(d Document) string { return d.Severity }),
		PassFail: compare(func(d Document) string { return strconv.FormatBool(d.Passed) }),
	}
}

// associate returns how well the clusters agree with a label of the cases. It returns nil if all cases have the same
// label, because then nothing can agree or disagree with it.
func associate(clusters []int, labels []string) *Association {
	names := slices.Compact(slices.Sorted(slices.Values(labels)))
	if len(names) < 2 {
		return nil
	}
	numbers := make([]int, len(labels))
	for i, l := range labels {
		numbers[i], _ = slices.BinarySearch(names, l)
	}
	t := newContingencyTable(clusters, numbers)
	byChance := t.expected()
	return &Association{
		Values: len(names), Cases: len(labels), MI: round6(t.information()), ChanceMI: round6(byChance),
		Bound: round6(min(t.entropy(t.a), t.entropy(t.b))), Adjusted: round6(t.adjusted(byChance)),
		PValue: round6(permutationPValue(clusters, numbers, t)),
	}
}

// points returns the head's cases with their places on the map and their clusters. clusters[0] has the clusters of the
// texts without labels, and clusters[1] those of the texts with labels.
func points(docs []Document, positions [][2]float64, clusters [2][]int) []Point {
	out := []Point{}
	for i, d := range docs {
		if d.Side == Head {
			out = append(out, Point{
				SuiteID: d.SuiteID, CaseID: d.CaseID, X: round6(positions[i][0]), Y: round6(positions[i][1]),
				Cluster: clusters[0][i], LabeledCluster: clusters[1][i], Passed: d.Passed, NewFailure: d.NewFailure,
			})
		}
	}
	return out
}

// round6 returns v with 6 decimals, and 0 for a negative zero.
func round6(v float64) float64 { return math.Round(v*1e6)/1e6 + 0 }
