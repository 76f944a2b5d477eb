package score

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/fact"
	"github.com/failproof/failproof/internal/likeness"
)

// Similarity is the similarity of two texts in meaning.
type Similarity struct {
	Cosine      float64 // cosine of their embeddings, in [-1, 1]
	Truncated   bool    // a text is longer than the model reads
	LowCoverage bool    // the model does not know more than a fifth of the words of a text
	NoEmbedding bool    // the model has no embedding of the answer, so that the cosine is 0
}

// Warnings of a comparison by meaning.
const (
	WarnSemanticTruncated = "semantic_truncated"
	WarnLowCoverage       = "semantic_low_coverage"
	WarnContradiction     = "semantic_contradiction"
)

// guardCap is the largest value of accuracy for an answer that contradicts the expected answer.
const guardCap = 0.5

// addSemanticAccuracy adds the accuracy by meaning. If that is impossible, it adds the accuracy by words. An empty
// answer has similarity 0.
func (m *measurement) addSemanticAccuracy() {
	if m.settings.Compare == nil {
		m.addLexicalAccuracy()
		return
	}
	var l Similarity
	if !m.answer.isBlank() {
		compared, ok := m.settings.Compare(m.expected.Reference, m.answer.linked)
		if !ok {
			m.addLexicalAccuracy()
			return
		}
		l = compared
	}
	cosine := math.Round(l.Cosine*1e6) / 1e6 // further decimals differ between machines
	description := "similarity in meaning to the expected answer: the cosine of their embeddings"
	if l.NoEmbedding {
		description = "similarity in meaning to the expected answer: none, because the model has no embedding of this answer"
	}
	m.addSimilarityAccuracy(Metric{
		Method: MethodSemantic, Value: max(0, min(1, cosine)), Cosine: &cosine, Model: m.settings.Model,
		Description: description,
	})
	if l.Truncated {
		m.warn(WarnSemanticTruncated)
	}
	if l.LowCoverage || l.NoEmbedding {
		m.warn(WarnLowCoverage)
	}
}

// addLexicalAccuracy adds the accuracy by words. It warns about that unless the answer equals the expected one.
func (m *measurement) addLexicalAccuracy() {
	corpus := m.settings.Corpus
	if corpus == nil {
		corpus = likeness.EnglishCorpus()
	}
	alike, shared := corpus.LexicalSimilarity(m.expected.Reference, m.answer.linked)
	m.wordOverlap = &shared
	if strings.TrimSpace(m.answer.linked) == strings.TrimSpace(m.expected.Reference) {
		m.addSimilarityAccuracy(Metric{Method: MethodLexical, Value: 1,
			Description: "the expected answer, word for word"})
		return
	}
	m.warn(WarnSemanticUnavailable)
	m.addSimilarityAccuracy(Metric{
		Method: MethodLexical, Degraded: true, Value: alike,
		Description: "words shared with the expected answer; there is no embedding model to compare the meaning",
	})
}

// addSimilarityAccuracy adds x as the metric accuracy. It caps the value of an answer that contradicts the expected
// one, because neither words nor embeddings show a contradiction.
func (m *measurement) addSimilarityAccuracy(x Metric) {
	x.Name, x.Weight = Accuracy, AccuracyWeight
	contradicted := slices.ContainsFunc(m.expected.Sentences, func(f *fact.Fact) bool {
		r, searched := m.answer.searchFact(f)
		return searched && r.Outcome == fact.Contradicted
	})
	if contradicted {
		m.warn(WarnContradiction)
	}
	if contradicted && x.Value > guardCap {
		x.Description += fmt.Sprintf("; %.3f, capped at %.1f", x.Value, guardCap)
		x.Value, x.Status = guardCap, StatusCapped
	}
	m.add(x)
}
