package noise

import (
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// hardFlip is the chance, if nothing changed, below which a case of several trials has moved and is not flaky.
const hardFlip = 0.05

// Side is the part of a case's side that its status depends on: the passes among the trials with an answer, and the
// planned trials.
type Side struct {
	stats.Count
	Planned int
}

// Lacking reports fewer answers than half of the planned trials, or none.
func (s Side) Lacking() bool { return s.Trials < max(1, (s.Planned+1)/2) }

func (s Side) all() bool { return s.Passed == s.Trials }

func (s Side) none() bool { return s.Passed == 0 }

func (s Side) half() bool { return 2*s.Passed >= s.Trials }

// Passes reports more passes than failures; a tie is none.
func (s Side) Passes() bool { return 2*s.Passed > s.Trials }

// Status returns the status of a noisy case that is on both sides and judged alike: by which sides have answers, and
// then by its trials.
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

// Strict returns the status of a case whose answers count as they are: by the majority of each side. If the base lacks
// answers, those that it has decide if all of them are right and all of the head's wrong, since the missing ones could
// not make any answer of the head right.
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

// worse reports whether the majority turned from passing to failing, beyond what shuffling the trials would do by
// chance.
func worse(from, to Side) bool {
	return from.half() && !to.half() && stats.Reaches(stats.Fisher(from.Count, to.Count), hardFlip)
}

// byFirstTrials is the status by the first trials alone.
func (m *member) byFirstTrials() report.Status {
	switch {
	case m.Base == nil:
		return report.New
	case m.Head == nil:
		return report.Removed
	case m.Changed:
		return report.Redefined
	}
	return Status(m.base, m.head)
}

// side counts the trials of one side of a case; none for a side that lacks the case.
func (s Settings) side(c Case, t *Trials) (out Side) {
	if t == nil {
		return out
	}
	out.Planned = max(s.Trials, len(t.Values)+t.Lost)
	for _, v := range t.Values {
		out.Trials++
		if v >= c.Bar-stats.SlackValue {
			out.Passed++
		}
	}
	if s.Repeats { // a run without an answer is none
		out.Planned = out.Trials
	}
	return out
}

// common reports a case that is on both sides and judged alike.
func (m *member) common() bool {
	return m.status != report.New && m.status != report.Removed && m.status != report.Redefined
}

// eligible reports a case that is compared like for like.
func (m *member) eligible() bool { return m.common() && m.status != report.Errored && !m.Quarantined }

// fresh reports an eligible case that was asked on both sides.
func (m *member) fresh() bool { return m.eligible() && !m.Reused }
