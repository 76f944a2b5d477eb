// Package observe lays out the cases of a run by their words, and measures how far the groups that it finds agree with
// the labels of the cases (docs/observability.md). It takes texts and labels and returns a value for report.json. It is
// exploratory: it decides nothing, does no I/O and reads no clock. Equal documents give equal results on any number of
// processors.
//
// The method is TF-IDF, truncated SVD, k-means and mutual information. The main figures come from texts without labels.
// Each figure of agreement is shown with its value by chance.
package observe

import (
	"slices"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/together"
)

// Version names the method. Figures of different versions cannot be compared.
const Version = "1"

// Limits of the method, in documents.
const (
	// MinCases is the smallest number of cases that Observe analyses.
	MinCases = 5
	// FewCases is the number of cases below which the figures are reported as mostly chance.
	FewCases = 20
	// MaxDocuments is the largest number of documents of both sides that Observe analyses. If there are more, the
	// caller chooses some by Sample.
	MaxDocuments = 2000
	// TextBytes is the number of bytes that are read of one text. The rest of a longer text adds little to its words.
	TextBytes = 2000
)

// Side is the revision that a document belongs to.
type Side uint8

const (
	Head Side = iota
	Base
)

// Document is one answered case of one side.
type Document struct {
	SuiteID, CaseID string
	Side            Side
	Category        string // category of a probe, or suite of another case; "" is left out of the figures
	Severity        string
	Passed          bool
	NewFailure      bool     // whether the case fails on the head and did not fail on the base
	Content         string   // task, input and answer, without anything that judges the answer
	Labels          string   // what judges the case: category, severity, outcome, risk, explanation, matched rules
	FailedOnBase    bool     // for a document of the head: whether the case failed on the base
	FailureModes    []string // how the answer failed: failure modes, or the classification
}

// Observe analyses the documents. It returns nil if the head has fewer than MinCases, or if no document has a word. It
// skips documents beyond MaxDocuments, so the caller should choose them by Sample. total is the number of the head's
// answered cases before that choice.
func Observe(docs []Document, total int) *Observability {
	docs = distinct(docs[:min(len(docs), MaxDocuments)])
	heads := 0
	for _, d := range docs {
		if d.Side == Head {
			heads++
		}
	}
	if heads < MinCases {
		return nil
	}
	texts, labeled := make([]string, len(docs)), make([]string, len(docs))
	for i, d := range docs {
		texts[i], labeled[i] = d.Content, d.Content+"\n"+d.Labels
	}
	contentTerms, labeledTerms := newTFIDF(texts), newTFIDF(labeled)
	if contentTerms.cols == 0 {
		return nil
	}
	o := &Observability{Version: Version, Cases: heads, BaseCases: len(docs) - heads, Total: max(total, heads),
		TooFew: heads < FewCases}
	var plane [][2]float64
	var clusters [2][]int
	together.Do(func() {
		o.Content, clusters[0], plane = geometry(contentTerms, docs)
		o.FailureGroups = failureGroups(docs, contentTerms)
		o.Neighbours = neighbours(docs, contentTerms)
	}, func() { o.Labeled, clusters[1], _ = geometry(labeledTerms, docs) })
	o.Points = points(docs, plane, clusters)
	return o
}

// distinct returns docs without each base document whose answer and outcome equal those of the head. An unchanged case
// therefore counts once.
func distinct(docs []Document) []Document {
	headIndex := make(map[CaseRef]int, len(docs))
	for i, d := range docs {
		if d.Side == Head {
			headIndex[d.ref()] = i
		}
	}
	return slices.DeleteFunc(slices.Clone(docs), func(d Document) bool {
		i, onHead := headIndex[d.ref()]
		return d.Side == Base && onHead && docs[i].Content == d.Content && docs[i].Passed == d.Passed
	})
}

// Sample chooses at most limit of n cases, and returns their indices in ascending order. If n is above limit, up to
// half of the chosen indices are from preferred, and the others are spread evenly. Sample does not look at the content
// of the cases, so that content biases no figure.
func Sample(n int, preferred []int, limit int) []int {
	var out []int
	if n > limit {
		out = sampleEvenly(preferred, limit/2)
	}
	chosen := len(out)
	for _, i := range evenIndices(n-chosen, limit-chosen) { // counted among the indices that are not chosen
		for _, before := range out[:chosen] {
			if before <= i {
				i++
			}
		}
		out = append(out, i)
	}
	slices.Sort(out)
	return out
}

// sampleEvenly returns at most limit elements of list, spread evenly and in order.
func sampleEvenly(list []int, limit int) []int {
	out := evenIndices(len(list), limit)
	for i, at := range out {
		out[i] = list[at]
	}
	return out
}

// evenIndices returns at most limit of the indices below n, in ascending order. It divides the indices into limit equal
// parts and draws one index of each part at random, so that no pattern in a list biases the choice.
func evenIndices(n, limit int) []int {
	out := make([]int, min(n, limit))
	random := newRNG(purposeSampling, 0)
	for i := range out {
		if out[i] = i; n > limit {
			from, to := i*n/limit, (i+1)*n/limit
			out[i] = from + random.intN(to-from)
		}
	}
	return out
}

// Observability is the value of `observability` in report.json. Figures are rounded to 6 decimals, because processors
// differ in further decimals.
type Observability struct {
	Version string `json:"version"`
	Cases   int    `json:"cases"` // answered cases of the head that were analysed
	// cases of the base whose answer or outcome differs from the head's
	BaseCases int `json:"base_cases"`
	// answered cases of the head; more than Cases if these are a sample
	Total         int            `json:"of"`
	TooFew        bool           `json:"too_few_to_interpret"`  // fewer than FewCases
	Content       Geometry       `json:"content"`               // the main figures: from texts without labels
	Labeled       Geometry       `json:"seed"`                  // from texts with their labels added
	Points        []Point        `json:"points"`                // the head's cases, in their order
	FailureGroups []FailureGroup `json:"failure_groups"`        // largest first; each of two cases or more
	Neighbours    []Neighbour    `json:"nearest_passing_cases"` // for new failures
}

// Geometry is one embedding of the texts with its findings. It is fitted to the documents of both sides. The figures
// are about the head's cases.
type Geometry struct {
	Terms      int `json:"terms"`      // distinct words
	Dimensions int `json:"dimensions"` // of the truncated SVD
	// whether the SVD is fitted to all documents, and not only to evenly spread ones
	Exact             bool    `json:"exact"`
	ExplainedVariance float64 `json:"explained_variance"` // share of the TF-IDF matrix's variance, 0 to 1
	// share of the embedding's variance that the two axes show, 0 to 1
	PlaneShare        float64           `json:"plane_share"`
	Clusters          int               `json:"clusters"`
	ClusterSizes      []int             `json:"cluster_sizes"` // number of the head's cases in each cluster
	Silhouette        float64           `json:"silhouette"`    // -1 to 1; below 0.25 there are hardly any clusters
	MutualInformation MutualInformation `json:"mutual_information"`
}

// MutualInformation is the agreement of the clusters with each label. A field is null if its label has fewer than two
// values.
type MutualInformation struct {
	Category *Association `json:"category"`
	Severity *Association `json:"severity"`
	PassFail *Association `json:"pass_fail"`
}

// Association is the agreement of the clusters with one label. Information is in nats.
type Association struct {
	Values   int     `json:"values"`    // different values of the label
	Cases    int     `json:"cases"`     // number of cases that have the label
	MI       float64 `json:"mi"`        // mutual information
	ChanceMI float64 `json:"chance_mi"` // mean mutual information of randomly assigned labels
	Bound    float64 `json:"bound"`     // the largest possible MI: the smaller of the two entropies
	Adjusted float64 `json:"adjusted"`  // 0 for chance, 1 for full agreement (AMI, arithmetic mean)
	PValue   float64 `json:"p_value"`   // share of random assignments that agree as much, by 1,000 seeded shuffles
}

// Point is one case of the head on the map of cases.
type Point struct {
	SuiteID        string  `json:"suite_id"`
	CaseID         string  `json:"case_id"`
	X              float64 `json:"scatter_x"`
	Y              float64 `json:"scatter_y"`
	Cluster        int     `json:"cluster"`      // number of its cluster by Content; 0 is the largest cluster
	LabeledCluster int     `json:"seed_cluster"` // number of its cluster by Labeled
	Passed         bool    `json:"passed"`
	NewFailure     bool    `json:"new_failure,omitempty"`
}

// CaseRef names a case.
type CaseRef struct {
	SuiteID string `json:"suite_id"`
	CaseID  string `json:"case_id"`
}

// FailureGroup is a group of failures with similar texts. It has failures of the head, and failures of the base that
// the head fixed.
type FailureGroup struct {
	Terms        []model.Untrusted `json:"terms"`         // words that distinguish the group, the best first
	FailureMode  string            `json:"mode"`          // failure mode of more than half of the cases, or ""
	Example      CaseRef           `json:"example"`       // the failure most like the others; a new one if there is one
	HeadFailures int               `json:"head_failures"` // number of cases that fail on the head
	BaseFailures int               `json:"base_failures"` // number of cases that fail on the base, including fixed ones
	New          []CaseRef         `json:"new"`           // failures that the base did not have
	Fixed        []CaseRef         `json:"fixed"`         // failures of the base that the head does not have
	StillFailing []CaseRef         `json:"still"`         // the head's other failures
}

// Neighbour is the passing case of the head whose text is most similar to that of a new failure.
type Neighbour struct {
	Failure    CaseRef `json:"failure"`
	Passing    CaseRef `json:"passing"`
	Similarity float64 `json:"similarity"` // cosine of the TF-IDF rows without labels, 0 to 1
	// whether both cases have the same category; if not, no passing case of that category shares a word with the
	// failure
	SameCategory bool `json:"same_category"`
}
