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
	request  *history
	began    time.Time
	noRetry  bool // the call is not repeated, because the question is whether an answer comes
	probe    bool // the call tests whether a target that paused works again
	expected estimate
}

type decision struct {
	retry   bool          // whether to make another attempt
	backoff time.Duration // longest random wait before that attempt
	wait    *Wait         // the pause that all requests make; nil: none
}

// learn updates the state of the target from r, the response to request. It returns how the request goes on.
func (t *Target) learn(request model.Request, r model.Response, c call) decision {
	n := t.update(request, r, c)
	if n.wait != nil && t.run.onWait != nil {
		t.run.onWait(*n.wait)
	}
	return n
}

func (t *Target) update(request model.Request, r model.Response, c call) (n decision) {
	timeLeft := t.run.timeLeft()
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.run.now()
	t.sizes.learn(request, r)
	if used := r.Usage.TokensIn + r.Usage.TokensOut; used > 0 {
		t.tokens.take(float64(used - c.expected.tokens()))
	}
	f := r.Failure
	if f != nil && f.StopsTarget {
		t.stopped = f
		return decision{}
	}
	n = t.decide(f, c, now)
	if f == nil || f.Retry == nil {
		n.retry = false
	} else if f.Retry.After > 0 {
		n.backoff = maxSpread
		if t.pause(now.Add(f.Retry.After), f) && f.Retry.After < timeLeft { // a longer one is not waited for
			n.wait = t.newWait(f.Retry.After, f)
		}
	}
	t.pause(now.Add(r.Pause), nil)
	return n
}

// decide decides how the request of the call c goes on. f is the failure of the call, or nil. A failure of the target
// pauses all requests. A failure of the request uses up one of its attempts.
func (t *Target) decide(f *model.Failure, c call, now time.Time) decision {
	o, kind := &t.outage, kindOf(f)
	if kind == kindNone {
		o.noteAnswer(c.began, c.probe)
		t.pace.speedUp(now)
		return useAttempt(f, c.request)
	}
	o.failed(c.request, c.began)
	if o.noteSilence(kind, c.began, now) {
		t.giveUp(f)
		return decision{}
	}
	switch kind {
	case kindRateLimit:
		return t.rateLimited(f, c, now)
	case kindPermanent:
		if o.permanent++; o.permanent >= maxFailures {
			t.giveUp(f)
			return decision{}
		}
	default:
		o.temporary++
	}
	return t.afterFailure(f, c, now)
}

// afterFailure decides how the request of the call c goes on after the failure f, which is no rate-limit rejection.
func (t *Target) afterFailure(f *model.Failure, c call, now time.Time) decision {
	o, kind := &t.outage, kindOf(f)
	switch {
	case c.probe || o.pauses == 0 && o.temporary >= maxFailures:
		return t.pauseOrGiveUp(f, now)
	case c.noRetry:
		return decision{}
	case o.pauses > 0 && kind != kindPermanent:
		return decision{retry: true} // the outage is to blame
	}
	n := useAttempt(f, c.request)
	// The request alone is slow: there is no other one, or others were answered before.
	lonely := kind == kindTimeout && o.onlyRequest != nil && (t.requested.Load() == 1 || !o.lastGood.IsZero())
	if n.retry || kind == kindPermanent || lonely || o.lastGood.After(c.request.firstFailure) {
		return n // the request is to blame
	}
	return t.pauseOrGiveUp(f, now)
}

// useAttempt uses up one attempt of the request, and returns whether and when the next attempt follows the failure f.
func useAttempt(f *model.Failure, request *history) decision {
	if f == nil || f.Retry == nil {
		return decision{}
	}
	limit := maxTries
	if f.Retry.Max > 0 {
		limit = min(f.Retry.Max+1, maxTries)
	}
	request.failures++
	return decision{retry: request.failures < limit, backoff: firstWait << (request.failures - 1)}
}

// rateLimited decides how a request goes on after a rate-limit rejection. If the rejection names no time, rateLimited
// slows down all requests. The rejection uses up no attempt.
func (t *Target) rateLimited(f *model.Failure, c call, now time.Time) (n decision) {
	o := &t.outage
	o.temporary, o.permanent, o.pauses, o.probing = 0, 0, 0, false // the target is reachable
	if f.Retry.After == 0 && t.pace.halve(c.began, now) {
		n.wait = t.newWait(t.pace.interval, f)
	}
	if o.lastGood.After(c.request.firstFailure) {
		c.request.rejections++
	}
	if o.patienceLeft(now) <= 0 {
		t.giveUp(f)
		return decision{}
	}
	n.retry = c.request.rejections < maxTurnedDown
	return n
}

// pauseOrGiveUp pauses the target if the run may still wait for it. Otherwise, if one request caused all failures of
// the outage, it gives up only this request. If several requests caused them, it gives up the target.
func (t *Target) pauseOrGiveUp(f *model.Failure, now time.Time) decision {
	if d, ok := t.outage.startPause(now); ok {
		return decision{retry: true, wait: t.newWait(d, f)}
	}
	if !t.outage.blameRequest(now) {
		t.giveUp(f)
	}
	return decision{}
}

// giveUp stops calls to the target for good. It keeps the first failure, because calls in progress only repeat it.
func (t *Target) giveUp(f *model.Failure) { t.stopped = cmp.Or(t.stopped, f) }

// Wait describes a pause of the calls to a target, or a longer time between these calls.
type Wait struct {
	Target string
	For    time.Duration // the pause, or the time between calls
	Why    string        // in failproof's words: HTTP 429, the connection failed, …
}

func (t *Target) newWait(d time.Duration, f *model.Failure) *Wait {
	return &Wait{Target: t.name, For: d, Why: describeFailure(f)}
}

// describeFailure describes a failure without text from the target.
func describeFailure(f *model.Failure) string {
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
