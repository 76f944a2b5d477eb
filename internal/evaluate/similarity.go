package evaluate

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/likeness"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
)

// maxUnknownShare is the largest share of unknown words for which a text causes no warning.
const maxUnknownShare = 0.2

// Similarity compares answers with expected answers by their embeddings. After the embedder's first error it compares
// nothing more, because a fallback model would have another scale. It is safe for concurrent use.
type Similarity struct {
	embedder embed.Embedder

	mu     sync.Mutex
	fault  *embed.Fault
	checks map[string]*selfCheck // by suite
}

// NewSimilarity returns a Similarity that caches embeddings.
func NewSimilarity(e embed.Embedder) *Similarity {
	return &Similarity{embedder: embed.WithMemory(e), checks: map[string]*selfCheck{}}
}

// EmbedExpected embeds the expected answers of both sides, so that an error of the embedder shows before the first call
// of a target. It returns the embedder's Fault, if any, or else ctx's error. It also prepares the self-checks of the
// head's suites.
func (m *Similarity) EmbedExpected(ctx context.Context, head, base []*suite.Suite) (*embed.Fault, error) {
	var texts []string
	for i, s := range slices.Concat(head, base) {
		before := len(texts)
		for _, expected := range expectedAnswers(s) {
			texts = append(texts, expected)
		}
		if i < len(head) {
			m.checks[s.ID] = &selfCheck{expected: slices.Compact(slices.Sorted(slices.Values(texts[before:])))}
		}
	}
	_, err := m.embed(ctx, texts...)
	return m.Fault(), err
}

// expectedAnswers yields the cases of the suite s whose expected answers are compared by meaning, with these answers.
func expectedAnswers(s *suite.Suite) iter.Seq2[*suite.Case, string] {
	return func(yield func(*suite.Case, string) bool) {
		for _, c := range s.Cases {
			if c.Semantic() && !yield(c, c.Open().Measured.Reference) {
				return
			}
		}
	}
}

// Fault returns the embedder's first error, or nil if there was none or m is nil.
func (m *Similarity) Fault() *embed.Fault {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.fault
}

// Fingerprint returns the fingerprint of the embedding model.
func (m *Similarity) Fingerprint() string { return m.embedder.Fingerprint() }

// embed returns the embeddings of texts. Once the embedder has failed, it returns nil without an error. Its error is
// ctx's.
func (m *Similarity) embed(ctx context.Context, texts ...string) ([]embed.Embedding, error) {
	if m.Fault() != nil {
		return nil, nil
	}
	got, err := m.embedder.Embed(ctx, texts)
	if fault, ok := errors.AsType[*embed.Fault](err); ok {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.fault == nil {
			m.fault = fault
		}
		return nil, nil
	}
	return got, err
}

// compare returns the similarity of answer to expected. ok is false if the embedder has failed, or if expected has no
// embedding. If only answer has no embedding, the similarity is 0, because an answer must not be able to avoid the
// comparison.
func (m *Similarity) compare(ctx context.Context, expected, answer string) (l score.Similarity, ok bool, err error) {
	got, err := m.embed(ctx, expected, answer)
	if got == nil {
		return l, false, err
	}
	l.Cosine, ok = embed.Cosine(got[0], got[1])
	if !ok && len(got[0].Vector) > 0 && len(got[1].Vector) == 0 {
		l.NoEmbedding, ok = true, true
	}
	l.Truncated = got[0].Truncated || got[1].Truncated
	l.LowCoverage = hasLowCoverage(got[0]) || hasLowCoverage(got[1])
	return l, ok, nil
}

func hasLowCoverage(e embed.Embedding) bool {
	return float64(e.UnknownWords) > maxUnknownShare*float64(e.Words)
}

// maxCorpusTexts is the largest number of expected answers from which a corpus learns.
const maxCorpusTexts = 2000

// NewCorpora returns a corpus for each suite of the head, by suite id. A corpus learns its words from the expected
// answers of both sides, so that equal answers to equal cases score the same. A case of the base counts in the suite
// that it has on the head. A corpus does not learn from answers, which would then change each other's scores.
func NewCorpora(both suite.Pairing) map[string]*likeness.Corpus {
	texts, corpora := map[string][]string{}, map[string]*likeness.Corpus{}
	for i, s := range slices.Concat(both.Heads, both.Bases) {
		var names suiteid.Matches // the head has its own names
		if i >= len(both.Heads) {
			names = both.Matches
		}
		for c, expected := range expectedAnswers(s) {
			if id := names.HeadName(s.ID, c.ID).Suite; len(texts[id]) < maxCorpusTexts {
				texts[id] = append(texts[id], expected)
			}
		}
	}
	for id, all := range texts {
		corpora[id] = likeness.NewCorpus(all)
	}
	return corpora
}

// Limits of a suite's self-check.
const (
	maxCompared = 16 // number of other cases' expected answers that an answer is compared with
	minAnswers  = 5  // smallest number of answers for a result
)

// selfCheck counts how often an answer of a suite is more similar to its own expected answer than to those of other
// cases. Its sums are integers, so the order of answers does not matter.
type selfCheck struct {
	expected []string // distinct ones, sorted
	answers  int
	pairs    int64
	wins     int64 // in halves: 2 for a win, 1 for a tie
	cosines  int64 // in millionths
}

// otherExpected returns expected answers of cases whose expected answer is not own, spread over the suite.
func (c *selfCheck) otherExpected(own string) (texts []string) {
	at, known := slices.BinarySearch(c.expected, own)
	n := len(c.expected)
	if !known {
		return nil
	}
	step := max(1, (n-1)/maxCompared)
	for k := 1; k < n && len(texts) < maxCompared; k += step {
		texts = append(texts, c.expected[(at+k)%n])
	}
	return texts
}

// addToSelfCheck adds answer, an answer of the head to the case c, to the self-check of the suite s.
func (m *Similarity) addToSelfCheck(ctx context.Context, s *suite.Suite, c *suite.Case, answer string) error {
	check := m.checks[s.ID]
	if check == nil || c.Measured == nil || !c.Measured.IsSemantic() {
		return nil
	}
	others := check.otherExpected(c.Measured.Reference)
	if len(others) == 0 {
		return nil
	}
	got, err := m.embed(ctx, append([]string{answer, c.Measured.Reference}, others...)...)
	if got == nil {
		return err
	}
	own, ok := embed.Cosine(got[0], got[1])
	if !ok {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	check.answers++
	for _, other := range got[2:] {
		cosine, ok := embed.Cosine(got[0], other)
		if !ok {
			continue
		}
		check.pairs++
		check.cosines += int64(math.Round(cosine * 1e6))
		check.wins += int64(1 + cmp.Compare(own, cosine))
	}
	return nil
}

// Discrimination returns the result of the self-check of a suite. It returns false if the self-check has too few
// answers.
func (m *Similarity) Discrimination(suiteID string) (report.SemanticDiscrimination, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.checks[suiteID]
	if c == nil || c.answers < minAnswers || c.pairs == 0 {
		return report.SemanticDiscrimination{}, false
	}
	return report.SemanticDiscrimination{SuiteID: suiteID, Answers: c.answers, AUC: float64(c.wins) / float64(2*c.pairs),
		Background: float64(c.cosines) / 1e6 / float64(c.pairs)}, true
}
