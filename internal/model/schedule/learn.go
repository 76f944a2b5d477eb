package schedule

import (
	"cmp"
	"fmt"
	"time"

	"github.com/failproof/failproof/internal/model"
)

// Limits of the attempts of one request.
const (
	maxTries      = 5  // failed attempts while the target answers other requests
	maxTurnedDown = 20 // rate-limit rejections while the target answers other requests
)

type call struct {
	request  *asking
	at       time.Time
	once     bool // the call is not repeated, because the question is whether an answer comes
	probe    bool // the call tests whether a target that paused works again
	expected estimate
}

type next struct {
	again   bool          // whether to make another attempt
	backoff time.Duration // longest random wait before that attempt
	wait    *Wait         // the pause that all requests make; nil: none
}

// learn updates the state of the target from r, the response to asked. It returns how the request goes on.
func (t *Target) learn(asked model.Request, r model.Response, c call) next {
	n := t.note(asked, r, c)
	if n.wait != nil && t.run.waiting != nil {
		t.run.waiting(*n.wait)
	}
	return n
}

func (t *Target) note(asked model.Request, r model.Response, c call) (n next) {
	left := t.run.timeLeft()
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.run.now()
	t.sizes.learn(asked, r)
	if used := r.Usage.TokensIn + r.Usage.TokensOut; used > 0 {
		t.tokens.take(float64(used - c.expected.tokens()))
	}
	f := r.Failure
	if f != nil && f.Stop {
		t.stopped = f
		return next{}
	}
	n = t.judge(f, c, now)
	if f == nil || f.Retry == nil {
		n.again = false
	} else if f.Retry.After > 0 {
		n.backoff = spread
		if t.pause(now.Add(f.Retry.After), f) && f.Retry.After < left { // a longer one is not waited for
			n.wait = t.waits(f.Retry.After, f)
		}
	}
	t.pause(now.Add(r.Pause), nil)
	return n
}

// judge decides how the request of the call c goes on. f is the failure of the call, or nil. A failure of the target
// pauses all requests. A failure of the request uses up one of its attempts.
func (t *Target) judge(f *model.Failure, c call, now time.Time) next {
	o, kind := &t.outage, kindOf(f)
	if kind == none {
		o.noteAnswer(c.at, c.probe)
		t.pace.speedUp(now)
		return again(f, c.request)
	}
	o.failed(c.request, c.at)
	if o.speechless(kind, c.at, now) {
		t.giveUp(f)
		return next{}
	}
	switch kind {
	case limited:
		return t.tooOften(f, c, now)
	case lasting:
		if o.lasting++; o.lasting >= tolerated {
			t.giveUp(f)
			return next{}
		}
	default:
		o.faults++
	}
	switch {
	case c.probe || o.rests == 0 && o.faults >= tolerated:
		return t.rest(f, now)
	case c.once:
		return next{}
	case o.rests > 0 && kind != lasting:
		return next{again: true} // the outage is to blame
	}
	n := again(f, c.request)
	// The request alone is slow: there is no other one, or others were answered before.
	lonely := kind == slow && o.request != nil && (t.requested.Load() == 1 || !o.good.IsZero())
	if n.again || kind == lasting || lonely || o.good.After(c.request.first) {
		return n // the request is to blame
	}
	return t.rest(f, now)
}

// again uses up one attempt of the request, and returns whether and when the next attempt follows the failure f.
func again(f *model.Failure, request *asking) next {
	if f == nil || f.Retry == nil {
		return next{}
	}
	limit := maxTries
	if f.Retry.Max > 0 {
		limit = min(f.Retry.Max+1, maxTries)
	}
	request.tries++
	return next{again: request.tries < limit, backoff: firstWait << (request.tries - 1)}
}

// tooOften decides how a request goes on after a rate-limit rejection. If the rejection names no time, tooOften slows
// down all requests. The rejection uses up no attempt.
func (t *Target) tooOften(f *model.Failure, c call, now time.Time) (n next) {
	o := &t.outage
	o.faults, o.lasting, o.rests, o.probing = 0, 0, 0, false // the target is reachable
	if f.Retry.After == 0 && t.pace.halve(c.at, now) {
		n.wait = t.waits(t.pace.every, f)
	}
	if o.good.After(c.request.first) {
		c.request.down++
	}
	if o.patienceLeft(now) <= 0 {
		t.giveUp(f)
		return next{}
	}
	n.again = c.request.down < maxTurnedDown
	return n
}

// rest pauses the target if the run may still wait for it. Otherwise, if one request caused all failures of the outage,
// rest gives up only this request. If several requests caused them, it gives up the target.
func (t *Target) rest(f *model.Failure, now time.Time) next {
	if d, ok := t.outage.rest(now); ok {
		return next{again: true, wait: t.waits(d, f)}
	}
	if !t.outage.ownFault(now) {
		t.giveUp(f)
	}
	return next{}
}

// giveUp stops calls to the target for good. It keeps the first failure, because calls in progress only repeat it.
func (t *Target) giveUp(f *model.Failure) { t.stopped = cmp.Or(t.stopped, f) }

// Wait describes a pause of the calls to a target, or a longer time between these calls.
type Wait struct {
	Target string
	For    time.Duration // the pause, or the time between calls
	Why    string        // in failproof's words: HTTP 429, the connection failed, …
}

func (t *Target) waits(d time.Duration, f *model.Failure) *Wait {
	return &Wait{Target: t.name, For: d, Why: why(f)}
}

// why describes a failure without text from the target.
func why(f *model.Failure) string {
	switch {
	case f.Status > 0:
		return fmt.Sprintf("HTTP %d", f.Status)
	case f.Reason == model.ReasonTransport:
		return "the connection failed"
	case f.Reason == model.ReasonTimeout, f.LimitSeconds > 0:
		return "no answer in time"
	case f.Reason == model.ReasonRateLimit:
		return "rate limit reached"
	}
	return "unavailable"
}
