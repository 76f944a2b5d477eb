// Package together calls functions concurrently and passes their panics on to the caller.
package together

import (
	"context"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
)

// Panic is the value with which Do, Each and Within panic after a function that they called panicked.
type Panic struct {
	Value   any
	Stack   []byte
	Callers []uintptr // program counters of the panic, innermost first
}

// Within calls do and returns its result. If the context ends first, Within returns false. do then goes on, and its
// result is dropped.
func Within[T any](ctx context.Context, do func() T) (out T, done bool) {
	var w Worker[T]
	defer w.Stop()
	return w.Within(ctx, do)
}

// Worker calls functions one after the other in a goroutine that it keeps, because every new goroutine would grow its
// stack again. Its zero value is ready to use, and Stop ends it.
type Worker[T any] struct {
	calls chan func() T // nil: there is no goroutine
	ends  chan end[T]
}

// end is how a call ended.
type end[T any] struct {
	out   T
	panic *Panic
}

// Within is like the function Within.
func (w *Worker[T]) Within(ctx context.Context, do func() T) (out T, done bool) {
	if ctx.Err() != nil {
		return out, false
	}
	if w.calls == nil {
		w.calls, w.ends = make(chan func() T), make(chan end[T], 1)
		go work(w.calls, w.ends)
	}
	w.calls <- do
	select {
	case e := <-w.ends:
		if e.panic != nil {
			panic(e.panic)
		}
		return e.out, true
	case <-ctx.Done():
		w.Stop() // the next call gets another goroutine
		return out, false
	}
}

// Stop ends the goroutine after the call in progress.
func (w *Worker[T]) Stop() {
	if w.calls != nil {
		close(w.calls)
		w.calls = nil
	}
}

func work[T any](calls chan func() T, ends chan end[T]) {
	for do := range calls {
		ends <- callRecovering(do)
	}
}

func callRecovering[T any](do func() T) (e end[T]) {
	defer func() { e.panic = newPanic(recover()) }()
	e.out = do()
	return e
}

// newPanic returns the result v of recover as a Panic. It returns nil if v is nil, and v itself if v is a *Panic
// already.
func newPanic(v any) *Panic {
	if inner, ok := v.(*Panic); ok || v == nil {
		return inner
	}
	callers := make([]uintptr, 64)
	return &Panic{v, debug.Stack(), callers[:runtime.Callers(2, callers)]}
}

// Each calls do with each number from 0 to n-1, in this order, with at most width calls at once. It waits for all
// calls.
func Each(n, width int, do func(i int)) {
	var started atomic.Int64
	Do(slices.Repeat([]func(){func() {
		for i := int(started.Add(1)) - 1; i < n; i = int(started.Add(1)) - 1 {
			do(i)
		}
	}}, max(width, 1))...)
}

// Do calls all functions concurrently and waits for them. If functions panic, Do panics with the *Panic of the first of
// them in the order of the arguments.
func Do(all ...func()) {
	panics := make([]*Panic, len(all))
	var working sync.WaitGroup
	for i, one := range all {
		working.Go(func() {
			defer func() { panics[i] = newPanic(recover()) }()
			one()
		})
	}
	working.Wait()
	for _, p := range panics {
		if p != nil {
			panic(p)
		}
	}
}
