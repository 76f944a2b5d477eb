package schedule

import (
	"math"
	"time"
)

// The pace of calls to a target whose rate limit is reached, and that names no time for the next call.
const (
	slowest   = 10 * time.Second // between two calls, at most
	doubling  = 20 * time.Second // in which the pace doubles again while nothing more is said
	paceSpan  = 10 * time.Second // over which the pace so far is measured
	paceStart = time.Second      // at the beginning, at least
	// Calls are kept apart until the time between them is this short, whatever was usual: that may have been measured
	// on the first of many calls, and all who wait would come at once.
	paceFree = 10 * time.Millisecond
)

// pace keeps calls apart. The zero pace does not.
type pace struct {
	every time.Duration // between two calls; 0: as they come
	next  time.Time     // the earliest time of the next call
	usual time.Duration // what every was when it was not yet held down
	goal  time.Duration // reached at once when the target answers again: somewhat slower than what was too fast
	heard bool          // it answered since the pace was halved
	since time.Time     // the pace was halved, or grew
	slow  time.Time     // it was halved
	calls []time.Time   // of the last paceSpan
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

// halve lets half as many calls through as came so far, and reports whether it did. A limit reported for a call made
// before the last halving is no news.
func (p *pace) halve(at, now time.Time) bool {
	if !at.After(p.slow) {
		return false
	}
	if p.every == 0 {
		p.usual = min(max(now.Sub(p.calls[0]), paceStart), paceSpan) / time.Duration(len(p.calls))
		p.every = p.usual
	}
	if p.goal == 0 || p.heard { // the pace so far was too fast; where nothing is answered, that tells nothing of it
		p.goal = min(max(p.goal, p.every*7/5), slowest)
	}
	p.heard = false
	p.every = min(2*p.every, slowest)
	p.since, p.slow, p.next = now, now, now.Add(p.every)
	return true
}

// speedUp lets more calls through: at once somewhat fewer than were too many, then slowly more.
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

// bucket lets a fixed amount a minute through. It holds part of a minute's worth and fills evenly, so that no minute
// exceeds the limit. The zero bucket has no limit.
type bucket struct {
	capacity float64
	rate     float64 // a second
	level    float64 // below 0: a debt of what turned out larger than it was taken for
	at       time.Time
}

// newBucket returns a full bucket for perMinute, of which capacity may be taken at once; 0 perMinute is no limit.
func newBucket(perMinute int, capacity float64, now time.Time) bucket {
	if perMinute <= 0 {
		return bucket{}
	}
	capacity = min(max(capacity, 1), float64(perMinute))
	// What a minute can take at most is the capacity and a minute's filling. Where the capacity is all there is, one is
	// kept back for the filling, which must go on.
	return bucket{capacity: capacity, level: capacity, at: now, rate: max(float64(perMinute)-capacity+1, 1) / 60}
}

// wait returns how long n must wait. More than the bucket holds waits for a full one, and leaves a debt.
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
	// Rounded up: a timer that ends a nanosecond early would only be set again.
	return time.Duration(missing/b.rate*float64(time.Second)) + time.Microsecond
}

// take takes n out; a negative n puts back what was too much.
func (b *bucket) take(n float64) {
	if b.rate > 0 {
		b.level = min(b.level-n, b.capacity)
	}
}
