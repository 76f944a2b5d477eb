package evaluate

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/likeness"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suite"
)

// foreignShare is the share of a text's words unknown to the model from which its likeness has a warning.
const foreignShare = 0.2

// Meaning compares answers with the expected ones by their embeddings. After the embedder's first fault it compares
// nothing more, since another model's figures would be on another scale. It is safe for concurrent use.
type Meaning struct {
	embedder embed.Embedder

	mu     sync.Mutex
	fault  *embed.Fault
	checks map[string]*selfCheck // by suite
}

// NewMeaning returns a Meaning, which remembers the embeddings that it requested.
func NewMeaning(e embed.Embedder) *Meaning {
	return &Meaning{embedder: embed.Remember(e), checks: map[string]*selfCheck{}}
}

// Learn embeds the expected answers of suites in batches, and returns the embedder's fault, if any. The error is the
// context's. The answers to the head's suites are watched: see Discrimination.
func (m *Meaning) Learn(ctx context.Context, head, base []*suite.Suite) (*embed.Fault, error) {
	var texts []string
	for _, s := range head {
		own := expected(s, s.Cases.Len())
		m.checks[s.ID] = newSelfCheck(own)
		texts = append(texts, own...)
	}
	for _, s := range base {
		texts = append(texts, expected(s, s.Cases.Len())...)
	}
	_, err := m.embed(ctx, texts...)
	return m.Fault(), err
}

// expected are the expected answers that are compared by meaning, at most so many.
func expected(s *suite.Suite, most int) (texts []string) {
	if !s.Cases.Semantic() {
		return nil
	}
	for c := range s.Cases.All() {
		if c.Semantic() && len(texts) < most {
			texts = append(texts, c.Open().Measured.Reference)
		}
	}
	return texts
}

// Fault is why nothing is compared any more, or nil.
func (m *Meaning) Fault() *embed.Fault {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.fault
}

// Fingerprint names the model.
func (m *Meaning) Fingerprint() string { return m.embedder.Fingerprint() }

// embed returns nil after a fault. Its error is the context's, or a bug.
func (m *Meaning) embed(ctx context.Context, texts ...string) ([]embed.Embedding, error) {
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

// compare returns how alike two texts are; false if the embedder or the expected answer's embedding is missing. An
// answer that cannot be embedded, while the expected one can, is unlike it: an answer must not choose how it is judged.
func (m *Meaning) compare(ctx context.Context, expected, answer string) (l score.Likeness, ok bool, err error) {
	got, err := m.embed(ctx, expected, answer)
	if got == nil {
		return l, false, err
	}
	l.Cosine, ok = embed.Cosine(got[0], got[1])
	if !ok && len(got[0].Vector) > 0 && len(got[1].Vector) == 0 {
		l.Unread, ok = true, true
	}
	l.Truncated = got[0].Truncated || got[1].Truncated
	l.Foreign = foreign(got[0]) || foreign(got[1])
	return l, ok, nil
}

func foreign(e embed.Embedding) bool { return float64(e.Unknown) > foreignShare*float64(e.Words) }

// learntTexts bounds the expected answers of a side that a suite's corpus learns from.
const learntTexts = 1000

// Corpora learns the words of each suite from the expected answers of both sides, so that equal answers to equal cases
// score alike on both. It learns nothing from answers, which must not move each other's scores. Suites between which a
// case moved share a corpus.
func Corpora(head, base []*suite.Suite) map[string]*likeness.Corpus {
	texts, first := map[string][]string{}, learnTogether(base)
	for _, s := range slices.Concat(head, base) {
		texts[first(s.HeadID())] = append(texts[first(s.HeadID())], expected(s, learntTexts)...)
	}
	learnt, out := map[string]*likeness.Corpus{}, map[string]*likeness.Corpus{}
	for id, all := range texts {
		if len(all) > 0 {
			learnt[id] = likeness.NewCorpus(all)
		}
	}
	for _, s := range slices.Concat(base, head) {
		if c := learnt[first(s.HeadID())]; c != nil {
			out[s.HeadID()] = c
		}
	}
	for _, s := range base {
		if _, taken := out[s.ID]; !taken {
			out[s.ID] = out[s.HeadID()]
		}
	}
	return out
}

// learnTogether maps suite ids, as the head has them, to the first of the suites between which cases moved, directly or
// through others.
func learnTogether(base []*suite.Suite) (first func(id string) string) {
	next := map[string]string{}
	first = func(id string) string {
		for next[id] != "" {
			id = next[id]
		}
		return id
	}
	if len(base) == 0 || !base[0].Names.Moves() {
		return first
	}
	for _, s := range base {
		for c := range s.Cases.All() {
			if a, b := first(s.HeadID()), first(s.Head(c.ID).Suite); a != b {
				next[max(a, b)] = min(a, b)
			}
		}
	}
	return first
}

// Bounds of a suite's self-check.
const (
	comparedOthers = 16 // expected answers of other cases that an answer is compared with
	fewestAnswers  = 5  // below which nothing is said
)

// Discrimination says whether likeness tells the cases of a suite apart.
type Discrimination struct {
	Answers int // that were compared
	// the chance that an answer is more like its own expected answer than like another case's; 0.5 is none
	AUC        float64
	Background float64 // the mean cosine of answers and other cases' expected answers
}

// lowAUC is the AUC below which a likeness hardly tells cases apart.
const lowAUC = 0.8

// Low reports a likeness that hardly tells the cases apart.
func (d Discrimination) Low() bool { return !score.Meets(d.AUC, lowAUC) }

// selfCheck counts how often an answer is more like its own expected answer than like other cases'. Its sums are
// integers, so the order of answers does not matter.
type selfCheck struct {
	expected []string
	place    map[string]int // of an expected answer
	answers  int
	pairs    int64
	wins     int64 // in halves: 2 a win, 1 a tie
	cosines  int64 // in millionths
}

func newSelfCheck(expected []string) *selfCheck {
	c := &selfCheck{place: map[string]int{}}
	for _, text := range expected {
		if _, known := c.place[text]; !known {
			c.place[text] = len(c.expected)
			c.expected = append(c.expected, text)
		}
	}
	return c
}

// others are expected answers of other cases, spread over the suite.
func (c *selfCheck) others(own string) (texts []string) {
	at, known := c.place[own]
	n := len(c.expected)
	if !known || n < 2 {
		return nil
	}
	step := max(1, (n-1)/comparedOthers)
	for k := 1; k < n && len(texts) < comparedOthers; k += step {
		texts = append(texts, c.expected[(at+k)%n])
	}
	return texts
}

// watch counts an answer of the head.
func (m *Meaning) watch(ctx context.Context, s *suite.Suite, c *suite.Case, answer string) error {
	check := m.checks[s.ID]
	if check == nil || c.Measured == nil || !c.Measured.Semantic() {
		return nil
	}
	others := check.others(c.Measured.Reference)
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

// Discrimination is false for a suite with too few answers to say.
func (m *Meaning) Discrimination(suiteID string) (Discrimination, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.checks[suiteID]
	if c == nil || c.answers < fewestAnswers || c.pairs == 0 {
		return Discrimination{}, false
	}
	return Discrimination{c.answers, float64(c.wins) / float64(2*c.pairs),
		float64(c.cosines) / 1e6 / float64(c.pairs)}, true
}
