package compare

import (
	"maps"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

// brokenTrials is the least number of trials on each side that shows a case to be broken instead of flaky. A broken
// case passes all its trials on the base and fails all on the head.
const brokenTrials = 3

// isQuarantined reports whether the gate ignores case p. It never ignores must-pass or broken cases, since quarantine
// is for flaky cases. A quarantine names cases as the base does, so that a change cannot quarantine a case by renaming
// it.
func isQuarantined(p *Case, g config.Gate) bool {
	suiteID, id := p.SuiteID(), p.ID()
	if p.Base != nil {
		suiteID, id = p.baseSuite.ID, p.Base.ID
	}
	mustPass := onEitherSide(p, func(c *report.Case) bool { return c.MustPass })
	return g.IsQuarantined(suiteID, id) && !mustPass && !broken(p)
}

func broken(p *Case) bool {
	if p.Base == nil || p.Head == nil {
		return false
	}
	base, head := CountsOf(p.Base), CountsOf(p.Head)
	return base.Passed == base.Trials && head.Passed == 0 && base.Trials >= brokenTrials && head.Trials >= brokenTrials
}

// quarantined returns the set of the suite's quarantined cases, on both sides. cases is how many of them the head has.
func (s *suitePair) quarantined() (out map[*report.Case]bool, cases int) {
	for _, p := range s.cases {
		if !p.Quarantined {
			continue
		}
		if out == nil {
			out = map[*report.Case]bool{}
		}
		out[p.Base], out[p.Head] = true, true
		if p.Head != nil {
			cases++
		}
	}
	delete(out, nil)
	return out, cases
}

// WithoutQuarantined returns side without its quarantined cases, or nil if side is nil.
func (c Comparison) WithoutQuarantined(side *report.Side) *report.Side {
	out := map[*report.Case]bool{}
	for _, s := range c.pairs {
		own, _ := s.quarantined()
		maps.Copy(out, own)
	}
	if side == nil || len(out) == 0 {
		return side
	}
	return side.Without(out)
}
