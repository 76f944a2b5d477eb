package schedule

import (
	"math"
	"time"
)

// Figures for the pace of calls after rate-limit rejections that name no time for the next call.
const (
	slowest   = 10 * time.Second // longest time between calls
	doubling  = 20 * time.Second // without rejections, the pace doubles in this time
	paceSpan  = 10 * time.Second // the pace is measured over the calls of this time
	paceStart = time.Second      // shortest time over which the pace is measured
	// paceFree is the time between calls below which the pace becomes unlimited again. A pace as fast as before the
	// limit is not enough. That pace may have been measured on the first of many calls, and then all waiting calls
	// would start at once.
	paceFree = 10 * time.Millisecond
)

// pace limits the rate of calls. The zero pace sets no limit.
type pace struct {
	every time.Duration // time between calls; 0: no limit
	next  time.Time     // earliest time of the next call
	usual time.Duration // time between calls before the pace was limited
	goal  time.Duration // time between calls that answers restore quickly, longer than at the rejection
	heard bool          // whether the target answered since the last halving
	since time.Time     // time of the last change of the pace
	slow  time.Time     // time of the last halving
	calls []time.Time   // times of the calls in the last paceSpan
}

func (p *pace) take(now time.Time) {
	old := 0
	for old < len(p.calls) && now.Sub(p.calls[old]) > paceSpan {
		old++
	}
	p.calls = append(p.calls[old:], now)
	p.next = now.Add(p.every)
}

func (p *pace) wait(now time.Time) time.Duration { return max(p.next.Sub(now), 0) }

// halve halves the pace after the rejection of a call that began at at, and reports whether it did. It does nothing if
// the call began before the last halving.
func (p *pace) halve(at, now time.Time) bool {
	if !at.After(p.slow) {
		return false
	}
	if p.every == 0 {
		p.usual = min(max(now.Sub(p.calls[0]), paceStart), paceSpan) / time.Duration(len(p.calls))
		p.every = p.usual
	}
	if p.goal == 0 || p.heard { // the pace was too fast; without any answer it shows nothing
		p.goal = min(max(p.goal, p.every*7/5), slowest)
	}
	p.heard = false
	p.every = min(2*p.every, slowest)
	p.since, p.slow, p.next = now, now, now.Add(p.every)
	return true
}

// speedUp raises the pace after an answer. At first, each answer doubles the pace, up to somewhat below the pace that
// was rejected. After that, answers raise it slowly.
func (p *pace) speedUp(now time.Time) {
	if p.every == 0 {
		return
	}
	p.heard = true
	if p.every > p.goal && p.goal > 0 {
		p.every = max(p.every/2, p.goal)
	} else {
		p.goal = 0
		p.every = time.Duration(float64(p.every) * math.Exp2(-min(now.Sub(p.since).Seconds()/doubling.Seconds(), 1)))
	}
	p.since = now
	if p.every <= min(p.usual/2, paceFree) {
		p.every, p.goal = 0, 0
	}
	if next := now.Add(p.every); next.Before(p.next) {
		p.next = next
	}
}

// bucket limits the amount that is taken in any minute. It holds only a part of the amount for a minute and fills
// evenly, so that no minute exceeds the limit. The zero bucket has no limit.
type bucket struct {
	capacity float64
	rate     float64 // amount per second
	level    float64 // amount that may be taken now; negative if more was used than taken
	at       time.Time
}

// newBucket returns a full bucket. perMinute is the amount for a minute, and 0 means no limit. capacity is the largest
// amount that may be taken at once.
func newBucket(perMinute int, capacity float64, now time.Time) bucket {
	if perMinute <= 0 {
		return bucket{}
	}
	capacity = min(max(capacity, 1), float64(perMinute))
	// In any minute, capacity plus the filling of one minute can be taken. The filling is at least 1.
	return bucket{capacity: capacity, level: capacity, at: now, rate: max(float64(perMinute)-capacity+1, 1) / 60}
}

// wait returns how long to wait before taking n. An n above the capacity needs only a full bucket, whose level then
// becomes negative.
func (b *bucket) wait(n float64, now time.Time) time.Duration {
	if b.rate == 0 {
		return 0
	}
	if d := now.Sub(b.at).Seconds(); d > 0 {
		b.level, b.at = min(b.level+d*b.rate, b.capacity), now
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
