// Package schedule decides when a target is asked: at what pace, how often again after a failure, and when to stop.
// It wraps clients that ask once and know nothing of each other. It asks nobody itself and has no clock of its own.
package schedule

import (
	"context"
	"sync"
	"time"

	"github.com/failproof/failproof/internal/model"
)

// Limits bound what one run asks of all its live targets together; 0 means no limit.
type Limits struct {
	Calls   int // attempts, those that failed included
	Tokens  int // in and out
	CostUSD float64
	Wall    time.Duration // from the first question on
}

// Options are the functions and limits that a run gets from outside.
type Options struct {
	Limits Limits
	Spent  Usage                                   // of the limits, by who asked a part of the run before
	Now    func() time.Time                        // goes with the timers of package time
	Jitter func(limit time.Duration) time.Duration // a random part of limit; called by one goroutine at a time

	Waiting func(Wait) // is told when a target is left alone; called by any goroutine; nil: nobody is
}

// Run is the budget of one run, and whether it may still ask. It is safe for concurrent use.
type Run struct {
	limits  Limits
	now     func() time.Time
	jitter  func(time.Duration) time.Duration // called under mu
	waiting func(Wait)

	done   chan struct{}   // closed once nothing more is asked
	cutOff context.Context // over once what is under way is given up
	cutNow context.CancelFunc

	mu       sync.Mutex
	end      *End
	deadline time.Time // of Limits.Wall; zero until the first question, and without that limit
	spent    Usage
	underWay int
	reserved aside // for calls under way
	settled  chan struct{}
}

// aside is what is set aside for calls under way.
type aside struct {
	tokens  int
	costUSD float64
}

// Usage is what a run has used so far. A call whose usage is unknown counts as what was reserved for it.
type Usage struct {
	Calls     int     `json:"calls"` // attempts
	TokensIn  int     `json:"tokens_in"`
	TokensOut int     `json:"tokens_out"`
	CostUSD   float64 `json:"cost_usd"`
}

// Plus adds up what two parts of a run have cost.
func (s Usage) Plus(t Usage) Usage {
	return Usage{s.Calls + t.Calls, s.TokensIn + t.TokensIn, s.TokensOut + t.TokensOut, s.CostUSD + t.CostUSD}
}

// End is why a run asks nothing more.
type End struct {
	Reason string // model.ReasonBudget or model.ReasonCancelled
	Why    string // in words; a limit as the configuration names it, with its figure
}

// NewRun returns a run that has asked nothing.
func NewRun(o Options) *Run {
	r := &Run{limits: o.Limits, spent: o.Spent, now: o.Now, jitter: o.Jitter, waiting: o.Waiting,
		done: make(chan struct{}), settled: make(chan struct{})}
	r.cutOff, r.cutNow = context.WithCancel(context.Background())
	return r
}

// Cancel ends the asking, reruns included. Calls under way may still be answered.
func (r *Run) Cancel() { r.finish(cancelled) }

var cancelled = End{Reason: model.ReasonCancelled, Why: "the run was canceled"}

// Cut cancels the run and gives up what is under way.
func (r *Run) Cut() {
	r.Cancel()
	r.cutNow()
}

// Refuse ends a run before its first question, because its budget cannot suffice; why says so.
func (r *Run) Refuse(why string) { r.finish(End{Reason: model.ReasonBudget, Why: why}) }

// GiveUp ends a run and cuts off what is under way, because the rest is not worth waiting for; why says so.
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

// Ended returns why nothing more is asked; false while the run goes on, and for a run that got all its answers.
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

// finishLocked keeps the first reason.
func (r *Run) finishLocked(e End) {
	if r.end == nil {
		r.end = &e
		close(r.done)
	}
}

// failure returns the failure of requests that are no longer asked; nil while the run goes on.
func (r *Run) failure() *model.Failure {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failureLocked(model.EndUnasked)
}

// failureLocked says what happened to the request: it was not asked, or was cut off.
func (r *Run) failureLocked(state model.EndState) *model.Failure {
	if r.end == nil {
		return nil
	}
	return model.Ended(r.end.Reason, state, r.end.Why)
}

// sleep waits for d, or until news arrives or the run or ctx ends.
func (r *Run) sleep(ctx context.Context, d time.Duration, news <-chan struct{}) {
	select {
	case <-time.After(d):
	case <-news:
	case <-r.done:
	case <-ctx.Done():
	}
}

func (r *Run) pick(limit time.Duration) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return min(max(r.jitter(limit), 0), limit)
}
