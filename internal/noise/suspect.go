package noise

import (
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// suspect is a case that is asked again. Only the fresh answers count: it was chosen for having looked bad, and its first
// answers would be counted twice.
type suspect struct {
	region     stats.Region
	loss       classify.Loss // why the head had no answer at first; NoLoss: it had a wrong one
	base, head int           // passes
	lost       [2]int        // rounds without an answer: base, head
	wrong      int           // the head's rounds with a wrong answer, or with what is none
	rounds     int           // that count
	asked      int           // rounds, all of them
	stored     bool          // its first trials are its rounds
	proven     bool
	certain    bool
}

const (
	spareRounds  = 2 // how often a suspect's rounds may be asked over because an answer was lost, in multiples of the rounds
	outageRounds = 4 // rounds after which a head that has no answer in any of them is taken to get none
)

func newSuspect(region stats.Region, loss classify.Loss) *suspect {
	s := &suspect{region: region, loss: loss}
	s.judge()
	return s
}

// settled reports that no further round is asked: the outcome is certain, or too many answers were lost.
func (s *suspect) settled() bool { return s.certain || s.asked >= spareRounds*s.region.Rounds }

// round counts a round. Where the head had a wrong answer, a round that an outage spoilt is asked over; where it had none,
// whether one comes is what is asked, and a lost answer is as wrong as a wrong one.
func (s *suspect) round(base, head Trial, passes func(Trial) bool) {
	s.asked++
	for _, t := range []Trial{base, head} {
		if t.Loss == classify.LossNotAsked || t.Loss == classify.LossOutage && s.loss == classify.NoLoss {
			return
		}
	}
	s.rounds++
	for side, t := range []Trial{base, head} {
		if t.Loss != classify.NoLoss {
			s.lost[side]++
		}
	}
	if passes(base) {
		s.base++
	}
	switch {
	case passes(head):
		s.head++
	case head.Loss != classify.LossOutage:
		s.wrong++
	}
	s.judge()
}

// judge says whether the rounds so far make the outcome certain. An outage proves no worse answer: as long as nothing but
// outages speaks against the head, it is asked until an answer comes, at most outageRounds times.
func (s *suspect) judge() {
	s.proven, s.certain = s.region.Certain(s.rounds, s.base, s.head)
	if s.outage() {
		s.proven, s.certain = false, s.rounds > s.lost[1] || s.rounds >= outageRounds
	}
}

// outage reports a suspect against which nothing speaks but answers that did not come.
func (s *suspect) outage() bool { return s.loss == classify.LossOutage && s.wrong == 0 }

// silent reports that no round brought an answer of the head.
func (s *suspect) silent() bool { return s.loss != classify.NoLoss && s.lost[1] == s.rounds }

func (s *suspect) state() string {
	switch {
	case s.outage() && s.certain && s.silent() && s.lost[0] <= 1:
		return report.SuspectLost
	case s.region.Empty() && !s.outage():
		return report.SuspectUnprovable
	case !s.certain:
		return report.SuspectIncomplete
	case s.proven:
		return report.SuspectConfirmed
	}
	return report.SuspectCleared
}

// Stored says that nobody can be asked again, so that the first trials must do where they suffice. The suspects were chosen by
// them among all cases: each is held to the look's chance shared among all of these, which a few trials never reach. One that
// they prove broken is confirmed; one that would not be proven alone either is cleared; what lies between stays open.
func (p *Procedure) Stored() {
	fresh := 0 // cases that could have become suspects
	for _, m := range p.members {
		if m.fresh() || p.changed(m) {
			fresh++
		}
	}
	level := p.perLook() / float64(max(fresh, 1))
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
	if m.lostBy() != classify.NoLoss || m.suspect != nil && m.suspect.asked > 0 || n != len(m.Head.Values) {
		return nil
	}
	region := stats.Prove(n, level)
	if region.Empty() {
		return nil
	}
	s := newSuspect(region, classify.NoLoss)
	s.stored = true
	s.base, s.head, s.rounds, s.asked = p.side(m.Case, m.Base).Passed, p.side(m.Case, m.Head).Passed, n, n
	s.judge()
	chance := stats.Fisher(stats.Count{Passed: s.base, Trials: n}, stats.Count{Passed: s.head, Trials: n})
	if s.state() != report.SuspectConfirmed && stats.Reaches(chance, p.perLook()) {
		return nil
	}
	return s
}
