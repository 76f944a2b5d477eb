package embed

import (
	"context"
	"crypto/sha256"
	"sync"
)

// Remember returns e with a memory: a text that it was asked for is not asked for again, also within one call. The memory
// holds hashes and vectors, not texts, and begins anew when it is full.
func Remember(e Embedder) Embedder { return &memory{Embedder: e, known: map[digest]Embedding{}} }

// maxNumbers bounds what a memory holds: 128 MiB, or the vectors of 40,000 texts of a model with 384 dimensions.
const maxNumbers = 1 << 24

type digest = [sha256.Size]byte

type memory struct {
	Embedder
	mu      sync.Mutex
	known   map[digest]Embedding
	numbers int
}

func (m *memory) Embed(ctx context.Context, texts []string) ([]Embedding, error) {
	out := make([]Embedding, len(texts))
	var missing []string
	at := map[digest][]int{} // the places of a missing text
	m.mu.Lock()
	for i, text := range texts {
		key := sha256.Sum256([]byte(text))
		kept, known := m.known[key]
		if out[i] = kept; known {
			continue
		}
		if at[key] == nil {
			missing = append(missing, text)
		}
		at[key] = append(at[key], i)
	}
	m.mu.Unlock()
	if len(missing) == 0 {
		return out, nil
	}
	got, err := m.Embedder.Embed(ctx, missing)
	if err != nil {
		return nil, err
	}
	for i, text := range missing {
		key := sha256.Sum256([]byte(text))
		m.keep(key, got[i])
		for _, place := range at[key] {
			out[place] = got[i]
		}
	}
	return out, nil
}

func (m *memory) keep(key digest, e Embedding) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.numbers += len(e.Vector); m.numbers > maxNumbers {
		clear(m.known)
		m.numbers = len(e.Vector)
	}
	m.known[key] = e
}
