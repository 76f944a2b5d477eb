package embed

import (
	"context"
	"crypto/sha256"
	"sync"
)

// Remember returns e with a memory: a text that it was asked for once is not asked for again, also within one call. The
// memory holds hashes and vectors, not texts.
func Remember(e Embedder) Embedder {
	return &memory{Embedder: e, known: map[[sha256.Size]byte]Embedding{}}
}

type memory struct {
	Embedder
	mu    sync.Mutex
	known map[[sha256.Size]byte]Embedding
}

func (m *memory) Embed(ctx context.Context, texts []string) ([]Embedding, error) {
	keys := make([][sha256.Size]byte, len(texts))
	for i, text := range texts {
		keys[i] = sha256.Sum256([]byte(text))
	}
	if err := m.learn(ctx, texts, keys); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	out := make([]Embedding, len(texts))
	for i, key := range keys {
		out[i] = m.known[key]
	}
	return out, nil
}

// learn asks for the texts that are not known yet, each once, in the order in which they first come.
func (m *memory) learn(ctx context.Context, texts []string, keys [][sha256.Size]byte) error {
	var missing []string
	var at [][sha256.Size]byte
	asked := map[[sha256.Size]byte]bool{}
	m.mu.Lock()
	for i, key := range keys {
		if _, known := m.known[key]; !known && !asked[key] {
			asked[key] = true
			missing, at = append(missing, texts[i]), append(at, key)
		}
	}
	m.mu.Unlock()
	if len(missing) == 0 {
		return nil
	}
	got, err := m.Embedder.Embed(ctx, missing)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, key := range at {
		m.known[key] = got[i]
	}
	return nil
}
