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
		return cmp.Or(cmp.Compare(stats.SnapToZero(a.fall()-b.fall()), 0), cmp.Compare(key(a.scope.id, a.ID), key(b.scope.id, b.ID)))
	})
	p.together = p.poolDue()
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
func (p *Procedure) looks() int {
	n := 1 + min(p.settings.Confirm, 1) + min(p.settings.Recheck, 1)
	if p.poolable() {
		n++
	}
	return n
}

func (p *Procedure) perLook() float64 { return p.settings.Alpha / float64(p.looks()) }

// provable is how many suspects are asked again at most: as many as the rounds can prove at once. Where they can prove none,
// which no configuration says, all are named for it.
func (p *Procedure) provable() int {
	if n := stats.Provable(p.settings.Confirm, p.single()); n > 0 {
		return min(n, p.settings.MaxSuspects)
	}
	return p.settings.MaxSuspects
}

// single is the chance of a false alarm that the single suspects share. Where there is no pool, they have its share too:
// both looks are at fresh answers, and the first answers alone say whether there is one.
func (p *Procedure) single() float64 {
	if p.poolable() && !p.together {
		return 2 * p.perLook()
	}
	return p.perLook()
}

// confirmLevel is the level of the first suspect that is proven.
func (p *Procedure) confirmLevel() float64 { return p.single() / float64(len(p.order)) }

// stepDown judges the suspects at the level that those which are proven leave to the others (Holm 1979): the first is
// held to the look's chance divided by all of them, the next to that divided by one less.
func (p *Procedure) stepDown() {
	for proven := p.states()[report.SuspectConfirmed]; proven > p.proven; proven = p.states()[report.SuspectConfirmed] {
		p.proven = proven
		if proven == len(p.order) {
			return
		}
		p.region = stats.Prove(p.settings.Confirm, p.single()/float64(len(p.order)-proven))
		for _, m := range p.order {
			if !m.suspect.proven {
				m.suspect.region = p.region
				m.suspect.judge()
			}
		}
	}
}

// asks reports whether another round of a suspect can still matter.
func (p *Procedure) asks(m *member) bool {
	return !m.suspect.settled() || p.pooling(m)
}

// confirmNeeds asks one round of each suspect: the next is asked only if it can still matter.
func (p *Procedure) confirmNeeds() (asks []Ask) {
	for _, m := range p.order {
		if m.suspect.open = p.asks(m); m.suspect.open {
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
	look := &report.ConfirmLook{Rounds: p.settings.Confirm, Provable: p.provable(), Suspects: []report.Suspect{}, Pooled: p.pooled()}
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
		out.Unanswered, out.BaseLost, out.HeadLost = true, s.silence.lost[0], s.silence.lost[1]
	}
	if out.State == report.SuspectLost {
		out.Rounds, out.BasePasses = s.silence.rounds, s.silence.passes
	}
	chance := stats.Fisher(stats.Count{Passed: s.base, Trials: s.rounds}, stats.Count{Passed: s.head, Trials: s.rounds})
	out.Broken = out.State == report.SuspectCleared && !s.outage() && stats.Reaches(chance, p.single())
	if out.Broken || out.State == report.SuspectConfirmed {
		out.P = &chance
	}
	return out
}

// suspect is a case that is asked again. Only the fresh answers count: it was chosen for having looked bad, and its first
// answers would be counted twice.
type suspect struct {
	region     stats.Region
	loss       classify.Loss // why the head had no answer at first; NoLoss: it had a wrong one
	base, head int           // passes
	rounds     int           // that count: an answer came on both sides
	early      [2]int        // passes in the first poolEarly of them: base, head
	asked      int           // rounds, all of them
	silence    silence
	open       bool // a round was asked for and is not answered
	stored     bool // its first trials are its rounds
	proven     bool
	certain    bool
}

// silence is what is known of rounds that were asked, whether or not they count.
type silence struct {
	rounds int
	passes int    // of the base
	lost   [2]int // without an answer to judge: base, head
}

const (
	spareRounds  = 2 // how often a suspect's rounds may be asked over because an answer was lost, in multiples of the rounds
	silentRounds = 4 // rounds after which a head that has no answer in any of them is taken to get none
)

func newSuspect(region stats.Region, loss classify.Loss) *suspect {
	s := &suspect{region: region, loss: loss}
	s.judge()
	return s
}

// settled reports that no further round would change what is made of the suspect: that is certain, or too many answers
// were lost.
func (s *suspect) settled() bool { return s.certain || s.exhausted() }

// exhausted reports that too many answers were lost to ask on.
func (s *suspect) exhausted() bool {
	return s.asked >= spareRounds*s.region.Rounds || s.unheard() && s.silence.rounds >= silentRounds
}

// round counts a round. One that lacks a side's answer decides nothing: an answer that did not come is never a wrong one. What came
// and is no answer to judge is one.
func (s *suspect) round(base, head Trial, passes func(Trial) bool) {
	s.asked++
	if base.Loss == classify.LossNotAsked || head.Loss == classify.LossNotAsked {
		return
	}
	s.silence.rounds++
	for side, t := range []Trial{base, head} {
		if t.Loss != classify.NoLoss {
			s.silence.lost[side]++
		}
	}
	if passes(base) {
		s.silence.passes++
	}
	if base.Loss == classify.LossOutage || head.Loss == classify.LossOutage {
		return
	}
	s.rounds++
	if passes(base) {
		s.base++
	}
	if passes(head) {
		s.head++
	}
	if s.rounds <= poolEarly {
		s.early = [2]int{s.base, s.head}
	}
	s.judge()
}

// judge says whether the rounds so far make the outcome certain. One right answer does where nothing but outages spoke against the head.
func (s *suspect) judge() {
	s.proven, s.certain = s.region.Certain(s.rounds, s.base, s.head)
	if s.outage() {
		s.proven, s.certain = false, s.rounds > 0
	}
}

// outage reports a suspect against which nothing speaks but answers that did not come.
func (s *suspect) outage() bool { return s.loss == classify.LossOutage && s.head == s.rounds }

// silent reports that no round brought an answer of the head to judge.
func (s *suspect) silent() bool {
	return s.loss != classify.NoLoss && s.silence.lost[1] == s.silence.rounds
}

// unheard reports a silent suspect that lost its answers to outages.
func (s *suspect) unheard() bool { return s.outage() && s.rounds == 0 && s.silent() }

func (s *suspect) state() string {
	switch {
	case s.unheard() && s.silence.rounds >= silentRounds && s.silence.lost[0] <= 1:
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
