package schedule

import (
	"time"

	"github.com/failproof/failproof/internal/model"
)

// tolerated is how many faults of the target in a row, over all requests, may be bad luck.
const tolerated = 10

// mostTimeouts is how many timeouts in a row end a target that never answered: nobody is there.
const mostTimeouts = 3

// rests are how long a failing target is left alone before one request tries it again; the last one repeats.
var rests = [...]time.Duration{5 * time.Second, 10 * time.Second, 20 * time.Second, 40 * time.Second, time.Minute}

// outage is the time since a target last answered, and how long to wait for it. It concerns the target, so a request
// that fails meanwhile loses no try.
type outage struct {
	patience time.Duration // for all outages of a run together
	used     time.Duration // by those that are over

	since   time.Time // the first fault since the last answer; zero: there was none
	by      *asking   // whose faults they are; nil where they are of several requests
	faults  int       // in a row that may pass
	lasting int       // in a row that will not
	rests   int       // so far; 0: the target is asked as usual
	until   time.Time // the rest's end
	probing bool      // one request is trying it
	count   int       // outages in which the target was left alone
	alone   bool      // a request was given up for it alone, and nothing was answered since
	good    time.Time // when the call was made that was answered last
	silence silence
}

// silence is what a target that never answered has come to.
type silence struct {
	timeouts int       // one after another: calls that were under way together count once
	last     time.Time // when the last one of these ended
}

// asking is what one request has gone through.
type asking struct {
	tries  int       // that failed, and count
	down   int       // how often the target rejected it by its rate limit
	first  time.Time // when the first call was made that failed
	outage int       // the count of outages then: what an outage took is given back
}

// failed notes a failed call, its time, and the target's number of outages then.
func (a *asking) failed(at time.Time, outages int) {
	if a.first.IsZero() || a.outage != outages {
		*a = asking{first: at, outage: outages}
	}
}

// wait returns how long a request must wait, and whether it must wait for a probe.
func (o *outage) wait(now time.Time) (d time.Duration, forProbe bool) {
	if o.rests == 0 {
		return 0, false
	}
	if d := o.until.Sub(now); d > 0 {
		return d, false
	}
	return 0, o.probing
}

// noteAnswer notes that a call made at a time was answered, in whatever way. A call made before the target was left
// alone says nothing of its state now.
func (o *outage) noteAnswer(at time.Time, probe bool) {
	if at.After(o.good) {
		o.good = at
	}
	if o.rests > 0 && !probe && at.Before(o.since) {
		return
	}
	if d := at.Sub(o.since); !o.since.IsZero() && d >= rests[0] {
		o.used += d
	}
	*o = outage{patience: o.patience, used: o.used, count: o.count, good: o.good}
}

// failed notes that a call failed which was made at a time.
func (o *outage) failed(by *asking, at time.Time) {
	switch {
	case o.since.IsZero():
		o.since, o.by = at, by
	case o.by != by:
		o.by = nil
	}
	by.failed(at, o.count)
}

// speechless notes the fault of a call made at a time, and reports whether the target never answered and is given up
// for its timeouts.
func (o *outage) speechless(k kind, at, now time.Time) bool {
	switch {
	case k != slow:
		o.silence = silence{}
	case o.good.IsZero() && !at.Before(o.silence.last):
		o.silence = silence{o.silence.timeouts + 1, now}
	}
	return o.good.IsZero() && o.silence.timeouts >= mostTimeouts
}

// alive notes that the target is there, although it answers nothing.
func (o *outage) alive() { o.faults, o.lasting, o.rests, o.probing = 0, 0, 0, false }

// patienceLeft returns how much longer the run waits for the target.
func (o *outage) patienceLeft(now time.Time) time.Duration {
	return o.patience - o.used - now.Sub(o.since)
}

// rest leaves the target alone for the next, longer time; false if patience is used up.
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

// ownFault gives up one request instead of the target if all faults are the request's own, and nothing shows that
// another would fare as badly. The next request tries the target.
func (o *outage) ownFault(now time.Time) bool {
	if o.by == nil || o.alone {
		return false
	}
	*o = outage{patience: o.patience, used: min(o.used+now.Sub(o.since), o.patience), count: o.count, good: o.good,
		silence: o.silence, alone: true}
	return true
}

// Kinds of faults, by what waiting does about them.
type kind int

const (
	none    kind = iota // the target works: it answered, or turned this request down
	limited             // its rate limit is reached
	passing             // it is out of order, and may be well again later
	slow                // no answer in time: it is out of order, or this request takes too long
	// it cannot be reached, and waiting will not change that: a name that does not exist, a certificate
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
