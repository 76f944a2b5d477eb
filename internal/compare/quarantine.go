package compare

import (
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

// brokenTrials is from how many trials on each side a case that always passed and never does is broken, and not flaky.
const brokenTrials = 3

// quarantine takes a case out of the judgement if the gate says so. A case that must pass stays in it, and so does one that
// is broken: quarantine is for cases that answer now so and now so.
func (p *casePair) quarantine(g config.Gate, suiteID string) {
	p.quarantined = g.Quarantines(suiteID, p.id()) && !p.mustPass() && !p.broken()
}

func (p *casePair) mustPass() bool {
	return p.head != nil && p.head.MustPass || p.base != nil && p.base.MustPass
}

func (p *casePair) broken() bool {
	if p.base == nil || p.head == nil {
		return false
	}
	base, head := sideOf(p.base), sideOf(p.head)
	return base.Passed == base.Trials && head.Passed == 0 && base.Trials >= brokenTrials && head.Trials >= brokenTrials
}

// judged is the head without the cases that are in quarantine.
func (c Comparison) judged(head *report.Side) *report.Side {
	out := map[*report.Case]bool{}
	for _, p := range c.all() {
		if p.quarantined && p.head != nil {
			out[p.head] = true
		}
	}
	if len(out) == 0 {
		return head
	}
	return head.Without(out)
}
