package embed

import (
	"context"
	"crypto/sha256"
	"sync"
)

// Store stores embeddings by text. It is safe for concurrent use.
type Store interface {
	Get(text string) (Embedding, bool)
	Put(text string, e Embedding)
}

// WithStore returns an Embedder that takes embeddings from the store. It calls e only for the texts that the store
// lacks, once for each distinct text of a call, and adds the new embeddings to the store.
func WithStore(e Embedder, store Store) Embedder { return storeEmbedder{e, store} }

type storeEmbedder struct {
	Embedder
	store Store
}

func (s storeEmbedder) Embed(ctx context.Context, texts []string) ([]Embedding, error) {
	out := make([]Embedding, len(texts))
	var missing []string
	places := map[string][]int{} // indexes of a missing text
	for i, text := range texts {
		stored, known := s.store.Get(text)
		if out[i] = stored; known {
			continue
		}
		if places[text] == nil {
			missing = append(missing, text)
		}
		places[text] = append(places[text], i)
	}
	if len(missing) == 0 {
		return out, nil
	}
	added, err := s.Embedder.Embed(ctx, missing)
	if err != nil {
		return nil, err
	}
	for i, text := range missing {
		s.store.Put(text, added[i])
		for _, place := range places[text] {
			out[place] = added[i]
		}
	}
	return out, nil
}

// WithMemory returns an Embedder that keeps the embeddings of e in memory, as Keep does in a store. The memory has
// hashes instead of texts, and is emptied when it is full.
func WithMemory(e Embedder) Embedder { return WithStore(e, &memory{known: map[digest]Embedding{}}) }

// maxNumbers is the largest number of vector components in a memory. 128 MiB hold them, or 40,000 vectors of 384
// dimensions.
const maxNumbers = 1 << 24

type digest = [sha256.Size]byte

type memory struct {
	mu      sync.Mutex
	known   map[digest]Embedding
	numbers int
}

func (m *memory) Get(text string) (Embedding, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, known := m.known[sha256.Sum256([]byte(text))]
	return e, known
}

func (m *memory) Put(text string, e Embedding) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.numbers += len(e.Vector); m.numbers > maxNumbers {
		clear(m.known)
		m.numbers = len(e.Vector)
	}
	m.known[sha256.Sum256([]byte(text))] = e
}

// WithBatching returns an Embedder that makes one call of e at a time. Calls that arrive meanwhile wait, and are then
// merged into the next call of e. Use Gather if a call of e takes long however few texts it has.
func WithBatching(e Embedder) Embedder { return &batcher{Embedder: e} }

type batcher struct {
	Embedder
	mu      sync.Mutex
	waiting []*call
	busy    bool
}

type call struct {
	texts      []string
	embeddings []Embedding
	err        error
	done       chan struct{}
}

func (b *batcher) Embed(ctx context.Context, texts []string) ([]Embedding, error) {
	c := &call{texts: texts, done: make(chan struct{})}
	b.mu.Lock()
	b.waiting = append(b.waiting, c)
	if !b.busy {
		b.busy = true
		go b.serve(ctx)
	}
	b.mu.Unlock()
	select {
	case <-c.done:
		return c.embeddings, c.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// serve makes calls until none is waiting. It uses the context of the caller that started it, because all calls of a
// run have the same context.
func (b *batcher) serve(ctx context.Context) {
	for {
		b.mu.Lock()
		calls := b.waiting
		b.waiting = nil
		b.busy = len(calls) > 0
		b.mu.Unlock()
		if len(calls) == 0 {
			return
		}
		b.embedBatch(ctx, calls)
	}
}

func (b *batcher) embedBatch(ctx context.Context, calls []*call) {
	var texts []string
	for _, c := range calls {
		texts = append(texts, c.texts...)
	}
	got, err := b.Embedder.Embed(ctx, texts)
	start := 0
	for _, c := range calls {
		if c.err = err; err == nil {
			c.embeddings = got[start : start+len(c.texts)]
		}
		start += len(c.texts)
		close(c.done)
	}
}
