package evaluate

import (
	"context"
	"sync"

	"github.com/failproof/failproof/internal/model"
)

// maxHeldBytes limits the total bytes of answers that are expected or not yet written. Beyond it, new answers wait
// until earlier ones are written, and none is dropped.
const maxHeldBytes = 32 << 20

// memoryLimiter limits the bytes of the held answers. It is safe for concurrent use.
type memoryLimiter struct {
	mu        sync.Mutex
	changed   sync.Cond // uses mu
	heldBytes int       // of the answers that arrived and are not yet written
	inFlight  int       // questions being answered
	maxBytes  int       // bytes of the longest answer so far
	next      int       // number of the next use to write
}

// acquire waits until there is room for one more answer, or until ctx ends. number is the number of its first use. The
// answer that all others wait for gets room at once. So does the next one, because the two may be graded together.
func (l *memoryLimiter) acquire(ctx context.Context, number int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.isFull(number) {
		defer context.AfterFunc(ctx, func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.changed.Broadcast()
		})()
	}
	for l.isFull(number) && ctx.Err() == nil {
		l.changed.Wait()
	}
	l.inFlight++
}

func (l *memoryLimiter) isFull(number int) bool {
	return l.heldBytes+(l.inFlight+1)*l.maxBytes > maxHeldBytes && number > l.next+1
}

// recordAnswer records the arrival of an answer of size bytes. readings is the number of uses that hold the answer.
func (l *memoryLimiter) recordAnswer(size, readings int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inFlight--
	l.heldBytes += size * readings
	l.maxBytes = max(l.maxBytes, size)
	l.changed.Broadcast()
}

// release records that the next use was written. size is the length of its answer in bytes.
func (l *memoryLimiter) release(size int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heldBytes -= size
	l.next++
	l.changed.Broadcast()
}

func responseBytes(r model.Response) int {
	n := len(r.Text) + len(r.Refusal)
	for _, call := range r.ToolCalls {
		n += len(call.Name) + len(call.Arguments)
	}
	return n
}
