package schedule

import (
	"time"

	"github.com/failproof/failproof/internal/model"
)

// tolerated is the number of consecutive failures, counted over all requests, that starts an outage.
const tolerated = 10

// mostTimeouts is the number of consecutive timeouts after which a target that never answered is given up.
const mostTimeouts = 3

// rests are the lengths of the successive pauses of a failing target. After each pause, one request probes the target.
// The last length repeats.
var rests = [...]time.Duration{5 * time.Second, 10 * time.Second, 20 * time.Second, 40 * time.Second, time.Minute}

// outage has the failures of a target since its last answer, and the pauses that follow from them. A request that fails
// during an outage loses no attempt, because the target is to blame.
type outage struct {
	patience time.Duration // longest time that a run waits, over all outages together
	used     time.Duration // part of patience that past outages used

	since   time.Time // start of the first failed call since the last answer; zero: none failed
	request *asking   // the request of all failed calls; nil: they are of several requests
	faults  int       // consecutive failures that may be temporary
	lasting int       // consecutive failures that are permanent
	rests   int       // pauses so far in this outage; 0: none
	until   time.Time // end of the current pause
	probing bool      // whether a request is probing the target
	count   int       // number of outages with a pause so far
	single  bool      // whether one request was given up as the cause, and no call was answered since
	good    time.Time // start of the last answered call
	silence silence
}

// silence counts the timeouts of a target that never answered.
type silence struct {
	timeouts int       // consecutive; concurrent calls count once
	last     time.Time // end of the last timeout that counts
}

// asking is the history of one request.
type asking struct {
	tries  int       // failed attempts that count
	down   int       // rate-limit rejections that count
	first  time.Time // start of the first failed call
	outage int       // outage.count at that time; a later outage resets the history
}

// failed records that a call of the request failed. began is the start of the call, and outages is outage.count. If an
// outage has begun since the first failed call, failed resets the history first.
func (a *asking) failed(began time.Time, outages int) {
	if a.first.IsZero() || a.outage != outages {
		*a = asking{first: began, outage: outages}
	}
}

// wait returns how long a request must wait. If d is 0, forProbe reports whether the request must wait until another
// request has probed the target.
func (o *outage) wait(now time.Time) (d time.Duration, forProbe bool) {
	if o.rests == 0 {
		return 0, false
	}
	if d := o.until.Sub(now); d > 0 {
		return d, false
	}
	return 0, o.probing
}

// noteAnswer records that a call was answered. began is the start of the call, and probe says whether the call probed
// the target. An answer to another call that began before the outage does not show that the target works again.
func (o *outage) noteAnswer(began time.Time, probe bool) {
	if began.After(o.good) {
		o.good = began
	}
	if o.rests > 0 && !probe && began.Before(o.since) {
		return
	}
	if d := began.Sub(o.since); !o.since.IsZero() && d >= rests[0] {
		o.used += d
	}
	*o = outage{patience: o.patience, used: o.used, count: o.count, good: o.good}
}

// failed records that a call of the request failed. began is the start of the call.
func (o *outage) failed(request *asking, began time.Time) {
	switch {
	case o.since.IsZero():
		o.since, o.request = began, request
	case o.request != request:
		o.request = nil
	}
	request.failed(began, o.count)
}

// speechless records a failure of the kind k of a call that began at at. It reports whether to give up the target,
// because it never answered and had too many timeouts in a row.
func (o *outage) speechless(k kind, at, now time.Time) bool {
	switch {
	case k != slow:
		o.silence = silence{}
	case o.good.IsZero() && !at.Before(o.silence.last):
		o.silence = silence{o.silence.timeouts + 1, now}
	}
	return o.good.IsZero() && o.silence.timeouts >= mostTimeouts
}

// patienceLeft returns how much longer the run may wait for the target.
func (o *outage) patienceLeft(now time.Time) time.Duration {
	return o.patience - o.used - now.Sub(o.since)
}

// rest starts the next pause and returns its length. It returns false if the patience is used up.
func (o *outage) rest(now time.Time) (d time.Duration, ok bool) {
	left := o.patienceLeft(now)
	if left <= 0 {
		return 0, false
	}
	if o.rests == 0 {
		o.count++
	}
	d = min(rests[min(o.rests, len(rests)-1)], left)
	o.rests++
	o.until, o.probing = now.Add(d), false
	return d, true
}

// ownFault reports whether a single request caused all failures of the outage, so that only this request is given up.
// In this case, the outage begins anew, and the next request tests the target.
func (o *outage) ownFault(now time.Time) bool {
	if o.request == nil || o.single {
		return false
	}
	*o = outage{patience: o.patience, used: min(o.used+now.Sub(o.since), o.patience), count: o.count, good: o.good,
		silence: o.silence, single: true}
	return true
}

// kind classifies failures by whether waiting helps.
type kind int

const (
	none    kind = iota // no failure of the target: it answered, or rejected the request
	limited             // rate limit
	passing             // temporary outage
	slow                // no answer in time, because of an outage or a slow request
	// a failure that lasts, such as an unknown host or a wrong certificate
	lasting
)

func kindOf(f *model.Failure) kind {
	switch {
	case f == nil:
		return none
	case f.Reason == model.ReasonRateLimit && f.Retry != nil:
		return limited
	case f.Reason == model.ReasonTimeout || f.LimitSeconds > 0:
		return slow
	case f.Reason == model.ReasonTransport && (f.Retry == nil || f.Retry.Max > 0):
		return lasting
	case f.Reason == model.ReasonServer && f.Retry == nil:
		return lasting
	case f.Reason == model.ReasonServer || f.Reason == model.ReasonTransport:
		return passing
	}
	return none
}
