package evaluate

import (
	"context"
	"errors"
	"sync"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suite"
)

// foreignShare is the share of a text's words that a model may lack before its likeness is warned of.
const foreignShare = 0.2

// Meaning compares answers with what was expected by their embeddings. After a first fault of the embedder it compares
// nothing more: another model's figures would be on another scale. It is safe for concurrent use.
type Meaning struct {
	embedder embed.Embedder

	mu     sync.Mutex
	fault  *embed.Fault
	checks map[string]*selfCheck // by suite
}

// NewMeaning makes a Meaning. What the embedder was asked for is remembered.
func NewMeaning(e embed.Embedder) *Meaning {
	return &Meaning{embedder: embed.Remember(e), checks: map[string]*selfCheck{}}
}

// Learn embeds the expected answers of suites, many at a time, and returns the fault that the embedder has, if any. Its
// error is the context's. The answers to suites of head are watched: see Discrimination.
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

// compare returns how alike two texts are, and false where that cannot be told: there is no embedder any more, or none of the expected
// answer. An answer that cannot be embedded where the expected one can is not like it: what an answer is must not choose its judge.
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
