package schedule

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
)

// Target is the state of one target in a run, such as its pace and its pauses. Base and head share it. It is safe for
// concurrent use.
type Target struct {
	run        *Run
	name       string
	price      *config.Price // nil: unknown
	limitsSize bool          // whether a limit depends on the size of answers

	requested atomic.Int64 // number of requests that are not done, including waiting ones

	mu       sync.Mutex
	requests bucket
	tokens   bucket
	pace     pace
	outage   outage
	paused   time.Time      // no call begins before this time
	pausedBy *model.Failure // the failure that caused the pause; nil: an answer requested the pause
	stopped  *model.Failure // why the target is no longer called; nil: the target is called
	sizes    sizes
	underWay int           // number of calls in progress
	wake     chan struct{} // closed and replaced when waiting requests should try again
}

// Target returns the state of the target with the configuration c, for this run.
func (r *Run) Target(c config.Target) *Target {
	now := r.now()
	return &Target{
		run: r, name: c.Name, price: c.Price, wake: make(chan struct{}),
		outage:     outage{patience: time.Duration(c.PatienceSeconds * float64(time.Second))},
		limitsSize: r.limits.Tokens > 0 || r.limits.CostUSD > 0 && (c.Price != nil || c.StatesCost()),
		requests:   newBucket(c.RequestsPerMinute, float64(c.RequestsPerMinute)/60, now), // one second's worth at once
		// answers differ in size: six seconds' worth
		tokens: newBucket(c.TokensPerMinute, float64(c.TokensPerMinute)/10, now),
	}
}

// admit waits until the target may be called for the request r. It returns a failure if the request cannot be sent.
// probe reports whether the call tests a target that failed before.
func (t *Target) admit(ctx context.Context, r model.Request) (probe bool, failure *model.Failure) {
	tokens, longest := t.estimate(r).tokens(), t.maxEstimate(r)
	for {
		if ctx.Err() != nil || t.run.timeLeft() == 0 {
			return false, endRun(t.run, model.EndNotCalled)
		}
		if f := t.run.failure(); f != nil {
			return false, f
		}
		probe, wait, wake, f := t.try(tokens, longest)
		if f != nil || wait == 0 {
			return probe, f
		}
		sleep(ctx, t.run, wait, wake)
	}
}

// try admits a call, or returns how long to wait before the next try. The wait may be shorter if wake is closed. try
// returns a failure if the target is no longer called, or if its pause outlasts the run.
func (t *Target) try(tokens int, longest estimate) (probe bool, wait time.Duration, wake <-chan struct{},
	failure *model.Failure) {
	timeLeft := t.run.timeLeft()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stopped != nil {
		// The message is that of the request that stopped the target; the end state says that this one was not sent.
		return false, 0, nil, &model.Failure{Reason: t.stopped.Reason, Message: t.stopped.Message,
			End: &model.End{State: model.EndNotCalled}}
	}
	now := t.run.now()
	pause := t.paused.Sub(now)
	if pause > timeLeft && t.pausedBy != nil {
		return false, 0, nil, tooLong(*t.pausedBy, pause, timeLeft)
	}
	outageWait, forProbe := t.outage.wait(now)
	if forProbe {
		outageWait = timeLeft
	}
	wait = max(pause, outageWait, t.pace.wait(now), t.requests.wait(1, now), t.tokens.wait(float64(tokens), now))
	if t.limitsSize && !t.sizes.answered && t.underWay > 0 &&
		!(t.price != nil && canAfford(t.run, t.underWay+1, longest)) {
		wait = timeLeft // wait for the first answer, which shows how many calls fit into the budget
	}
	if wait > 0 || forProbe {
		return false, max(min(wait, timeLeft), time.Millisecond), t.wake, nil
	}
	t.underWay++
	t.requests.take(1)
	t.tokens.take(float64(tokens))
	t.pace.noteCall(now)
	t.outage.probing = t.outage.pauses > 0 // whether this call probes the target
	return t.outage.probing, 0, nil, nil
}

// tooLong returns f without a retry and with a longer message, because the pause before the retry would outlast the
// run.
func tooLong(f model.Failure, pause, timeLeft time.Duration) *model.Failure {
	f.Retry = nil
	f.Message += model.Untrusted(fmt.Sprintf(" (the next attempt is allowed in %s, but the run ends in %s)",
		pause.Round(time.Second), timeLeft.Round(time.Second)))
	return &f
}

// finishCall ends an admitted call and wakes waiting requests.
func (t *Target) finishCall() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.underWay--
	close(t.wake)
	t.wake = make(chan struct{})
}

// estimate returns the size and cost that the request r may reach, judged by the largest answers of the target so far.
func (t *Target) estimate(r model.Request) estimate {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sizes.estimate(r, t.price)
}

// maxEstimate returns an upper bound for the size and cost of a call, whatever the target adds to the request and
// answers.
func (t *Target) maxEstimate(r model.Request) estimate {
	e := estimate{tokensIn: MostIn(r) + longestText, tokensOut: longestText}
	if t.price != nil {
		e.costUSD = Cost(*t.price, e.tokensIn, e.tokensOut)
	}
	return e
}

// pause makes all requests wait until end because of failure, which may be nil. It returns false if they already wait
// that long.
func (t *Target) pause(end time.Time, failure *model.Failure) bool {
	if !end.After(t.paused) {
		return false
	}
	t.paused, t.pausedBy = end, failure
	return true
}
