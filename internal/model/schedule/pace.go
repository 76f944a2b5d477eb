package schedule

import (
	"math"
	"time"
)

// Figures for the pace of calls after rate-limit rejections that name no time for the next call.
const (
	maxInterval  = 10 * time.Second // longest time between calls
	doublingTime = 20 * time.Second // without rejections, the pace doubles in this time
	paceSpan     = 10 * time.Second // the pace is measured over the calls of this time
	paceStart    = time.Second      // shortest time over which the pace is measured
	// minInterval is the time between calls below which the pace becomes unlimited again. A pace as fast as before the
	// limit is not enough. That pace may have been measured on the first of many calls, and then all waiting calls
	// would start at once.
	minInterval = 10 * time.Millisecond
)

// pace limits the rate of calls. The zero pace sets no limit.
type pace struct {
	interval       time.Duration // time between calls; 0: no limit
	next           time.Time     // earliest time of the next call
	normalInterval time.Duration // time between calls before the pace was limited
	goalInterval   time.Duration // time between calls that answers restore quickly, longer than at the rejection
	answered       bool          // whether the target answered since the last halving
	changed        time.Time     // time of the last change of the pace
	lastHalved     time.Time     // time of the last halving
	calls          []time.Time   // times of the calls in the last paceSpan
}

func (p *pace) noteCall(now time.Time) {
	old := 0
	for old < len(p.calls) && now.Sub(p.calls[old]) > paceSpan {
		old++
	}
	p.calls = append(p.calls[old:], now)
	p.next = now.Add(p.interval)
}

func (p *pace) wait(now time.Time) time.Duration { return max(p.next.Sub(now), 0) }

// halve halves the pace after the rejection of a call that started at began, and reports whether it did. It does
// nothing if the call began before the last halving.
func (p *pace) halve(began, now time.Time) bool {
	if !began.After(p.lastHalved) {
		return false
	}
	if p.interval == 0 {
		p.normalInterval = min(max(now.Sub(p.calls[0]), paceStart), paceSpan) / time.Duration(len(p.calls))
		p.interval = p.normalInterval
	}
	if p.goalInterval == 0 || p.answered { // the pace was too fast; without any answer it shows nothing
		p.goalInterval = min(max(p.goalInterval, p.interval*7/5), maxInterval)
	}
	p.answered = false
	p.interval = min(2*p.interval, maxInterval)
	p.changed, p.lastHalved, p.next = now, now, now.Add(p.interval)
	return true
}

// speedUp raises the pace after an answer. At first, each answer doubles the pace, up to somewhat below the pace that
// was rejected. After that, answers raise it slowly.
func (p *pace) speedUp(now time.Time) {
	if p.interval == 0 {
		return
	}
	p.answered = true
	if p.interval > p.goalInterval && p.goalInterval > 0 {
		p.interval = max(p.interval/2, p.goalInterval)
	} else {
		p.goalInterval = 0
		p.interval = time.Duration(float64(p.interval) * math.Exp2(-min(now.Sub(p.changed).Seconds()/doublingTime.Seconds(), 1)))
	}
	p.changed = now
	if p.interval <= min(p.normalInterval/2, minInterval) {
		p.interval, p.goalInterval = 0, 0
	}
	if next := now.Add(p.interval); next.Before(p.next) {
		p.next = next
	}
}

// bucket limits the amount that is taken in any minute. It holds only a part of the amount for a minute and fills
// evenly, so that no minute exceeds the limit. The zero bucket has no limit.
type bucket struct {
	capacity float64
	rate     float64 // amount per second
	level    float64 // amount that may be taken now; negative if more was used than taken
	updated  time.Time
}

// newBucket returns a full bucket. perMinute is the amount for a minute, and 0 means no limit. capacity is the largest
// amount that may be taken at once.
func newBucket(perMinute int, capacity float64, now time.Time) bucket {
	if perMinute <= 0 {
		return bucket{}
	}
	capacity = min(max(capacity, 1), float64(perMinute))
	// In any minute, capacity plus the filling of one minute can be taken. The filling is at least 1.
	return bucket{capacity: capacity, level: capacity, updated: now, rate: max(float64(perMinute)-capacity+1, 1) / 60}
}

// wait returns how long to wait before taking n. An n above the capacity needs only a full bucket, whose level then
// becomes negative.
func (b *bucket) wait(n float64, now time.Time) time.Duration {
	if b.rate == 0 {
		return 0
	}
	if d := now.Sub(b.updated).Seconds(); d > 0 {
		b.level, b.updated = min(b.level+d*b.rate, b.capacity), now
	}
	missing := min(n, b.capacity) - b.level
	if missing <= 1e-9 {
		return 0
	}
	// Rounded up, because a timer that ends a nanosecond early would be set again.
	return time.Duration(missing/b.rate*float64(time.Second)) + time.Microsecond
}

// take takes the amount n. A negative n puts back an amount that was taken and not used.
func (b *bucket) take(n float64) {
	if b.rate > 0 {
		b.level = min(b.level-n, b.capacity)
	}
}
