package schedule

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
)

// Target is one target of a run, shared by all that ask it on either side: its pace, its pauses, and whether it is still worth
// asking. It is safe for concurrent use.
type Target struct {
	run   *Run
	name  string
	price config.Price // zero: not known

	mu       sync.Mutex
	requests bucket
	tokens   bucket
	breaker  breaker
	paused   time.Time      // nobody asks before
	pausedBy *model.Failure // nil: the target said so beside an answer
	stopped  *model.Failure // nil: it is asked
	longest  int            // tokens of the longest answer so far
	excess   float64        // by how much a request was larger than it was taken for, at most; 1 or more
	news     chan struct{}  // closed and replaced when what others wait for has changed
}

// Target returns a target of the run; what it is like is taken from its configuration.
func (r *Run) Target(c config.Target) *Target {
	now := r.now()
	t := &Target{
		run: r, name: c.Name, excess: 1, news: make(chan struct{}),
		requests: newBucket(c.RequestsPerMinute, float64(c.RequestsPerMinute)/60, now), // a second's worth at once
		tokens:   newBucket(c.TokensPerMinute, float64(c.TokensPerMinute)/10, now),     // lumps are larger: six seconds' worth
	}
	if c.Price != nil {
		t.price = *c.Price
	}
	return t
}

// admit waits until the target may be asked for about so many tokens. It returns the failure to hand on where it may not.
func (t *Target) admit(ctx context.Context, tokens int) (probe bool, failure *model.Failure) {
	for {
		if ctx.Err() != nil || t.run.left() == 0 {
			return false, t.run.cut("not asked")
		}
		if f := t.run.failure(); f != nil {
			return false, f
		}
		probe, wait, news, f := t.try(tokens)
		if f != nil || wait == 0 {
			return probe, f
		}
		t.run.sleep(ctx, wait, news)
	}
}

// try takes a place if there is one, and else says how long to wait.
func (t *Target) try(tokens int) (probe bool, wait time.Duration, news <-chan struct{}, failure *model.Failure) {
	left := t.run.left()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stopped != nil {
		return false, 0, nil, t.notAsked()
	}
	now := t.run.now()
	pause := t.paused.Sub(now)
	if pause > left && t.pausedBy != nil {
		return false, 0, nil, tooLong(*t.pausedBy, pause, left)
	}
	rest, forProbe := t.breaker.wait(now)
	if forProbe {
		rest = left
	}
	wait = max(pause, rest, t.requests.wait(1, now), t.tokens.wait(float64(tokens), now))
	if wait > 0 || forProbe {
		return false, max(min(wait, left), time.Millisecond), t.news, nil
	}
	t.requests.take(1)
	t.tokens.take(float64(tokens))
	return t.breaker.enter(), 0, nil, nil
}

// notAsked is the failure of a request that comes after the target was given up.
func (t *Target) notAsked() *model.Failure {
	return &model.Failure{Reason: t.stopped.Reason,
		Message: model.Untrusted(fmt.Sprintf("not asked: target %s gave up before: %s", t.name, t.stopped.Message))}
}

// tooLong is a failure whose target wants to be left alone for longer than the run lasts.
func tooLong(f model.Failure, pause, left time.Duration) *model.Failure {
	f.Retry = nil
	f.Message += model.Untrusted(fmt.Sprintf(" (it is to be asked again in %s at the earliest, the run has %s left)",
		pause.Round(time.Second), left.Round(time.Second)))
	return &f
}

// learn takes from one attempt what concerns the next ones, whoever makes them.
func (t *Target) learn(asked model.Request, r model.Response, probe bool, estimated int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.run.now()
	t.longest = max(t.longest, r.Usage.TokensOut)
	t.excess = max(t.excess, float64(r.Usage.TokensIn)/float64(max(TokensIn(asked), 1)))
	if used := r.Usage.TokensIn + r.Usage.TokensOut; used > 0 {
		t.tokens.take(float64(used - estimated))
	}
	f := r.Failure
	switch {
	case f != nil && f.Stop:
		t.stopped = f
	case isOutage(f):
		if t.breaker.fault(probe, now) {
			t.stopped = &model.Failure{Reason: f.Reason,
				Message: model.Untrusted(fmt.Sprintf("%d failures in a row, the last one: %s", t.breaker.faults, f.Message))}
		}
	default:
		t.breaker.works()
	}
	if f != nil && f.Retry != nil {
		t.pause(now.Add(f.Retry.After), f)
	}
	t.pause(now.Add(r.Pause), nil)
	close(t.news)
	t.news = make(chan struct{})
}

// pause keeps everybody from asking before until.
func (t *Target) pause(until time.Time, by *model.Failure) {
	if until.After(t.paused) {
		t.paused, t.pausedBy = until, by
	}
}

// isOutage reports a failure that says the target is out of order, not the request: what retrying is for, but for limits
// that the target keeps and answers that it made in a wrong form.
func isOutage(f *model.Failure) bool {
	if f == nil {
		return false
	}
	return f.Reason == model.ReasonServer || f.Reason == model.ReasonTimeout || f.Reason == model.ReasonTransport || f.LimitSeconds > 0
}

// Outputs that are expected where nothing is known.
const (
	expectedOut   = 500 // tokens
	perMessage    = 4   // tokens that a message takes besides its text
	bytesPerToken = 4   // about, in English text
)

// TokensIn is about how many tokens a request is.
func TokensIn(r model.Request) (n int) {
	for _, m := range r.Messages {
		n += perMessage + (len(m.Content)+bytesPerToken-1)/bytesPerToken
	}
	return n
}

// TokensOut is how many tokens an answer takes at most, or about, where the request sets no limit.
func TokensOut(r model.Request) int {
	if r.Parameters.MaxTokens != nil {
		return *r.Parameters.MaxTokens
	}
	return expectedOut
}

// estimate is what a call to the target may cost, as far as its answers so far tell.
func (t *Target) estimate(r model.Request) estimate {
	t.mu.Lock()
	longest, excess := t.longest, t.excess
	t.mu.Unlock()
	in, out := int(math.Ceil(float64(TokensIn(r))*excess)), TokensOut(r)
	if r.Parameters.MaxTokens == nil {
		out = max(out, longest)
	}
	return estimate{tokens: in + out, costUSD: Cost(t.price, in, out)}
}

// Cost is what tokens cost, in US dollars.
func Cost(p config.Price, in, out int) float64 {
	return float64(float64(in)*p.InputPerMillion)/1e6 + float64(float64(out)*p.OutputPerMillion)/1e6
}
