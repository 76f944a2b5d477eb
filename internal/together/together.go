// Package together does several things at once, and breaks as if the caller had done them itself.
package together

import (
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
)

// Panic is a panic in one of the things that Do did, which goes on in the caller.
type Panic struct {
	Value   any
	Stack   []byte
	Callers []uintptr // of the place where it was recovered, innermost first
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

// Do calls all functions at once, and returns when all have. Where some panic, it panics with the *Panic of the first of them in the
// order of the arguments.
func Do(all ...func()) {
	panics := make([]*Panic, len(all))
	var working sync.WaitGroup
	for i, one := range all {
		working.Go(func() {
			defer func() {
				v := recover()
				if inner, ok := v.(*Panic); ok {
					panics[i] = inner
				} else if v != nil {
					callers := make([]uintptr, 64)
					panics[i] = &Panic{v, debug.Stack(), callers[:runtime.Callers(1, callers)]}
				}
			}()
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
