package observe

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// blockRows is the work of one block. It is fixed: sums are made block by block, and must not depend on who makes them.
const blockRows = 256

func blocksOf(n int) int { return (n + blockRows - 1) / blockRows }

// inBlocks calls f for all blocks of n rows, on every processor there is.
func inBlocks(n int, f func(block, from, to int)) {
	inParallel(blocksOf(n), func(b int) { f(b, b*blockRows, min((b+1)*blockRows, n)) })
}

// inParallel calls f with 0 to n-1, on every processor there is, and returns when all are done.
func inParallel(n int, f func(i int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	if workers <= 1 {
		for i := range n {
			f(i)
		}
		return
	}
	var next atomic.Int64
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	all.Wait()
}
