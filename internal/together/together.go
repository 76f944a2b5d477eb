// Package together does several things at once, and breaks as if the caller had done them itself.
package together

import (
	"context"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
)

// Panic is a panic in one of the things that Do or Within did, which goes on in the caller.
type Panic struct {
	Value   any
	Stack   []byte
	Callers []uintptr // of the place where it was recovered, innermost first
}

// Within does something while there is time, and reports whether it was done. What time was too short for goes on
// alone, and nobody heeds it.
func Within[T any](time context.Context, do func() T) (out T, done bool) {
	if time.Err() != nil {
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
	case <-time.Done():
		return out, false
	}
}

// newPanic wraps what recover returned; nil if it returned nothing.
func newPanic(v any) *Panic {
	if inner, ok := v.(*Panic); ok || v == nil {
		return inner
	}
	callers := make([]uintptr, 64)
	return &Panic{v, debug.Stack(), callers[:runtime.Callers(2, callers)]}
}

// Each calls a function with each number below n, of as many at once as width says, at least one, in their order.
func Each(n, width int, do func(i int)) {
	var begun atomic.Int64
	Do(slices.Repeat([]func(){func() {
		for i := int(begun.Add(1)) - 1; i < n; i = int(begun.Add(1)) - 1 {
			do(i)
		}
	}}, max(width, 1))...)
}

// Do calls all functions at once, and returns when all have. Where some panic, it panics with the *Panic of the first
// of them in the order of the arguments.
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
