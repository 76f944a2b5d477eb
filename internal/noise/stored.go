package noise

import (
	"slices"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// Stored says that nobody can be asked again, so that the first trials must do where they suffice. The suspects were chosen by
// them among all cases: each is held to the look's chance shared among all of these, which a few trials never reach. One that
// they prove broken is confirmed; one that would not be proven alone either is cleared; what lies between stays open.
func (p *Procedure) Stored() {
	level := p.perLook() / float64(max(p.freshCases(), 1))
	var decided, open []*member
	for _, m := range slices.Concat(p.order, p.spare) {
		if s := p.byFirstTrials(m, level); s != nil {
			m.suspect = s
			decided = append(decided, m)
			continue
		}
		open = append(open, m)
	}
	if len(decided) == 0 {
		return
	}
	p.order = append(decided, open[:min(len(open), max(p.provable()-len(decided), 0))]...)
	p.spare = open[len(p.order)-len(decided):]
	for _, m := range p.spare {
		m.suspect = nil
	}
	for _, m := range p.order {
		if m.suspect == nil {
			m.suspect = newSuspect(p.region, m.lostBy())
		}
	}
}

// byFirstTrials judges a suspect by its first trials; nil if it has fresh ones, or if they decide nothing.
func (p *Procedure) byFirstTrials(m *member, level float64) *suspect {
	n := len(m.Base.Values)
	if m.lostBy() != Answered || m.suspect != nil && m.suspect.asked > 0 || n != len(m.Head.Values) {
		return nil
	}
	region := stats.Prove(n, level)
	if region.Empty() {
		return nil
	}
	s := newSuspect(region, Answered)
	s.stored = true
	s.base, s.head, s.rounds, s.asked = p.side(m.Case, m.Base).Passed, p.side(m.Case, m.Head).Passed, n, n
	s.judge()
	chance := stats.Fisher(stats.Count{Passed: s.base, Trials: n}, stats.Count{Passed: s.head, Trials: n})
	if s.state() != report.SuspectConfirmed && stats.Reaches(chance, p.perLook()) {
		return nil
	}
	return s
}

// freshCases counts the cases that could have become suspects.
func (p *Procedure) freshCases() (n int) {
	for _, s := range p.scopes {
		for _, m := range s.members {
			if m.fresh() || p.changed(m) {
				n++
			}
		}
	}
	return n
}
