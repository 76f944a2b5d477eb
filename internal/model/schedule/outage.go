package schedule

import (
	"time"

	"github.com/failproof/failproof/internal/model"
)

// tolerated is the number of consecutive failures, over all requests, that starts an outage.
const tolerated = 10

// mostTimeouts is the number of consecutive timeouts after which a target that never answered is given up.
const mostTimeouts = 3

// rests are the pauses of a failing target before one request probes it; the last one repeats.
var rests = [...]time.Duration{5 * time.Second, 10 * time.Second, 20 * time.Second, 40 * time.Second, time.Minute}

// outage is the time since a target last answered. Requests that fail during it lose no attempt, because the target
// is to blame.
type outage struct {
	patience time.Duration // limit for all outages of a run together
	used     time.Duration // part of patience that past outages used

	since   time.Time // the first failure since the last answer; zero: none
	request *asking   // the request that caused all failures; nil: several requests did
	faults  int       // consecutive failures that may be temporary
	lasting int       // consecutive failures that are permanent
	rests   int       // pauses so far; 0: none
	until   time.Time // end of the pause
	probing bool      // one request is probing the target
	count   int       // outages with a pause
	single  bool      // a request alone was given up, and nothing was answered since
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
	outage int       // outage.count at that time: a later outage resets the history
}

// failed records the time of the request's first failed call. If an outage of the target has begun since, it resets the
// history first.
func (a *asking) failed(began time.Time, outages int) {
	if a.first.IsZero() || a.outage != outages {
		*a = asking{first: began, outage: outages}
	}
}

// wait returns how long a request must wait. If the time is 0, forProbe reports whether the request must wait for the
// outcome of another request, which probes the target.
func (o *outage) wait(now time.Time) (d time.Duration, forProbe bool) {
	if o.rests == 0 {
		return 0, false
	}
	if d := o.until.Sub(now); d > 0 {
		return d, false
	}
	return 0, o.probing
}

// noteAnswer records that a call was answered, and when the call began. An answer to a
// call from before the pause does not show that the target works again.
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

// failed records that a call failed, and when the call began.
func (o *outage) failed(request *asking, began time.Time) {
	switch {
	case o.since.IsZero():
		o.since, o.request = began, request
	case o.request != request:
		o.request = nil
	}
	request.failed(began, o.count)
}

// speechless records a failure. It reports whether to give up the target because it never answered and had too many
// timeouts in a row.
func (o *outage) speechless(k kind, at, now time.Time) bool {
	switch {
	case k != slow:
		o.silence = silence{}
	case o.good.IsZero() && !at.Before(o.silence.last):
		o.silence = silence{o.silence.timeouts + 1, now}
	}
	return o.good.IsZero() && o.silence.timeouts >= mostTimeouts
}

// patienceLeft returns how much longer the run waits for the target.
func (o *outage) patienceLeft(now time.Time) time.Duration {
	return o.patience - o.used - now.Sub(o.since)
}

// rest starts the next, longer pause; false if the patience is used up.
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
// The outage then begins anew, and the next request tests the target.
func (o *outage) ownFault(now time.Time) bool {
	if o.request == nil || o.single {
		return false
	}
	*o = outage{patience: o.patience, used: min(o.used+now.Sub(o.since), o.patience), count: o.count, good: o.good,
		silence: o.silence, single: true}
	return true
}

// kind classifies failures by whether waiting can help.
type kind int

const (
	none    kind = iota // the target works: it answered or rejected the request
	limited             // rate limit
	passing             // temporary outage
	slow                // no answer in time: an outage, or a slow request
	// permanently unreachable: an unknown host, a wrong certificate
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
