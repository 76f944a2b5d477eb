package schedule

import "time"

// tolerated is how many faults of the server in a row, over all requests, are taken for bad luck.
const tolerated = 10

// rests are how long a target that fails time after time is left alone before one request tries it again. It gives up
// after the last, by which time a single request would have given up as well.
var rests = [...]time.Duration{5 * time.Second, 10 * time.Second}

// breaker keeps a target that is out of order from being asked hundreds of times for nothing.
type breaker struct {
	faults  int       // in a row
	trips   int       // rests so far; 0: it works
	until   time.Time // the rest's end
	probing bool      // one request is trying it
}

// wait is how long a request must wait, and whether it must wait for the outcome of another one.
func (b *breaker) wait(now time.Time) (d time.Duration, forProbe bool) {
	if b.trips == 0 {
		return 0, false
	}
	if d := b.until.Sub(now); d > 0 {
		return d, false
	}
	return 0, b.probing
}

// enter lets a request through, and reports whether it is the one that tries the target again.
func (b *breaker) enter() (probe bool) {
	b.probing = b.trips > 0
	return b.probing
}

// works notes that the server answered, whatever it said.
func (b *breaker) works() { *b = breaker{} }

// fault notes a fault of the server and reports whether to give the target up.
func (b *breaker) fault(probe bool, now time.Time) (giveUp bool) {
	b.faults++
	switch {
	case probe && b.trips == len(rests):
		return true
	case probe || b.trips == 0 && b.faults >= tolerated:
		b.until = now.Add(rests[b.trips])
		b.trips++
		b.probing = false
	}
	return false
}
