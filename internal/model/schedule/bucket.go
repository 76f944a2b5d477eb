package schedule

import "time"

// bucket lets through so much a minute. It holds a part of a minute's worth and is filled evenly, so that no minute, wherever it
// begins, sees more than the limit. The zero bucket has no limit.
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
	// What a minute can take at most is the capacity and a minute's filling. Where the capacity is all there is, one is kept
	// back for the filling, which must go on.
	return bucket{capacity: capacity, level: capacity, at: now, rate: max(float64(perMinute)-capacity+1, 1) / 60}
}

func (b *bucket) fill(now time.Time) {
	if d := now.Sub(b.at).Seconds(); d > 0 {
		b.level = min(b.level+d*b.rate, b.capacity)
		b.at = now
	}
}

// wait is how long n must wait. More than the bucket holds waits for a full one, and leaves a debt.
func (b *bucket) wait(n float64, now time.Time) time.Duration {
	if b.rate == 0 {
		return 0
	}
	b.fill(now)
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
