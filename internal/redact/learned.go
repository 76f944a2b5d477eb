package redact

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Learned are secrets that come to be known while texts are redacted already: a token that is renewed. It is safe for concurrent use,
// and its zero value knows none.
type Learned struct {
	mu     sync.Mutex
	values []string
	now    atomic.Pointer[Redactor]
}

// Add has a value redacted from now on.
func (l *Learned) Add(value string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if slices.Contains(l.values, value) {
		return
	}
	l.values = append(l.values, value)
	l.now.Store(New(l.values, nil))
}

// With returns a Redactor that removes what r does, and what l knows by then.
func (r *Redactor) With(l *Learned) *Redactor {
	more := *r
	more.learned = l
	return &more
}
