package observe

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// corpusOf makes n cases of the head: some 50 words each, frequent ones first by Zipf's law, a few topics with words of
// their own, and labels that go with the topics to some degree.
func corpusOf(n int) []Document {
	dealt := newRNG(77, n)
	docs := make([]Document, n)
	for i := range docs {
		topic := dealt.intN(6)
		var text strings.Builder
		for range 40 + dealt.intN(21) {
			word := int(math.Exp(dealt.unit() * math.Log(20000)))
			if dealt.intN(4) == 0 {
				word = 100000*(topic+1) + int(math.Exp(dealt.unit()*math.Log(300)))
			}
			fmt.Fprintf(&text, "w%d ", word)
		}
		category, passed := topic, dealt.intN(5) > topic/2
		if dealt.intN(4) == 0 {
			category = dealt.intN(6)
		}
		docs[i] = Document{
			SuiteID: "s", CaseID: strconv.Itoa(i), Category: "c" + strconv.Itoa(category), Severity: [...]string{"low", "medium", "high", "critical"}[dealt.intN(4)],
			Passed: passed, NewFailure: !passed && dealt.intN(3) == 0, Content: text.String(),
		}
		docs[i].Labels = fmt.Sprintf("category_%s severity_%s outcome_%t", docs[i].Category, docs[i].Severity, passed)
	}
	return docs
}

func BenchmarkObserve(b *testing.B) {
	for _, n := range []int{100, 300, 1000, MaxDocuments} {
		docs := corpusOf(n)
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if Observe(docs, n) == nil {
					b.Fatal("nothing was observed")
				}
			}
		})
	}
}

// BenchmarkPipeline is what scikit-learn does in the same pipeline, once: TF-IDF, SVD of 16 dimensions, 8
// clusters from 10 starts, the plane, and three mutual informations.
func BenchmarkPipeline(b *testing.B) {
	for _, n := range []int{1000, MaxDocuments} {
		docs := corpusOf(n)
		if folder := os.Getenv("FAILPROOF_CORPUS"); folder != "" {
			writeCorpus(b, filepath.Join(folder, strconv.Itoa(n)+".txt"), docs)
		}
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				m := newTFIDF(contents(docs))
				e := embed(&m.matrix, maxDimensions)
				labels, _, _ := cluster(&e.cloud)
				e.plane()
				agreements(docs, labels)
			}
		})
	}
}

// writeCorpus hands the corpus to another program for comparison: category, severity, outcome and text, by tabs.
func writeCorpus(b *testing.B, name string, docs []Document) {
	var out strings.Builder
	for _, d := range docs {
		fmt.Fprintf(&out, "%s\t%s\t%t\t%s %s\n", d.Category, d.Severity, d.Passed, d.Content, d.Labels)
	}
	if err := os.WriteFile(name, []byte(out.String()), 0o666); err != nil {
		b.Fatal(err)
	}
}
