package noise

import (
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// hardFlip is a level of significance. A flip of a case with several trials counts if every trial flipped. It also
// counts if chance alone explains it with a probability of at most hardFlip. Any other flip is flaky.
const hardFlip = 0.05

// Side counts the trials of a case on one side.
type Side struct {
	stats.Count     // of the trials with an answer
	Unscored    int // trials without an answer
	Planned     int // trials that should have an answer
}

// LacksAnswers reports whether fewer than half of the planned trials have an answer, or no trial has one.
func (s Side) LacksAnswers() bool { return s.Trials < max(1, (s.Planned+1)/2) }

// IsRight reports whether enough trials have an answer, and all answers are right.
func (s Side) IsRight() bool { return !s.LacksAnswers() && s.allPassed() }

func (s Side) allPassed() bool { return s.Passed == s.Trials }

func (s Side) nonePassed() bool { return s.Passed == 0 }

func (s Side) halfPassed() bool { return 2*s.Passed >= s.Trials }

// Passes reports whether more trials passed than failed.
func (s Side) Passes() bool { return 2*s.Passed > s.Trials }

// NoisyStatus returns the status of a noisy case by the counts of its trials. Both sides must judge the case by the
// same expectation.
func NoisyStatus(base, head Side) report.Status {
	switch {
	case base.LacksAnswers() || head.LacksAnswers():
		return report.Errored
	case base.allPassed() && head.allPassed():
		return report.StillPassing
	case base.nonePassed() && head.nonePassed():
		return report.StillFailing
	case base.allPassed() && head.nonePassed(), worse(base, head):
		return report.Regressed
	case base.nonePassed() && head.allPassed(), worse(head, base):
		return report.Fixed
	}
	return report.Flaky
}

// StrictStatus returns the status of a strict case by the majority of the trials on each side. A case that lacks
// answers on a side is errored. If only the base lacks answers, and all its answers are right and all of the head are
// wrong, the case is regressed instead.
func StrictStatus(base, head Side) report.Status {
	switch before, now := base.Passes(), head.Passes(); {
	case base.Trials > 0 && base.allPassed() && head.nonePassed() && !head.LacksAnswers():
		return report.Regressed
	case base.LacksAnswers() || head.LacksAnswers():
		return report.Errored
	case before && !now:
		return report.Regressed
	case !before && now:
		return report.Fixed
	case now:
		return report.StillPassing
	}
	return report.StillFailing
}

// worse reports whether at least half of the trials pass on the side from, and fewer than half on the side to, beyond
// chance.
func worse(from, to Side) bool {
	return from.halfPassed() && !to.halfPassed() && stats.AtMost(stats.Fisher(from.Count, to.Count), hardFlip)
}

// firstStatus returns the status of the case by the first trials alone.
func (c Case) firstStatus() report.Status {
	switch {
	case c.Base == nil:
		return report.New
	case c.Head == nil:
		return report.Removed
	case c.Changed:
		return report.Redefined
	}
	return NoisyStatus(*c.Base, *c.Head)
}

// isCommon reports whether both sides have the case and judge it by the same expectation.
func (c *Case) isCommon() bool {
	return c.status != report.New && c.status != report.Removed && c.status != report.Redefined
}

// eligible reports whether the case is compared: it is common, answered on both sides and not quarantined.
func (c *Case) eligible() bool { return c.isCommon() && c.status != report.Errored && !c.Quarantined }

// isTestable reports whether the case is eligible and has its own answers on each side.
func (c *Case) isTestable() bool { return c.eligible() && !c.Reused }
