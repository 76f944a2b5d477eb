// Package schedule decides when to call a target: at what pace, how often to repeat a call after a failure, and when to
// stop. It wraps clients that make single attempts. The clock is an option.
package schedule

import (
	"context"
	"sync"
	"time"

	"github.com/failproof/failproof/internal/model"
)

// Limits limits what one run uses of all live targets together; 0 means no limit.
type Limits struct {
	Calls   int // attempts, including failed ones
	Tokens  int // input and output
	CostUSD float64
	Wall    time.Duration // from the first call
}

// Options are the functions and limits of a run.
type Options struct {
	Limits Limits
	Spent  Usage                                   // usage of earlier parts of the run, which counts toward the limits
	Now    func() time.Time                        // must agree with the timers of package time
	Jitter func(limit time.Duration) time.Duration // a random part of limit; never called concurrently

	Waiting func(Wait) // called when a target pauses, by any goroutine; nil: not called
}

// Run is the budget and the state of one run. It is safe for concurrent use.
type Run struct {
	limits  Limits
	now     func() time.Time
	jitter  func(time.Duration) time.Duration // called with mu held
	waiting func(Wait)

	done   chan struct{}   // closed when no further call is made
	cutOff context.Context // ends when calls in progress are aborted
	cutNow context.CancelFunc

	mu       sync.Mutex
	end      *End
	deadline time.Time // by Limits.Wall; zero before the first call and without a limit
	spent    Usage
	underWay int
	reserved reservation // for calls in progress
	settled  chan struct{}
}

// reservation is the part of the budget that is reserved for calls in progress.
type reservation struct {
	tokens  int
	costUSD float64
}

// Usage is the part of the budget that a run has used. A call of unknown usage counts with what was reserved for it.
type Usage struct {
	Calls     int     `json:"calls"` // attempts
	TokensIn  int     `json:"tokens_in"`
	TokensOut int     `json:"tokens_out"`
	CostUSD   float64 `json:"cost_usd"`
}

// Plus returns the sum of two usages.
func (s Usage) Plus(t Usage) Usage {
	return Usage{s.Calls + t.Calls, s.TokensIn + t.TokensIn, s.TokensOut + t.TokensOut, s.CostUSD + t.CostUSD}
}

// End is why a run makes no further calls.
type End struct {
	Reason string // model.ReasonBudget or model.ReasonCancelled
	Why    string // in words; a limit by its key and value
}

// NewRun returns a run that has made no calls.
func NewRun(o Options) *Run {
	r := &Run{limits: o.Limits, spent: o.Spent, now: o.Now, jitter: o.Jitter, waiting: o.Waiting,
		done: make(chan struct{}), settled: make(chan struct{})}
	r.cutOff, r.cutNow = context.WithCancel(context.Background())
	return r
}

// Cancel ends the run, including reruns. Calls in progress may still be answered.
func (r *Run) Cancel() { r.finish(cancelled) }

var cancelled = End{Reason: model.ReasonCancelled, Why: "the run was canceled"}

// Cut cancels the run and aborts calls in progress.
func (r *Run) Cut() {
	r.Cancel()
	r.cutNow()
}

// Refuse ends a run before its first call because its budget is too small. why is the reason in words.
func (r *Run) Refuse(why string) { r.finish(End{Reason: model.ReasonBudget, Why: why}) }

// GiveUp ends a run and aborts calls in progress. why is the reason.
func (r *Run) GiveUp(why string) {
	r.Refuse(why)
	r.Cut()
}

func used(limit string) string { return limit + " is used up" }

// Usage returns what the run has used so far.
func (r *Run) Usage() Usage {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.spent
}

// Ended returns why no further call is made; false while the run goes on or if it got all answers.
func (r *Run) Ended() (End, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.end == nil {
		return End{}, false
	}
	return *r.end, true
}

func (r *Run) finish(e End) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.finishLocked(e)
}

// finishLocked ends the run and keeps the first reason.
func (r *Run) finishLocked(e End) {
	if r.end == nil {
		r.end = &e
		close(r.done)
	}
}

// failure returns the failure of further requests; nil while the run goes on.
func (r *Run) failure() *model.Failure {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failureLocked(model.EndUnasked)
}

// failureLocked returns the failure of a request with the given end state; nil while the run goes on.
func (r *Run) failureLocked(state model.EndState) *model.Failure {
	if r.end == nil {
		return nil
	}
	return model.Ended(r.end.Reason, state, r.end.Why)
}

// sleep waits for the time d. It returns earlier if news arrives, or if the run or ctx ends.
func sleep(ctx context.Context, r *Run, d time.Duration, news <-chan struct{}) {
	select {
	case <-time.After(d):
	case <-news:
	case <-r.done:
	case <-ctx.Done():
	}
}
