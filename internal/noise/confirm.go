package noise

import (
	"cmp"
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// findSuspects takes the cases that passed on the base and do not on the head, or have an answer on the base alone: those that
// must pass and the worst first.
func (p *Procedure) findSuspects() {
	if p.settings.Confirm == 0 {
		return
	}
	for _, m := range p.members {
		if (m.fresh() && !m.Acquitted || p.changed(m)) && p.suspects(m) || p.loses(m) {
			p.order = append(p.order, m)
		}
	}
	slices.SortStableFunc(p.order, func(a, b *member) int {
		if a.MustPass != b.MustPass {
			return map[bool]int{true: -1, false: 1}[a.MustPass]
		}
		// By how far the mean fell; means that differ by rounding alone are equal.
		return cmp.Or(cmp.Compare(settled(a.fall()-b.fall()), 0), cmp.Compare(key(a.scope.id, a.ID), key(b.scope.id, b.ID)))
	})
	most := min(len(p.order), p.provable())
	p.order, p.spare = p.order[:most], p.order[most:]
	if most == 0 {
		return
	}
	p.region = stats.Prove(p.settings.Confirm, p.confirmLevel())
	for _, m := range p.order {
		m.suspect = newSuspect(p.region, m.lostBy())
	}
}

// fall is how far the mean of the first trials fell; one side without an answer counts 0.
func (m *member) fall() float64 {
	head := m.Head.Values
	if len(head) == 0 {
		head = []float64{0}
	}
	return stats.Pair{Base: m.Base.Values, Head: head}.Delta()
}

// loses reports a case that has answers on the base and too few on the head, although it was asked.
func (p *Procedure) loses(m *member) bool {
	return m.lostBy() != classify.NoLoss && !m.Quarantined && !m.Reused && !p.side(m.Case, m.Base).Lacking()
}

// lostBy is why a member lacks answers of the head, and is asked again for it; NoLoss for any other.
func (m *member) lostBy() classify.Loss {
	if m.status != report.Errored || m.Loss == classify.LossNotAsked {
		return classify.NoLoss
	}
	return m.Loss
}

// changed reports a case of another expectation that was asked and answered on both sides.
func (p *Procedure) changed(m *member) bool {
	return m.status == report.Redefined && m.Either && !m.Quarantined && !m.Reused && !p.side(m.Case, m.Base).Lacking() && !p.side(m.Case, m.Head).Lacking()
}

func (p *Procedure) suspects(m *member) bool {
	base, head := p.side(m.Case, m.Base), p.side(m.Case, m.Head)
	return base.Passes() && (!head.Passes() || m.MustPass && !head.all())
}

// looks is how many looks share the chance of a false alarm.
func (p *Procedure) looks() int { return 1 + min(p.settings.Confirm, 1) + min(p.settings.Recheck, 1) }

func (p *Procedure) perLook() float64 { return p.settings.Alpha / float64(p.looks()) }

// provable is how many suspects are asked again at most: as many as the rounds can prove at once. Where they can prove none,
// which no configuration says, all are named for it.
func (p *Procedure) provable() int {
	if n := stats.Provable(p.settings.Confirm, p.perLook()); n > 0 {
		return min(n, p.settings.MaxSuspects)
	}
	return p.settings.MaxSuspects
}

// confirmLevel shares the look's chance among those that are asked again.
func (p *Procedure) confirmLevel() float64 { return p.perLook() / float64(len(p.order)) }

// confirmNeeds asks one round of each suspect that is not settled: the next is asked only if it can still matter.
func (p *Procedure) confirmNeeds() (asks []Ask) {
	for _, m := range p.order {
		if !m.suspect.settled() {
			asks = append(asks, Ask{Look: report.LookConfirm, SuiteID: m.scope.id, CaseID: m.ID, Rounds: 1, Once: m.suspect.loss != classify.NoLoss})
		}
	}
	return asks
}

// states counts the suspects that were asked again by what the fresh answers make of them.
func (p *Procedure) states() map[string]int {
	out := map[string]int{}
	for _, m := range p.order {
		out[m.suspect.state()]++
	}
	return out
}

func (p *Procedure) confirmLook() *report.ConfirmLook {
	if p.settings.Confirm == 0 {
		return nil
	}
	look := &report.ConfirmLook{Rounds: p.settings.Confirm, Provable: p.provable(), Suspects: []report.Suspect{}}
	if len(p.order) > 0 {
		look.Level = new(p.confirmLevel())
	}
	for _, m := range p.order {
		look.Suspects = append(look.Suspects, p.told(m))
	}
	for _, m := range p.spare {
		look.Suspects = append(look.Suspects, report.Suspect{SuiteID: m.scope.id, CaseID: m.ID, State: report.SuspectNotRerun})
	}
	return look
}

// told says what became of a suspect. One that is not proven among many, and would be alone, is said to look broken.
func (p *Procedure) told(m *member) report.Suspect {
	s := m.suspect
	out := report.Suspect{SuiteID: m.scope.id, CaseID: m.ID, State: s.state(), Stored: s.stored, Rounds: s.rounds, BasePasses: s.base, HeadPasses: s.head}
	if s.loss != classify.NoLoss {
		out.Unanswered, out.BaseLost, out.HeadLost = true, s.lost[0], s.lost[1]
	}
	chance := stats.Fisher(stats.Count{Passed: s.base, Trials: s.rounds}, stats.Count{Passed: s.head, Trials: s.rounds})
	out.Broken = out.State == report.SuspectCleared && !s.outage() && stats.Reaches(chance, p.perLook())
	if out.Broken || out.State == report.SuspectConfirmed {
		out.P = &chance
	}
	return out
}
