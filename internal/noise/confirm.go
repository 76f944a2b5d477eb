package noise

import (
	"cmp"
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// confirmation reruns the candidates: cases that flipped. The reruns may prove each of them broken, or all of them
// together worse.
type confirmation struct {
	settings Settings
	members  []*member // all cases
	order    []*member // candidates that are rerun, worst first
	spare    []*member // candidates beyond the limit, which are not rerun
	together bool      // candidates are also tested together
	share    float64   // the chance of a false alarm that the single tests of the candidates share
	proven   int       // candidates that are proven one by one
	compared int       // cases that could have become candidates; only set with Settings.Repeats
}

// newConfirmation returns a confirmation of the candidates among members. Candidates passed on the base and fail on the
// head, or lost their answers on the head. Must-pass cases come first, then the largest drops.
func newConfirmation(settings Settings, members []*member) *confirmation {
	c := &confirmation{settings: settings, members: members}
	if settings.Confirm == 0 {
		return c
	}
	for _, m := range members {
		if (m.fresh() && !m.FlipWithdrawn || m.changed()) && m.isCandidate() || m.loses() {
			c.order = append(c.order, m)
		}
	}
	slices.SortStableFunc(c.order, func(a, b *member) int {
		if a.MustPass != b.MustPass {
			return map[bool]int{true: -1, false: 1}[a.MustPass]
		}
		// By the drop of the mean, ignoring rounding errors.
		return cmp.Or(cmp.Compare(stats.SnapToZero(a.fall()-b.fall()), 0), cmp.Compare(key(a.scope.id, a.ID),
			key(b.scope.id, b.ID)))
	})
	if settings.Repeats {
		c.judgeRepeats()
		return c
	}
	c.together = c.poolDue()
	c.share = settings.single(c.together)
	rerun := min(len(c.order), c.provable())
	c.order, c.spare = c.order[:rerun], c.order[rerun:]
	if rerun == 0 {
		return c
	}
	region := stats.Prove(settings.Confirm, c.level())
	for _, m := range c.order {
		m.candidate = newCandidate(region, m.lostBy())
	}
	return c
}

// fall returns how far the mean of the first trials fell. A side without an answer counts as 0.
func (m *member) fall() float64 {
	share := func(s *Side) float64 { return float64(s.Passed) / float64(max(s.Trials, 1)) }
	return share(m.Head) - share(m.Base)
}

// loses reports whether the case has enough answers on the base and too few on the head.
func (m *member) loses() bool {
	return m.lostBy() != classify.NoLoss && !m.Quarantined && !m.Reused && !m.Base.Lacking()
}

// lostBy returns why the case lost its answers on the head. It returns NoLoss if the case lost none, or was never
// called.
func (m *member) lostBy() classify.Loss {
	if m.status != report.Errored || m.Loss == classify.LossNotAsked {
		return classify.NoLoss
	}
	return m.Loss
}

// changed reports whether the case has another expectation on the head, and can still be tested. Then both the old and
// the new expectation judge the answers of the head, and each side has enough answers of its own.
func (m *member) changed() bool {
	return m.status == report.Redefined && m.Either && !m.Quarantined && !m.Reused &&
		!m.Base.Lacking() && !m.Head.Lacking()
}

// isCandidate reports whether the case passed on the base and fails on the head. One wrong answer fails a must-pass
// case.
func (m *member) isCandidate() bool {
	return m.Base.Passes() && (!m.Head.Passes() || m.MustPass && !m.Head.all())
}

// testCount returns the number of tests that share the chance of a false alarm.
func (s Settings) testCount() int {
	n := 1 + min(s.Confirm, 1) + min(s.Recheck, 1)
	if s.poolable() {
		n++
	}
	return n
}

func (s Settings) perTest() float64 { return s.Alpha / float64(s.testCount()) }

// single returns the chance of a false alarm that the single tests of the candidates share. If the candidates are not
// also tested together, this chance includes the share of the joint test. This is sound: the first trials decide
// whether there is a joint test, and neither kind of test uses first trials.
func (s Settings) single(together bool) float64 {
	if s.poolable() && !together {
		return 2 * s.perTest()
	}
	return s.perTest()
}

// provable returns the largest number of candidates that are rerun. It is at most MaxCandidates. It is also at most the
// number that the reruns could prove at once, if they could prove any.
func (c *confirmation) provable() int {
	if n := stats.Provable(c.settings.Confirm, c.share); n > 0 {
		return min(n, c.settings.MaxCandidates)
	}
	return c.settings.MaxCandidates
}

// level returns the level of significance at which each candidate is tested as long as none is proven.
func (c *confirmation) level() float64 { return c.share / float64(len(c.order)) }

// stepDown judges the candidates by Holm's procedure (1979). Each candidate is tested at the shared chance of a false
// alarm, divided by the number of candidates that are not proven yet. After each proof, stepDown therefore starts
// again.
func (c *confirmation) stepDown() {
	for proven := c.states()[report.CandidateConfirmed]; proven > c.proven; proven = c.states()[report.CandidateConfirmed] {
		c.proven = proven
		if proven == len(c.order) {
			return
		}
		region := stats.Prove(c.settings.Confirm, c.share/float64(len(c.order)-proven))
		for _, m := range c.order {
			if !m.candidate.proven {
				m.candidate.region = region
				m.candidate.judge()
			}
		}
	}
}

// needs returns one rerun for each candidate whose result can still change, or that the joint test still needs.
func (c *confirmation) needs() (wants []report.Want) {
	if c.settings.Repeats {
		return nil
	}
	for _, m := range c.order {
		if !m.candidate.isSettled() || c.pooling(m) {
			wants = append(wants, report.Want{Reason: report.RerunConfirm, SuiteID: m.scope.id, CaseID: m.ID, Rounds: 1,
				Once: m.candidate.loss != classify.NoLoss})
		}
	}
	return wants
}

// states returns the number of candidates in each state.
func (c *confirmation) states() map[string]int {
	out := map[string]int{}
	for _, m := range c.order {
		out[m.candidate.state()]++
	}
	return out
}

func (c *confirmation) test() *report.ConfirmTest {
	if c.settings.Confirm == 0 {
		return nil
	}
	test := &report.ConfirmTest{Rounds: c.settings.Confirm, Candidates: []report.Candidate{}, Pooled: c.pooled()}
	switch test.Provable = c.provable(); {
	case c.settings.Repeats:
		test.Provable, test.Level = len(c.order), new(c.share)
	case len(c.order) > 0:
		test.Level = new(c.level())
	}
	for _, m := range c.order {
		test.Candidates = append(test.Candidates, c.result(m))
	}
	for _, m := range c.spare {
		test.Candidates = append(test.Candidates, report.Candidate{SuiteID: m.scope.id, CaseID: m.ID,
			State: report.CandidateNotRerun})
	}
	return test
}

// result returns the report's entry for candidate m. A cleared candidate is marked as a likely regression if its reruns
// would prove the regression without other candidates.
func (c *confirmation) result(m *member) report.Candidate {
	s := m.candidate
	out := report.Candidate{SuiteID: m.scope.id, CaseID: m.ID, State: s.state(), Stored: s.stored, Rounds: s.rounds,
		BasePasses: s.base, HeadPasses: s.head}
	if s.loss != classify.NoLoss {
		out.Unanswered, out.BaseLost, out.HeadLost = true, s.silence.lost[0], s.silence.lost[1]
	}
	if out.State == report.CandidateLost {
		out.Rounds, out.BasePasses = s.silence.rounds, s.silence.passes
	}
	if s.repeats {
		out.P = new(stats.Fisher(m.Base.Count, m.Head.Count))
		out.HeadRounds = m.Head.Trials
		return out
	}
	chance := stats.Fisher(stats.Count{Passed: s.base, Trials: s.rounds}, stats.Count{Passed: s.head, Trials: s.rounds})
	out.Likely = out.State == report.CandidateCleared && !s.outage() && stats.Reaches(chance, c.share)
	if out.Likely || out.State == report.CandidateConfirmed {
		out.P = &chance
	}
	return out
}

// candidate is a case that is rerun. Usually only its reruns count, because its bad first answers are why it was
// selected.
type candidate struct {
	region     stats.Region
	loss       classify.Loss // why the head had no answer at first; NoLoss if it had a wrong answer
	base, head int           // passes in the reruns that count
	rounds     int           // reruns that count: both sides have an answer
	early      [2]int        // passes on base and head in the first poolEarly reruns that count
	asked      int           // all reruns
	silence    silence
	stored     bool // its first trials are used in place of reruns
	repeats    bool // its first trials are all of its runs, and nothing can be rerun
	proven     bool
	certain    bool // further reruns cannot change proven
}

// silence counts the reruns of a candidate that had calls, including those with missing answers.
type silence struct {
	rounds int
	passes int    // passes on the base
	lost   [2]int // missing answers on base and head
}

const (
	spareRounds  = 2 // largest number of reruns of a candidate that loses answers, as a multiple of the planned number
	silentRounds = 4 // number of reruns after which a head that never answered counts as lost
)

func newCandidate(region stats.Region, loss classify.Loss) *candidate {
	s := &candidate{region: region, loss: loss}
	s.judge()
	return s
}

// isSettled reports whether no further rerun is made for the candidate alone. Its outcome is then certain, or too many
// of its answers were lost.
func (s *candidate) isSettled() bool { return s.certain || s.exhausted() }

// exhausted reports whether too many answers were lost to rerun the candidate again.
func (s *candidate) exhausted() bool {
	return s.asked >= spareRounds*s.region.Rounds || s.unheard() && s.silence.rounds >= silentRounds
}

// round counts a rerun. It decides nothing from a rerun in which a side had no call or an outage, because a missing
// answer is not a wrong one. An unreadable answer counts as wrong.
func (s *candidate) round(base, head report.FreshTrial) {
	s.asked++
	if base.Loss == classify.LossNotAsked || head.Loss == classify.LossNotAsked {
		return
	}
	s.silence.rounds++
	for side, t := range []report.FreshTrial{base, head} {
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

// judge sets whether the reruns so far make the outcome certain. If the head lost its first answers to outages and gave
// no wrong answer since, one right answer is enough to clear the candidate.
func (s *candidate) judge() {
	s.proven, s.certain = s.region.Certain(s.rounds, s.base, s.head)
	if s.outage() {
		s.proven, s.certain = false, s.rounds > 0
	}
}

// outage reports whether the head lost answers to outages and gave no wrong answer in a rerun.
func (s *candidate) outage() bool { return s.loss == classify.LossOutage && s.head == s.rounds }

// silent reports whether the head has no answer, neither among the first trials nor in a rerun.
func (s *candidate) silent() bool {
	return s.loss != classify.NoLoss && s.silence.lost[1] == s.silence.rounds
}

// unheard reports whether the candidate is silent because of outages.
func (s *candidate) unheard() bool { return s.outage() && s.rounds == 0 && s.silent() }

func (s *candidate) state() string {
	switch {
	case s.repeats && s.proven:
		return report.CandidateConfirmed
	case s.repeats:
		return report.CandidateIncomplete
	case s.unheard() && s.silence.rounds >= silentRounds && s.silence.lost[0] <= 1:
		return report.CandidateLost
	case s.region.Empty() && !s.outage():
		return report.CandidateUnprovable
	case !s.certain:
		return report.CandidateIncomplete
	case s.proven:
		return report.CandidateConfirmed
	}
	return report.CandidateCleared
}

// useFirstTrials judges the candidates by their first trials, because nothing can be rerun. First trials also selected
// the candidates, so all cases that could have become candidates share the chance of a false alarm. With only a few
// trials, no case can be proven at its part of that chance. A candidate is cleared if it would not be proven even as
// the only case. It stays open if it is neither proven nor cleared.
func (c *confirmation) useFirstTrials() {
	if c.settings.Repeats {
		return
	}
	fresh := 0 // cases that could have become candidates
	for _, m := range c.members {
		if m.fresh() || m.changed() {
			fresh++
		}
	}
	level := c.settings.perTest() / float64(max(fresh, 1))
	var decided, open []*member
	for _, m := range slices.Concat(c.order, c.spare) {
		if s := byFirstTrials(m, level, c.settings.perTest()); s != nil {
			m.candidate = s
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
		m.candidate = nil
	}
}

// byFirstTrials judges m by the probability that chance alone explains the difference of its first trials. A
// probability of at most level confirms the candidate, and one above single clears it. In between, and for a candidate
// with reruns, the result is nil.
func byFirstTrials(m *member, level, single float64) *candidate {
	n := m.Base.Trials
	if m.lostBy() != classify.NoLoss || m.candidate != nil && m.candidate.asked > 0 || n != m.Head.Trials {
		return nil
	}
	region := stats.Prove(n, level)
	if region.Empty() {
		return nil
	}
	s := newCandidate(region, classify.NoLoss)
	s.stored = true
	s.base, s.head, s.rounds, s.asked = m.Base.Passed, m.Head.Passed, n, n
	s.judge()
	chance := stats.Fisher(stats.Count{Passed: s.base, Trials: n}, stats.Count{Passed: s.head, Trials: n})
	if s.state() != report.CandidateConfirmed && stats.Reaches(chance, single) {
		return nil
	}
	return s
}
