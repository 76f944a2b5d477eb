package embed

import (
	"context"
	"sync"
)

// Gather returns e with calls gathered: while one is under way, those that come in wait and are made as one. It is for an
// embedder whose calls take long whatever they hold.
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

// serve makes calls until none is waiting. Those of one run share its context, so that of the first serves them all.
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
