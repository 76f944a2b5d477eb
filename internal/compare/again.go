package compare

import "github.com/failproof/failproof/internal/config"

// Again is how often a comparison asks again at most, each time on both sides.
type Again struct {
	Cases   int // that flipped, for the confirmation
	Confirm int // times for each of them
	Recheck int // times for every case that is compared
}

// MostAgain returns how often a comparison of so many cases that are asked on both sides may ask again.
func MostAgain(g config.Gate, cases int) (a Again) {
	if g.Mode == config.ModeStrict {
		return a
	}
	if g.Confirm > 0 {
		a.Cases, a.Confirm = min(cases, maxSuspects), g.Confirm
	}
	a.Recheck = recheckOf(g, cases)
	return a
}

// recheckOf is the gate's figure; auto rechecks where there are enough cases for it to find something.
func recheckOf(g config.Gate, cases int) int {
	switch {
	case g.Recheck != nil:
		return *g.Recheck
	case cases < recheckFrom:
		return 0
	}
	return recheckTimes
}
