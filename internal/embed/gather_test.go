package embed_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/failproof/failproof/internal/embed"
)

// lengths is an embedder that takes a second a call.
type lengths struct {
	mu    sync.Mutex
	calls []int // texts in each
	fail  error
}

func (l *lengths) Fingerprint() string { return "lengths" }

func (l *lengths) Embed(ctx context.Context, texts []string) ([]embed.Embedding, error) {
	l.mu.Lock()
	l.calls = append(l.calls, len(texts))
	l.mu.Unlock()
	select {
	case <-time.After(time.Second):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	var out []embed.Embedding
	for _, text := range texts {
		out = append(out, embed.Embedding{Tokens: len(text)})
	}
	return out, l.fail
}

func TestCallsThatWaitAreMadeAsOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := &lengths{}
		g := embed.WithBatching(inner)
		start := time.Now()
		var all sync.WaitGroup
		for i := range 10 {
			all.Go(func() {
				texts := []string{strings.Repeat("x", i+1), strings.Repeat("y", i+20)}
				got, err := g.Embed(context.Background(), texts)
				if err != nil || len(got) != 2 || got[0].Tokens != i+1 || got[1].Tokens != i+20 {
					t.Errorf("call %d: %v, %v", i, got, err)
				}
			})
		}
		all.Wait()
		if took := time.Since(start); took > 2*time.Second || len(inner.calls) > 2 {
			t.Errorf("10 calls of a second took %s in calls of %v texts; want two calls at most", took, inner.calls)
		}
		if _, err := g.Embed(context.Background(), []string{"z"}); err != nil || !slices.Contains(inner.calls, 1) {
			t.Errorf("a call after the others: %v, calls of %v texts", err, inner.calls)
		}
	})
}

func TestAFailureIsThatOfEveryCallInIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fault := embed.Faultf(embed.ReasonTimeout, "too slow")
		g := embed.WithBatching(&lengths{fail: fault})
		var all sync.WaitGroup
		for i := range 5 {
			all.Go(func() {
				if got, err := g.Embed(context.Background(), []string{fmt.Sprint(i)}); !errors.Is(err, fault) || got != nil {
					t.Errorf("call %d: %v, %v", i, got, err)
				}
			})
		}
		all.Wait()
	})
}

func TestACancelEndsEveryCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := embed.WithBatching(&lengths{})
		ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
		defer cancel()
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				if _, err := g.Embed(ctx, []string{"x"}); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("Embed() = %v", err)
				}
			})
		}
		all.Wait()
	})
}
