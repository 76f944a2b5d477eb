package evaluate

import (
	"context"
	"sync"

	"github.com/failproof/failproof/internal/model"
)

// maxHeld limits the total bytes of answers that are expected or not yet written. Beyond it, new answers wait until
// earlier ones are written, and none is dropped.
const maxHeld = 32 << 20

// load counts the bytes of the held answers. It is safe for concurrent use.
type load struct {
	mu       sync.Mutex
	news     sync.Cond // uses mu
	bytes    int       // of the answers that arrived and are not yet written
	underWay int       // questions being answered
	longest  int       // bytes of the longest answer so far
	next     int       // number of the next reading to write
}

// enter waits until there is room for one more answer, or until ctx ends. number is the number of its first reading.
// The answer that all others wait for enters at once. So does the next one, because the two may be graded together.
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
	return l.bytes+(l.underWay+1)*l.longest > maxHeld && number > l.next+1
}

// came records the arrival of an answer of size bytes. readings is the number of readings that hold the answer.
func (l *load) came(size, readings int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.underWay--
	l.bytes += size * readings
	l.longest = max(l.longest, size)
	l.news.Broadcast()
}

// release records that the next reading was written. size is the length of its answer in bytes.
func (l *load) release(size int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.bytes -= size
	l.next++
	l.news.Broadcast()
}

func sizeOf(r model.Response) int { return len(r.Text) + len(r.Refusal) }
