package schedule

import (
	"time"

	"github.com/failproof/failproof/internal/model"
)

// maxFailures is the number of consecutive failures, counted over all requests, that starts an outage.
const maxFailures = 10

// maxTimeouts is the number of consecutive timeouts after which a target that never answered is given up.
const maxTimeouts = 3

// pauseLengths are the lengths of the successive pauses of a failing target. After each pause, one request probes the
// target. The last length repeats.
var pauseLengths = [...]time.Duration{5 * time.Second, 10 * time.Second, 20 * time.Second, 40 * time.Second,
	time.Minute}

// outage has the failures of a target since its last answer, and the pauses that follow from them. A request that fails
// during an outage loses no attempt, because the target is to blame.
type outage struct {
	patience     time.Duration // longest time that a run waits, over all outages together
	patienceUsed time.Duration // part of patience that past outages used

	since       time.Time // start of the first failed call since the last answer; zero: none failed
	onlyRequest *history  // the request of all failed calls; nil: they are of several requests
	temporary   int       // consecutive failures that may be temporary
	permanent   int       // consecutive failures that are permanent
	pauses      int       // pauses so far in this outage; 0: none
	pauseEnd    time.Time // end of the current pause
	probing     bool      // whether a request is probing the target
	count       int       // number of outages with a pause so far
	blamed      bool      // whether one request was given up as the cause, and no call was answered since
	lastGood    time.Time // start of the last answered call
	silence     timeoutStreak
}

// timeoutStreak counts the timeouts of a target that never answered.
type timeoutStreak struct {
	timeouts int       // consecutive; concurrent calls count once
	last     time.Time // end of the last timeout that counts
}

// history counts the failures of one request.
type history struct {
	failures     int       // failed attempts that count
	rejections   int       // rate-limit rejections that count
	firstFailure time.Time // start of the first failed call
	outage       int       // outage.count at that time; a later outage resets the history
}

// failed records that a call of the request failed. began is the start of the call, and outages is outage.count. If an
// outage has begun since the first failed call, failed resets the history first.
func (h *history) failed(began time.Time, outages int) {
	if h.firstFailure.IsZero() || h.outage != outages {
		*h = history{firstFailure: began, outage: outages}
	}
}

// wait returns how long a request must wait. If d is 0, untilProbe reports whether the request must wait until another
// request has probed the target.
func (o *outage) wait(now time.Time) (d time.Duration, untilProbe bool) {
	if o.pauses == 0 {
		return 0, false
	}
	if d := o.pauseEnd.Sub(now); d > 0 {
		return d, false
	}
	return 0, o.probing
}

// noteAnswer records that a call was answered. began is the start of the call, and probe says whether the call probed
// the target. An answer to another call that began before the outage does not show that the target works again.
func (o *outage) noteAnswer(began time.Time, probe bool) {
	if began.After(o.lastGood) {
		o.lastGood = began
	}
	if o.pauses > 0 && !probe && began.Before(o.since) {
		return
	}
	if d := began.Sub(o.since); !o.since.IsZero() && d >= pauseLengths[0] {
		o.patienceUsed += d
	}
	*o = outage{patience: o.patience, patienceUsed: o.patienceUsed, count: o.count, lastGood: o.lastGood}
}

// failed records that a call of the request failed. began is the start of the call.
func (o *outage) failed(request *history, began time.Time) {
	switch {
	case o.since.IsZero():
		o.since, o.onlyRequest = began, request
	case o.onlyRequest != request:
		o.onlyRequest = nil
	}
	request.failed(began, o.count)
}

// noteSilence records a failure of the kind k of a call that started at began. It reports whether to give up the
// target, because it never answered and had too many timeouts in a row.
func (o *outage) noteSilence(k kind, began, now time.Time) bool {
	switch {
	case k != kindTimeout:
		o.silence = timeoutStreak{}
	case o.lastGood.IsZero() && !began.Before(o.silence.last):
		o.silence = timeoutStreak{o.silence.timeouts + 1, now}
	}
	return o.lastGood.IsZero() && o.silence.timeouts >= maxTimeouts
}

// patienceLeft returns how much longer the run may wait for the target.
func (o *outage) patienceLeft(now time.Time) time.Duration {
	return o.patience - o.patienceUsed - now.Sub(o.since)
}

// startPause starts the next pause and returns its length. It returns false if the patience is used up.
func (o *outage) startPause(now time.Time) (d time.Duration, ok bool) {
	left := o.patienceLeft(now)
	if left <= 0 {
		return 0, false
	}
	if o.pauses == 0 {
		o.count++
	}
	d = min(pauseLengths[min(o.pauses, len(pauseLengths)-1)], left)
	o.pauses++
	o.pauseEnd, o.probing = now.Add(d), false
	return d, true
}

// blameRequest reports whether a single request caused all failures of the outage, so that only this request is given
// up. In this case, the outage begins anew, and the next request tests the target.
func (o *outage) blameRequest(now time.Time) bool {
	if o.onlyRequest == nil || o.blamed {
		return false
	}
	*o = outage{patience: o.patience, patienceUsed: min(o.patienceUsed+now.Sub(o.since), o.patience), count: o.count,
		lastGood: o.lastGood,
		silence:  o.silence, blamed: true}
	return true
}

// kind classifies failures by whether waiting helps.
type kind int

const (
	kindNone      kind = iota // no failure of the target: it answered, or rejected the request
	kindRateLimit             // rate limit
	kindTemporary             // temporary outage
	kindTimeout               // no answer in time, because of an outage or a slow request
	// a failure that lasts, such as an unknown host or a wrong certificate
	kindPermanent
)

func kindOf(f *model.Failure) kind {
	switch {
	case f == nil:
		return kindNone
	case f.Reason == model.ReasonRateLimit && f.Retry != nil:
		return kindRateLimit
	case f.Reason == model.ReasonTimeout || f.LimitSeconds > 0:
		return kindTimeout
	case f.Reason == model.ReasonTransport && (f.Retry == nil || f.Retry.Max > 0):
		return kindPermanent
	case f.Reason == model.ReasonServer && f.Retry == nil:
		return kindPermanent
	case f.Reason == model.ReasonServer || f.Reason == model.ReasonTransport:
		return kindTemporary
	}
	return kindNone
}
