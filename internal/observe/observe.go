// Package observe lays the cases of a run out by the words in them, and says how far the groups it finds agree with what
// is known of the cases (document 001, "Observable geometry"). In go texts and labels, out comes a value for report.json.
// It is exploratory: it decides nothing, does no I/O, knows no clock, and equal documents give equal results on any number
// of processors.
//
// The method is that of the document: TF-IDF, truncated SVD, k-means, mutual information. What keeps it honest is beside
// it: the labels stand outside the text that the headline is made of, and every figure comes with what chance would give.
package observe

import (
	"slices"

	"github.com/failproof/failproof/internal/together"
)

// Version names the method. Figures of different versions cannot be compared.
const Version = "1"

// Limits of the method, in documents.
const (
	// MinCases are the fewest cases that a geometry is made of (document 001).
	MinCases = 5
	// FewCases is below what an interpretation makes sense: the figures are given, and said to be mostly chance.
	FewCases = 20
	// MaxDocuments is the most that Observe looks at, both sides together. Sample says which of more.
	MaxDocuments = 2000
	// TextBytes is what is to be read of one text. What follows in a longer one adds little to its words.
	TextBytes = 2000
)

// Side says which revision a document is of.
type Side uint8

const (
	Head Side = iota
	Base
)

// Document is one answered case of one side.
type Document struct {
	SuiteID, CaseID string
	Side            Side
	Category        string // of the probe, or its suite where it is none; "" enters no figure
	Severity        string
	Passed          bool
	New             bool     // a failure of the head that the base did not have
	Content         string   // task, input and answer, without anything that judges them
	Labels          string   // what judges them: category, severity, outcome, risk, explanation, matched rules
	FailedOnBase    bool     // a document of the head whose case failed on the base
	Modes           []string // in what way it failed: failure modes, or the classification
}

// Observe analyses the documents, and returns nil if fewer than MinCases are of the head or none has a word. Documents
// beyond MaxDocuments are passed over: Sample chooses before, from as many answered cases of the head as of says.
func Observe(docs []Document, of int) *Observability {
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
	c := readCorpus(docs)
	content, seed := c.weigh(withoutLabels), c.weigh(withLabels)
	if content.cols == 0 {
		return nil
	}
	o := &Observability{Version: Version, Cases: heads, BaseCases: len(docs) - heads, Of: max(of, heads), TooFew: heads < FewCases}
	var plane []point
	var clusters [2][]int
	together.Do(func() {
		o.Content, clusters[0], plane = geometry(content, docs)
		o.FailureGroups = failureGroups(docs, content)
		o.Neighbours = neighbours(docs, content)
	}, func() { o.Seed, clusters[1], _ = geometry(seed, docs) })
	o.Points = points(docs, plane, clusters)
	return o
}

// distinct leaves out a base document whose answer and outcome are the head's: a case that did not change counts once.
func distinct(docs []Document) []Document {
	at := make(map[CaseRef]int, len(docs))
	for i, d := range docs {
		if d.Side == Head {
			at[d.ref()] = i
		}
	}
	return slices.DeleteFunc(slices.Clone(docs), func(d Document) bool {
		i, both := at[d.ref()]
		return d.Side == Base && both && docs[i].Content == d.Content && docs[i].Passed == d.Passed
	})
}

// Sample returns the indices, in order, of at most limit of n cases: every case of first, of which at most half of limit,
// and of the others as many as there is room for, evenly spread. It leaves cases out by their place alone, so that no figure is bent by what they hold.
func Sample(n int, first []int, limit int) []int {
	var out []int
	if n > limit {
		for _, i := range evenPlaces(len(first), limit/2) {
			out = append(out, first[i])
		}
	}
	taken := len(out)
	for _, i := range evenPlaces(n-taken, limit-taken) { // among those that were not taken
		for _, before := range out[:taken] {
			if before <= i {
				i++
			}
		}
		out = append(out, i)
	}
	slices.Sort(out)
	return out
}

// evenly returns at most limit of list, in order.
func evenly(list []int, limit int) []int {
	out := evenPlaces(len(list), limit)
	for i, at := range out {
		out[i] = list[at]
	}
	return out
}

// evenPlaces returns at most limit of the places in a list of n, in order: one of each of limit equal parts, drawn by chance, which no rhythm in the
// list bends.
func evenPlaces(n, limit int) []int {
	out := make([]int, min(n, limit))
	dealt := newChance(forEvenly, 0)
	for i := range out {
		if out[i] = i; n > limit {
			from, to := i*n/limit, (i+1)*n/limit
			out[i] = from + dealt.below(to-from)
		}
	}
	return out
}
