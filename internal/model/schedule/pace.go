package schedule

import (
	"math"
	"time"
)

// The pace after rate-limit rejections that name no time for the next call.
const (
	slowest   = 10 * time.Second // longest time between calls
	doubling  = 20 * time.Second // the pace doubles in this time without rejections
	paceSpan  = 10 * time.Second // the current pace is measured over this time
	paceStart = time.Second      // shortest measured time
	// paceFree bounds the time between calls at which the pace becomes unlimited again. It is not enough that the pace
	// is as fast as before the limit: that pace may have been measured on the first of many calls, and all waiting
	// calls would start at once.
	paceFree = 10 * time.Millisecond
)

// pace limits the rate of calls. The zero pace sets no limit.
type pace struct {
	every time.Duration // time between calls; 0: no limit
	next  time.Time     // earliest time of the next call
	usual time.Duration // time between calls before the limit
	goal  time.Duration // time between calls that answers restore quickly: somewhat longer than at the rejection
	heard bool          // the target answered since the last halving
	since time.Time     // last change of the pace
	slow  time.Time     // last halving
	calls []time.Time   // within the last paceSpan
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

// halve halves the pace and reports whether it did. It ignores the rejection of a call from before the last halving.
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

// speedUp raises the pace after an answer. It doubles the pace until the pace is somewhat below the rejected one. From
// there on it raises the pace slowly.
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

// bucket limits an amount for each minute. It holds a part of that amount and fills evenly, so that no minute exceeds
// the limit. The zero bucket has no limit.
type bucket struct {
	capacity float64
	rate     float64 // amount per second
	level    float64 // negative: more was used than taken
	at       time.Time
}

// newBucket returns a full bucket. perMinute is the amount for a minute; 0 is no limit. capacity is the most that may
// be taken at once.
func newBucket(perMinute int, capacity float64, now time.Time) bucket {
	if perMinute <= 0 {
		return bucket{}
	}
	capacity = min(max(capacity, 1), float64(perMinute))
	// In any minute, capacity plus the filling of one minute can be taken. The filling is at least 1.
	return bucket{capacity: capacity, level: capacity, at: now, rate: max(float64(perMinute)-capacity+1, 1) / 60}
}

// wait returns how long to wait before taking n. If n exceeds the capacity, a full bucket is enough and goes
// negative.
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

// take takes n; a negative n puts back what was too much.
func (b *bucket) take(n float64) {
	if b.rate > 0 {
		b.level = min(b.level-n, b.capacity)
	}
}
