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

// Keep returns an Embedder that takes embeddings from the store. It calls e only for the texts that the store lacks,
// once for each distinct text of a call, and adds the new embeddings to the store.
func Keep(e Embedder, store Store) Embedder { return keeper{e, store} }

type keeper struct {
	Embedder
	store Store
}

func (k keeper) Embed(ctx context.Context, texts []string) ([]Embedding, error) {
	out := make([]Embedding, len(texts))
	var missing []string
	at := map[string][]int{} // indexes of a missing text
	for i, text := range texts {
		kept, known := k.store.Get(text)
		if out[i] = kept; known {
			continue
		}
		if at[text] == nil {
			missing = append(missing, text)
		}
		at[text] = append(at[text], i)
	}
	if len(missing) == 0 {
		return out, nil
	}
	got, err := k.Embedder.Embed(ctx, missing)
	if err != nil {
		return nil, err
	}
	for i, text := range missing {
		k.store.Put(text, got[i])
		for _, place := range at[text] {
			out[place] = got[i]
		}
	}
	return out, nil
}

// Remember returns an Embedder that keeps the embeddings of e in memory, as Keep does in a store. The memory has hashes
// instead of texts, and is emptied when it is full.
func Remember(e Embedder) Embedder { return Keep(e, &memory{known: map[digest]Embedding{}}) }

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

// Gather returns an Embedder that makes one call of e at a time. Calls that arrive meanwhile wait, and are then merged
// into the next call of e. Use Gather if a call of e takes long however few texts it has.
func Gather(e Embedder) Embedder { return &gatherer{Embedder: e} }

type gatherer struct {
	Embedder
	mu      sync.Mutex
	waiting []*call
	busy    bool
}

type call struct {
	texts []string
	got   []Embedding
	err   error
	done  chan struct{}
}

func (g *gatherer) Embed(ctx context.Context, texts []string) ([]Embedding, error) {
	if len(texts) == 0 {
		return nil, ctx.Err()
	}
	c := &call{texts: texts, done: make(chan struct{})}
	g.mu.Lock()
	g.waiting = append(g.waiting, c)
	if !g.busy {
		g.busy = true
		go g.serve(ctx)
	}
	g.mu.Unlock()
	select {
	case <-c.done:
		return c.got, c.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// serve makes calls until none is waiting. It uses the context of the caller that started it, because all calls of a
// run have the same context.
func (g *gatherer) serve(ctx context.Context) {
	for {
		g.mu.Lock()
		calls := g.waiting
		g.waiting = nil
		g.busy = len(calls) > 0
		g.mu.Unlock()
		if len(calls) == 0 {
			return
		}
		g.make(ctx, calls)
	}
}

func (g *gatherer) make(ctx context.Context, calls []*call) {
	var texts []string
	for _, c := range calls {
		texts = append(texts, c.texts...)
	}
	got, err := g.Embedder.Embed(ctx, texts)
	at := 0
	for _, c := range calls {
		if c.err = err; err == nil {
			c.got = got[at : at+len(c.texts)]
		}
		at += len(c.texts)
		close(c.done)
	}
}
