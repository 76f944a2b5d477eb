package evaluate

import (
	"context"
	"sync"

	"github.com/failproof/failproof/internal/model"
)

// maxHeld bounds in bytes the answers that are held, or expected, and not yet written. Beyond it only the answer that
// all others wait for is asked for, so that long answers come fewer at a time and none is lost.
const maxHeld = 32 << 20

// load is the size of the answers that are held now. It is safe for concurrent use.
type load struct {
	mu       sync.Mutex
	news     sync.Cond // of mu
	held     int       // bytes
	underWay int       // questions
	longest  int       // bytes of an answer so far
	next     int       // the number of the reading that is taken next
}

// enter waits until there is room for one more answer, or ctx ends. The answer that all others wait for enters at
// once, and so does the next one, because the two may be graded together.
func (l *load) enter(ctx context.Context, number int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.full(number) {
		defer context.AfterFunc(ctx, func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.news.Broadcast()
		})()
	}
	for l.full(number) && ctx.Err() == nil {
		l.news.Wait()
	}
	l.underWay++
}

func (l *load) full(number int) bool {
	return l.held+(l.underWay+1)*l.longest > maxHeld && number > l.next+1
}

// came notes an answer that is held for so many readings.
func (l *load) came(size, readings int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.underWay--
	l.held += size * readings
	l.longest = max(l.longest, size)
	l.news.Broadcast()
}

// release notes that the next reading, whose answer has the given size, was processed.
func (l *load) release(size int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held -= size
	l.next++
	l.news.Broadcast()
}

func sizeOf(r model.Response) int { return len(r.Text) + len(r.Refusal) }
