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
	if ctx.Err() != nil {
		return out, false
	}
	type end struct {
		out   T
		panic *Panic
	}
	ended := make(chan end, 1)
	go func() {
		var e end
		defer func() {
			e.panic = newPanic(recover())
			ended <- e
		}()
		e.out = do()
	}()
	select {
	case e := <-ended:
		if e.panic != nil {
			panic(e.panic)
		}
		return e.out, true
	case <-ctx.Done():
		return out, false
	}
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
