package compare

import (
	"maps"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

// brokenTrials is the number of trials from which a case counts as broken instead of flaky. A broken case has at least
// that many trials on each side, passed all on the base and fails all on the head.
const brokenTrials = 3

// quarantines reports whether the gate ignores a case. Must-pass and broken cases always count, since quarantine is for
// flaky cases. The gate uses the base's names, so a change cannot quarantine a case by renaming it.
func quarantines(p *Case, g config.Gate) bool {
	var named bool
	if p.Base != nil {
		named = g.Quarantines(home(p).ID, p.Base.ID)
	} else {
		named = g.Quarantines(p.SuiteID(), p.ID())
	}
	return named && !mustPass(p) && !broken(p)
}

func mustPass(p *Case) bool { return either(p, func(c *report.Case) bool { return c.MustPass }) }

func broken(p *Case) bool {
	if p.Base == nil || p.Head == nil {
		return false
	}
	base, head := SideOf(p.Base), SideOf(p.Head)
	return base.Passed == base.Trials && head.Passed == 0 && base.Trials >= brokenTrials && head.Trials >= brokenTrials
}

// quarantined returns the quarantined cases of both sides, and how many of them the head has.
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

// WithoutQuarantined returns a side without its quarantined cases, or nil for no side.
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
