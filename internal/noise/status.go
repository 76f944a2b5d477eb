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
	Lost        int // trials without an answer
	Planned     int // trials that should have an answer
}

// Lacking reports whether fewer than half of the planned trials have an answer, or no trial has one.
func (s Side) Lacking() bool { return s.Trials < max(1, (s.Planned+1)/2) }

func (s Side) all() bool { return s.Passed == s.Trials }

func (s Side) none() bool { return s.Passed == 0 }

func (s Side) half() bool { return 2*s.Passed >= s.Trials }

// Passes reports whether more trials passed than failed.
func (s Side) Passes() bool { return 2*s.Passed > s.Trials }

// Status returns the status of a noisy case by the counts of its trials. Both sides must judge the case by the same
// expectation.
func Status(base, head Side) report.Status {
	switch {
	case base.Lacking() || head.Lacking():
		return report.Errored
	case base.all() && head.all():
		return report.StillPassing
	case base.none() && head.none():
		return report.StillFailing
	case base.all() && head.none(), worse(base, head):
		return report.Regressed
	case base.none() && head.all(), worse(head, base):
		return report.Fixed
	}
	return report.Flaky
}

// Strict returns the status of a strict case by the majority of the trials on each side. A case that lacks answers on a
// side is errored. If only the base lacks answers, and all its answers are right and all of the head are wrong, the
// case is regressed instead.
func Strict(base, head Side) report.Status {
	switch before, now := base.Passes(), head.Passes(); {
	case base.Trials > 0 && base.all() && head.none() && !head.Lacking():
		return report.Regressed
	case base.Lacking() || head.Lacking():
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
	return from.half() && !to.half() && stats.Reaches(stats.Fisher(from.Count, to.Count), hardFlip)
}

// byFirstTrials returns the status of the case by the first trials alone.
func (c Case) byFirstTrials() report.Status {
	switch {
	case c.Base == nil:
		return report.New
	case c.Head == nil:
		return report.Removed
	case c.Changed:
		return report.Redefined
	}
	return Status(*c.Base, *c.Head)
}

// common reports whether both sides have the case and judge it by the same expectation.
func (m *member) common() bool {
	return m.status != report.New && m.status != report.Removed && m.status != report.Redefined
}

// eligible reports whether the case is compared: it is common, answered on both sides and not quarantined.
func (m *member) eligible() bool { return m.common() && m.status != report.Errored && !m.Quarantined }

// fresh reports whether the case is eligible and has its own answers on each side.
func (m *member) fresh() bool { return m.eligible() && !m.Reused }
