// Package schedule decides when to call a target: at what pace, how often to repeat a call after a failure, and when to
// stop. It wraps clients that make single attempts. The clock is an option.
package schedule

import (
	"context"
	"sync"
	"time"

	"github.com/failproof/failproof/internal/model"
)

// Limits limits what a run uses of all live targets together. A limit of 0 means no limit.
type Limits struct {
	Calls   int // number of attempts, including failed ones
	Tokens  int // number of input and output tokens
	CostUSD float64
	Wall    time.Duration // time since the first call
}

// Options are the functions and limits of a run.
type Options struct {
	Limits Limits
	Spent  Usage                                   // usage of earlier parts of the run, which counts toward the limits
	Now    func() time.Time                        // must agree with the timers of package time
	Jitter func(limit time.Duration) time.Duration // returns a random part of limit; never called concurrently

	OnWait func(Wait) // called by any goroutine when a target pauses; may be nil
}

// Run has the budget and the state of one run. It is safe for concurrent use.
type Run struct {
	limits Limits
	now    func() time.Time
	jitter func(time.Duration) time.Duration // called with mu held
	onWait func(Wait)

	done       chan struct{}   // closed when no further call may begin
	abortCtx   context.Context // ends when calls in progress must be aborted
	abortCalls context.CancelFunc

	mu          sync.Mutex
	end         *End
	deadline    time.Time // from Limits.Wall; zero before the first call, or without that limit
	spent       Usage
	underWay    int
	reserved    reservation // for the calls in progress
	callSettled chan struct{}
}

// reservation is the part of the budget that is reserved for calls in progress.
type reservation struct {
	tokens  int
	costUSD float64
}

// Usage is what a run has used of its budget. If the usage of a call is unknown, the amount that was reserved for the
// call counts.
type Usage struct {
	Calls     int     `json:"calls"` // attempts
	TokensIn  int     `json:"tokens_in"`
	TokensOut int     `json:"tokens_out"`
	CostUSD   float64 `json:"cost_usd"`
}

// Plus returns the sum of u and t.
func (u Usage) Plus(t Usage) Usage {
	return Usage{u.Calls + t.Calls, u.TokensIn + t.TokensIn, u.TokensOut + t.TokensOut, u.CostUSD + t.CostUSD}
}

// End says why a run makes no further calls.
type End struct {
	Reason string // model.ReasonBudget or model.ReasonCancelled
	Why    string // the reason in words; a limit is named by its key and value
}

// NewRun returns a run that has not made any calls.
func NewRun(o Options) *Run {
	r := &Run{limits: o.Limits, spent: o.Spent, now: o.Now, jitter: o.Jitter, onWait: o.OnWait,
		done: make(chan struct{}), callSettled: make(chan struct{})}
	r.abortCtx, r.abortCalls = context.WithCancel(context.Background())
	return r
}

// Cancel ends the run, so that no further call or rerun begins. Calls in progress may still be answered.
func (r *Run) Cancel() { r.finish(endCancelled) }

var endCancelled = End{Reason: model.ReasonCancelled, Why: "the run was canceled"}

// Abort cancels the run and aborts calls in progress.
func (r *Run) Abort() {
	r.Cancel()
	r.abortCalls()
}

// Refuse ends the run before its first call, because its budget is too small. why is the reason in words.
func (r *Run) Refuse(why string) { r.finish(End{Reason: model.ReasonBudget, Why: why}) }

// GiveUp ends the run and aborts calls in progress. why is the reason in words.
func (r *Run) GiveUp(why string) {
	r.Refuse(why)
	r.Abort()
}

func usedUp(limit string) string { return limit + " is used up" }

// Usage returns what the run has used so far.
func (r *Run) Usage() Usage {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.spent
}

// Ended returns why the run makes no further calls. It returns false if the run was not ended early.
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

// finishLocked ends the run. If the run has ended already, the first reason stays. The caller must hold r.mu.
func (r *Run) finishLocked(e End) {
	if r.end == nil {
		r.end = &e
		close(r.done)
	}
}

// failure returns the failure that further requests get, or nil if the run goes on.
func (r *Run) failure() *model.Failure {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failureLocked(model.EndNotCalled)
}

// failureLocked returns the failure of a request with the given end state, or nil if the run goes on. The caller must
// hold r.mu.
func (r *Run) failureLocked(state model.EndState) *model.Failure {
	if r.end == nil {
		return nil
	}
	return model.EndFailure(r.end.Reason, state, r.end.Why)
}

// sleep waits for the time d. It returns earlier if wake is closed, or if the run or ctx ends.
func sleep(ctx context.Context, r *Run, d time.Duration, wake <-chan struct{}) {
	select {
	case <-time.After(d):
	case <-wake:
	case <-r.done:
	case <-ctx.Done():
	}
}
