package noise

import (
	"cmp"
	"slices"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// suspect is a case that is asked again. Only the fresh answers count: it was chosen for having looked bad, and its first
// answers would be counted twice.
type suspect struct {
	region     stats.Region
	base, head int // passes
	rounds     int // with an answer on both sides
	asked      int // rounds, those with a lost answer included
	proven     bool
	certain    bool
}

// spareRounds is how often a suspect's rounds may be asked over because an answer was lost, in multiples of the rounds.
const spareRounds = 2

func newSuspect(region stats.Region) *suspect {
	s := &suspect{region: region}
	s.proven, s.certain = region.Certain(0, 0, 0)
	return s
}

// settled reports that no further round is asked: the outcome is certain, or too many answers were lost.
func (s *suspect) settled() bool { return s.certain || s.asked >= spareRounds*s.region.Rounds }

func (s *suspect) round(base, head, lost bool) {
	s.asked++
	if lost {
		return
	}
	s.rounds++
	if base {
		s.base++
	}
	if head {
		s.head++
	}
	s.proven, s.certain = s.region.Certain(s.rounds, s.base, s.head)
}

func (s *suspect) state() string {
	switch {
	case s.region.Empty():
		return report.SuspectUnprovable
	case !s.certain:
		return report.SuspectIncomplete
	case s.proven:
		return report.SuspectConfirmed
	}
	return report.SuspectCleared
}

// findSuspects takes the cases that passed on the base and do not on the head, those that must pass and the worst first.
func (p *Procedure) findSuspects() {
	if p.settings.Confirm == 0 {
		return
	}
	for _, s := range p.scopes {
		for _, m := range s.members {
			if m.fresh() && p.suspects(m) {
				p.order = append(p.order, m)
			}
		}
	}
	slices.SortStableFunc(p.order, func(a, b *member) int {
		return cmp.Or(mustFirst(a, b), compareDeltas(a, b), cmp.Compare(key(a.scope.id, a.ID), key(b.scope.id, b.ID)))
	})
	most := min(len(p.order), p.settings.MaxSuspects)
	p.order, p.spare = p.order[:most], p.order[most:]
	if most == 0 {
		return
	}
	p.region = stats.Prove(p.settings.Confirm, p.confirmLevel())
	for _, m := range p.order {
		m.suspect = newSuspect(p.region)
	}
}

func mustFirst(a, b *member) int {
	switch {
	case a.MustPass == b.MustPass:
		return 0
	case a.MustPass:
		return -1
	}
	return 1
}

// compareDeltas orders by how far the mean fell; means that differ by rounding alone are equal.
func compareDeltas(a, b *member) int {
	x, y := a.firstTrials().Delta(), b.firstTrials().Delta()
	if settled(x-y) == 0 {
		return 0
	}
	return cmp.Compare(x, y)
}

func (p *Procedure) suspects(m *member) bool {
	base, head := p.side(m.Case, m.Base), p.side(m.Case, m.Head)
	return base.majority() && (!head.majority() || m.MustPass && !head.all())
}

// looks is how many looks share the chance of a false alarm.
func (p *Procedure) looks() int {
	n := 1
	if p.settings.Confirm > 0 {
		n++
	}
	if p.settings.Recheck > 0 {
		n++
	}
	return n
}

func (p *Procedure) perLook() float64 { return p.settings.Alpha / float64(p.looks()) }

// confirmLevel shares the look's chance among those that are asked again.
func (p *Procedure) confirmLevel() float64 { return p.perLook() / float64(len(p.order)) }

// confirmNeeds asks one round of each suspect that is not settled: the next is asked only if it can still matter.
func (p *Procedure) confirmNeeds() (asks []Ask) {
	for _, m := range p.order {
		if !m.suspect.settled() {
			asks = append(asks, Ask{Look: report.LookConfirm, SuiteID: m.scope.id, CaseID: m.ID, Rounds: 1})
		}
	}
	return asks
}

// confirmed counts the suspects that the fresh answers prove broken; incomplete those of which answers are missing.
func (p *Procedure) confirmed() (confirmed, incomplete int) {
	for _, m := range p.order {
		switch m.suspect.state() {
		case report.SuspectConfirmed:
			confirmed++
		case report.SuspectIncomplete:
			incomplete++
		}
	}
	return confirmed, incomplete
}

func (p *Procedure) confirmLook() *report.ConfirmLook {
	if p.settings.Confirm == 0 {
		return nil
	}
	look := &report.ConfirmLook{Rounds: p.settings.Confirm, Suspects: []report.Suspect{}}
	if len(p.order) > 0 {
		level := p.confirmLevel()
		look.Level = &level
	}
	for _, m := range p.order {
		look.Suspects = append(look.Suspects, m.told())
	}
	for _, m := range p.spare {
		look.Suspects = append(look.Suspects, report.Suspect{SuiteID: m.scope.id, CaseID: m.ID, State: report.SuspectNotRerun})
	}
	return look
}

func (m *member) told() report.Suspect {
	s := m.suspect
	out := report.Suspect{SuiteID: m.scope.id, CaseID: m.ID, State: s.state(), Rounds: s.rounds, BasePasses: s.base, HeadPasses: s.head}
	if out.State == report.SuspectConfirmed {
		p := stats.Fisher(stats.Count{Passed: s.base, Trials: s.rounds}, stats.Count{Passed: s.head, Trials: s.rounds})
		out.P = &p
	}
	return out
}
