package noise

import (
	"cmp"
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// confirmation is the look at the cases that fell. Their fresh answers prove each of them broken, all together worse,
// or neither.
type confirmation struct {
	settings Settings
	members  []*member // all cases
	order    []*member // suspects that are asked again, worst first
	spare    []*member // suspects beyond the cap
	together bool      // suspects are tested together, too
	share    float64   // the chance of a false alarm of all suspects that are tested one by one
	proven   int       // suspects that are, one by one
	compared int       // cases that are held to their own runs
}

// newConfirmation takes the cases that passed on the base and fail on the head, or have an answer on the base alone:
// must-pass cases and the worst first.
func newConfirmation(settings Settings, members []*member) *confirmation {
	c := &confirmation{settings: settings, members: members}
	if settings.Confirm == 0 {
		return c
	}
	for _, m := range members {
		if (m.fresh() && !m.Acquitted || m.changed()) && m.isSuspect() || m.loses() {
			c.order = append(c.order, m)
		}
	}
	slices.SortStableFunc(c.order, func(a, b *member) int {
		if a.MustPass != b.MustPass {
			return map[bool]int{true: -1, false: 1}[a.MustPass]
		}
		// By how far the mean fell; means that differ by rounding alone are equal.
		return cmp.Or(cmp.Compare(stats.SnapToZero(a.fall()-b.fall()), 0), cmp.Compare(key(a.scope.id, a.ID),
			key(b.scope.id, b.ID)))
	})
	if settings.Repeats {
		c.judgeRepeats()
		return c
	}
	c.together = c.poolDue()
	c.share = settings.single(c.together)
	most := min(len(c.order), c.provable())
	c.order, c.spare = c.order[:most], c.order[most:]
	if most == 0 {
		return c
	}
	region := stats.Prove(settings.Confirm, c.level())
	for _, m := range c.order {
		m.suspect = newSuspect(region, m.lostBy())
	}
	return c
}

// fall returns how far the mean of the first trials fell; a side without an answer counts 0.
func (m *member) fall() float64 {
	head := m.Head.Values
	if len(head) == 0 {
		head = []float64{0}
	}
	return stats.Pair{Base: m.Base.Values, Head: head}.Delta()
}

// loses reports whether a case has answers on the base and too few on the head, although it was asked.
func (m *member) loses() bool {
	return m.lostBy() != classify.NoLoss && !m.Quarantined && !m.Reused && !m.base.Lacking()
}

// lostBy returns why a member lacks answers of the head and is asked again for it; NoLoss for any other.
func (m *member) lostBy() classify.Loss {
	if m.status != report.Errored || m.Loss == classify.LossNotAsked {
		return classify.NoLoss
	}
	return m.Loss
}

// changed reports a case of another expectation that was asked and answered on both sides.
func (m *member) changed() bool {
	return m.status == report.Redefined && m.Either && !m.Quarantined && !m.Reused &&
		!m.base.Lacking() && !m.head.Lacking()
}

// isSuspect reports whether a case passed on the base and fails on the head, or is must-pass and had a wrong answer
// there.
func (m *member) isSuspect() bool {
	return m.base.Passes() && (!m.head.Passes() || m.MustPass && !m.head.all())
}

// lookCount is how many looks share the chance of a false alarm.
func (s Settings) lookCount() int {
	n := 1 + min(s.Confirm, 1) + min(s.Recheck, 1)
	if s.poolable() {
		n++
	}
	return n
}

func (s Settings) perLook() float64 { return s.Alpha / float64(s.lookCount()) }

// single returns the chance of a false alarm that the single suspects share. Without a pool they have its share too.
// Both looks use fresh answers, and the first answers alone decide whether there is a pool.
func (s Settings) single(together bool) float64 {
	if s.poolable() && !together {
		return 2 * s.perLook()
	}
	return s.perLook()
}

// provable returns how many suspects are asked again at most: as many as the rounds can prove at once. If they can
// prove none, which no configuration allows, all are named for it.
func (c *confirmation) provable() int {
	if n := stats.Provable(c.settings.Confirm, c.share); n > 0 {
		return min(n, c.settings.MaxSuspects)
	}
	return c.settings.MaxSuspects
}

// level is that of the first suspect that is proven.
func (c *confirmation) level() float64 { return c.share / float64(len(c.order)) }

// stepDown judges the suspects by Holm's procedure (1979): the first at the look's chance divided by their number, the
// next at that divided by one less, and so on.
func (c *confirmation) stepDown() {
	for proven := c.states()[report.SuspectConfirmed]; proven > c.proven; proven = c.states()[report.SuspectConfirmed] {
		c.proven = proven
		if proven == len(c.order) {
			return
		}
		region := stats.Prove(c.settings.Confirm, c.share/float64(len(c.order)-proven))
		for _, m := range c.order {
			if !m.suspect.proven {
				m.suspect.region = region
				m.suspect.judge()
			}
		}
	}
}

// needs asks one round of each suspect. The next is asked only if it can still matter.
func (c *confirmation) needs() (asks []Ask) {
	if c.settings.Repeats {
		return nil
	}
	for _, m := range c.order {
		if m.suspect.open = !m.suspect.isSettled() || c.pooling(m); m.suspect.open {
			asks = append(asks, Ask{Look: report.LookConfirm, SuiteID: m.scope.id, CaseID: m.ID, Rounds: 1,
				Once: m.suspect.loss != classify.NoLoss})
		}
	}
	return asks
}

// states counts the suspects that were asked again by the outcome of their fresh answers.
func (c *confirmation) states() map[string]int {
	out := map[string]int{}
	for _, m := range c.order {
		out[m.suspect.state()]++
	}
	return out
}

func (c *confirmation) look() *report.ConfirmLook {
	if c.settings.Confirm == 0 {
		return nil
	}
	look := &report.ConfirmLook{Rounds: c.settings.Confirm, Suspects: []report.Suspect{}, Pooled: c.pooled()}
	switch look.Provable = c.provable(); {
	case c.settings.Repeats:
		look.Provable, look.Level = len(c.order), new(c.share)
	case len(c.order) > 0:
		look.Level = new(c.level())
	}
	for _, m := range c.order {
		look.Suspects = append(look.Suspects, c.result(m))
	}
	for _, m := range c.spare {
		look.Suspects = append(look.Suspects, report.Suspect{SuiteID: m.scope.id, CaseID: m.ID,
			State: report.SuspectNotRerun})
	}
	return look
}

// result returns the outcome of a suspect. One that is not proven among many, and would be alone, looks broken.
func (c *confirmation) result(m *member) report.Suspect {
	s := m.suspect
	out := report.Suspect{SuiteID: m.scope.id, CaseID: m.ID, State: s.state(), Stored: s.stored, Rounds: s.rounds,
		BasePasses: s.base, HeadPasses: s.head}
	if s.loss != classify.NoLoss {
		out.Unanswered, out.BaseLost, out.HeadLost = true, s.silence.lost[0], s.silence.lost[1]
	}
	if out.State == report.SuspectLost {
		out.Rounds, out.BasePasses = s.silence.rounds, s.silence.passes
	}
	if s.repeats {
		out.P = new(stats.Fisher(m.base.Count, m.head.Count))
		out.HeadRounds = m.head.Trials
		return out
	}
	chance := stats.Fisher(stats.Count{Passed: s.base, Trials: s.rounds}, stats.Count{Passed: s.head, Trials: s.rounds})
	out.Broken = out.State == report.SuspectCleared && !s.outage() && stats.Reaches(chance, c.share)
	if out.Broken || out.State == report.SuspectConfirmed {
		out.P = &chance
	}
	return out
}

// suspect is a case that is asked again. Only its fresh answers count, since its bad first answers are why it was
// chosen.
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
	repeats    bool // they are all that there are
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
	// how often a suspect's rounds may be asked over because an answer was lost, in multiples of the rounds
	spareRounds  = 2
	silentRounds = 4 // rounds after which a head that has no answer in any of them is taken to get none
)

func newSuspect(region stats.Region, loss classify.Loss) *suspect {
	s := &suspect{region: region, loss: loss}
	s.judge()
	return s
}

// isSettled reports whether further rounds cannot change the suspect's outcome: it is certain, or too many answers were
// lost.
func (s *suspect) isSettled() bool { return s.certain || s.exhausted() }

// exhausted reports that too many answers were lost to ask on.
func (s *suspect) exhausted() bool {
	return s.asked >= spareRounds*s.region.Rounds || s.unheard() && s.silence.rounds >= silentRounds
}

// round counts a round. A round that lacks a side's answer decides nothing, since a missing answer is not a wrong one.
// An answer that came and cannot be judged is wrong.
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

// judge decides whether the rounds so far make the outcome certain. One right answer is enough if nothing but outages
// spoke against the head.
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
	case s.repeats && s.proven:
		return report.SuspectConfirmed
	case s.repeats:
		return report.SuspectIncomplete
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

// useFirstTrials decides by the first trials if nobody can be asked again. They chose the suspects among all cases, so
// each is held to the look's chance shared by all of these, which a few trials never reach. A suspect that they prove
// broken is confirmed, one that would not be proven alone either is cleared, and any other stays open.
func (c *confirmation) useFirstTrials() {
	if c.settings.Repeats {
		return
	}
	fresh := 0 // cases that could have become suspects
	for _, m := range c.members {
		if m.fresh() || m.changed() {
			fresh++
		}
	}
	level := c.settings.perLook() / float64(max(fresh, 1))
	var decided, open []*member
	for _, m := range slices.Concat(c.order, c.spare) {
		if s := byFirstTrials(m, level, c.settings.perLook()); s != nil {
			m.suspect = s
			decided = append(decided, m)
			continue
		}
		open = append(open, m)
	}
	if len(decided) == 0 {
		return
	}
	c.order = append(decided, open[:min(len(open), max(c.provable()-len(decided), 0))]...)
	c.spare = open[len(c.order)-len(decided):]
	for _, m := range c.spare {
		m.suspect = nil
	}
}

// byFirstTrials judges a suspect by its first trials; nil if it has reruns, or if they decide nothing. They confirm it
// at level, and clear it if it would not be proven alone.
func byFirstTrials(m *member, level, alone float64) *suspect {
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
	s.base, s.head, s.rounds, s.asked = m.base.Passed, m.head.Passed, n, n
	s.judge()
	chance := stats.Fisher(stats.Count{Passed: s.base, Trials: n}, stats.Count{Passed: s.head, Trials: n})
	if s.state() != report.SuspectConfirmed && stats.Reaches(chance, alone) {
		return nil
	}
	return s
}
