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
	settings     Settings
	members      []*Case // all cases
	selected     []*Case // candidates that are rerun, worst first
	beyondLimit  []*Case // candidates beyond the limit, which are not rerun
	hasJointTest bool    // candidates are also tested together
	sharedLevel  float64 // the chance of a false alarm that the single tests of the candidates share
	proven       int     // candidates that are proven one by one
}

// newConfirmation returns a confirmation of the candidates among members. Candidates passed on the base and fail on the
// head, or lost their answers on the head. Must-pass cases come first, then the largest drops.
func newConfirmation(settings Settings, members []*Case) *confirmation {
	c := &confirmation{settings: settings, members: members}
	if settings.Confirm == 0 {
		return c
	}
	for _, m := range members {
		if (m.isTestable() && !m.FlipWithdrawn || m.isTestableRedefined()) && m.isCandidate() || m.losesAnswers() {
			c.selected = append(c.selected, m)
		}
	}
	slices.SortStableFunc(c.selected, func(a, b *Case) int {
		if a.MustPass != b.MustPass {
			return map[bool]int{true: -1, false: 1}[a.MustPass]
		}
		// By the drop of the mean, ignoring rounding errors.
		return cmp.Or(cmp.Compare(stats.SnapToZero(a.meanDelta()-b.meanDelta()), 0), cmp.Compare(key(a.suite.ID, a.ID),
			key(b.suite.ID, b.ID)))
	})
	if settings.NoReruns {
		c.judgeRepeats()
		return c
	}
	c.hasJointTest = c.needsJointTest()
	c.sharedLevel = settings.singleLevel(c.hasJointTest)
	rerun := min(len(c.selected), c.maxReruns())
	c.selected, c.beyondLimit = c.selected[:rerun], c.selected[rerun:]
	if rerun == 0 {
		return c
	}
	region := stats.NewRegion(settings.Confirm, c.candidateLevel())
	for _, m := range c.selected {
		m.candidate = newCandidate(region, m.lossReason())
	}
	return c
}

// meanDelta returns the mean of the head's first trials minus that of the base's. A side without an answer counts as 0.
func (c *Case) meanDelta() float64 {
	share := func(s *Side) float64 { return float64(s.Passed) / float64(max(s.Trials, 1)) }
	return share(c.Head) - share(c.Base)
}

// losesAnswers reports whether the case has enough answers on the base and too few on the head.
func (c *Case) losesAnswers() bool {
	return c.lossReason() != classify.NoLoss && !c.Quarantined && !c.Reused && !c.Base.LacksAnswers()
}

// lossReason returns why the case lost its answers on the head. It returns NoLoss if the case lost none, or was never
// called.
func (c *Case) lossReason() classify.Loss {
	if c.status != report.Errored || c.Loss == classify.LossNotAsked {
		return classify.NoLoss
	}
	return c.Loss
}

// isTestableRedefined reports whether the case has another expectation on the head, and can still be tested. Then both
// the old and the new expectation judge the answers of the head, and each side has enough answers of its own.
func (c *Case) isTestableRedefined() bool {
	return c.status == report.Redefined && c.Either && !c.Quarantined && !c.Reused &&
		!c.Base.LacksAnswers() && !c.Head.LacksAnswers()
}

// testableCount returns the number of members that could have become candidates.
func testableCount(members []*Case) (n int) {
	for _, m := range members {
		if m.isTestable() || m.isTestableRedefined() {
			n++
		}
	}
	return n
}

// isCandidate reports whether the case passed on the base and fails on the head. One wrong answer fails a must-pass
// case.
func (c *Case) isCandidate() bool {
	return c.Base.Passes() && (!c.Head.Passes() || c.MustPass && !c.Head.allPassed())
}

// testCount returns the number of tests that share the chance of a false alarm.
func (s Settings) testCount() int {
	n := 1 + min(s.Confirm, 1) + min(s.Recheck, 1)
	if s.allowsJointTest() {
		n++
	}
	return n
}

func (s Settings) testLevel() float64 { return s.Alpha / float64(s.testCount()) }

// singleLevel returns the chance of a false alarm that the single tests of the candidates share. If the candidates are
// not also tested together, this chance includes the share of the joint test. This is sound: the first trials decide
// whether there is a joint test, and neither kind of test uses first trials.
func (s Settings) singleLevel(together bool) float64 {
	if s.allowsJointTest() && !together {
		return 2 * s.testLevel()
	}
	return s.testLevel()
}

// maxReruns returns the largest number of candidates that are rerun. It is at most MaxCandidates. It is also at most
// the number that the reruns could prove at once, if they could prove any.
func (c *confirmation) maxReruns() int {
	if n := stats.MaxProvable(c.settings.Confirm, c.sharedLevel); n > 0 {
		return min(n, c.settings.MaxCandidates)
	}
	return c.settings.MaxCandidates
}

// candidateLevel returns the level of significance at which each candidate is tested as long as none is proven.
func (c *confirmation) candidateLevel() float64 { return c.sharedLevel / float64(len(c.selected)) }

// stepDown judges the candidates by Holm's procedure (1979). Each candidate is tested at the shared chance of a false
// alarm, divided by the number of candidates that are not proven yet. After each proof, stepDown therefore starts
// again.
func (c *confirmation) stepDown() {
	for proven := c.stateCounts()[report.CandidateConfirmed]; proven > c.proven; proven = c.stateCounts()[report.CandidateConfirmed] {
		c.proven = proven
		if proven == len(c.selected) {
			return
		}
		region := stats.NewRegion(c.settings.Confirm, c.sharedLevel/float64(len(c.selected)-proven))
		for _, m := range c.selected {
			if !m.candidate.proven {
				m.candidate.region = region
				m.candidate.update()
			}
		}
	}
}

// needs returns one rerun for each candidate whose result can still change, or that the joint test still needs.
func (c *confirmation) needs() (wants []report.RerunRequest) {
	if c.settings.NoReruns {
		return nil
	}
	for _, m := range c.selected {
		if !m.candidate.isSettled() || c.needsJointRerun(m) {
			wants = append(wants,
				report.RerunRequest{Reason: report.RerunConfirm, SuiteID: m.suite.ID, CaseID: m.ID, Rounds: 1,
					NoRetry: m.candidate.loss != classify.NoLoss})
		}
	}
	return wants
}

// stateCounts returns the number of candidates in each state.
func (c *confirmation) stateCounts() map[string]int {
	out := map[string]int{}
	for _, m := range c.selected {
		out[m.candidate.state()]++
	}
	return out
}

func (c *confirmation) testResult() *report.ConfirmTest {
	if c.settings.Confirm == 0 {
		return nil
	}
	test := &report.ConfirmTest{Rounds: c.settings.Confirm, Candidates: []report.Candidate{}, Pooled: c.jointTest()}
	switch test.Provable = c.maxReruns(); {
	case c.settings.NoReruns:
		test.Provable, test.Level = len(c.selected), new(c.sharedLevel)
	case len(c.selected) > 0:
		test.Level = new(c.candidateLevel())
	}
	for _, m := range c.selected {
		test.Candidates = append(test.Candidates, c.result(m))
	}
	for _, m := range c.beyondLimit {
		test.Candidates = append(test.Candidates, report.Candidate{SuiteID: m.suite.ID, CaseID: m.ID,
			State: report.CandidateNotRerun})
	}
	return test
}

// result returns the report's entry for candidate m. A cleared candidate is marked as a likely regression if its reruns
// would prove the regression without other candidates.
func (c *confirmation) result(m *Case) report.Candidate {
	s := m.candidate
	out := report.Candidate{SuiteID: m.suite.ID, CaseID: m.ID, State: s.state(), Stored: s.byFirstTrials,
		Rounds:     s.rounds,
		BasePasses: s.basePasses, HeadPasses: s.headPasses}
	if s.loss != classify.NoLoss {
		out.Unanswered, out.BaseLost, out.HeadLost = true, s.called.lost[0], s.called.lost[1]
	}
	if out.State == report.CandidateLost {
		out.Rounds, out.BasePasses = s.called.rounds, s.called.passes
	}
	if s.noReruns {
		out.P = new(stats.Fisher(m.Base.Count, m.Head.Count))
		out.HeadRounds = m.Head.Trials
		return out
	}
	chance := s.chance()
	out.Likely = out.State == report.CandidateCleared && !s.lostToOutage() && stats.AtMost(chance, c.sharedLevel)
	if out.Likely || out.State == report.CandidateConfirmed {
		out.P = &chance
	}
	return out
}

// candidate is a case that is rerun. Usually only its reruns count, because its bad first answers are why it was
// selected.
type candidate struct {
	region                 stats.Region
	loss                   classify.Loss // why the head had no answer at first; NoLoss if it had a wrong answer
	basePasses, headPasses int           // passes in the reruns that count
	rounds                 int           // reruns that count: both sides have an answer
	earlyPasses            [2]int        // passes on base and head in the first poolEarly reruns that count
	reruns                 int           // all reruns
	called                 calledReruns
	byFirstTrials          bool // its first trials are used in place of reruns
	noReruns               bool // its first trials are all of its runs, and nothing can be rerun
	proven                 bool
	certain                bool // further reruns cannot change proven
}

// calledReruns counts the reruns of a candidate that had calls, including those with missing answers.
type calledReruns struct {
	rounds int
	passes int    // passes on the base
	lost   [2]int // missing answers on base and head
}

const (
	// largest number of reruns of a candidate that loses answers, as a multiple of the planned number
	maxRoundsFactor = 2
	lostRounds      = 4 // number of reruns after which a head that never answered counts as lost
)

func newCandidate(region stats.Region, loss classify.Loss) *candidate {
	s := &candidate{region: region, loss: loss}
	s.update()
	return s
}

// isSettled reports whether no further rerun is made for the candidate alone. Its outcome is then certain, or too many
// of its answers were lost.
func (c *candidate) isSettled() bool { return c.certain || c.exhausted() }

// exhausted reports whether too many answers were lost to rerun the candidate again.
func (c *candidate) exhausted() bool {
	return c.reruns >= maxRoundsFactor*c.region.Rounds || c.neverAnsweredByOutage() && c.called.rounds >= lostRounds
}

// addRound counts a rerun. It decides nothing from a rerun in which a side had no call or an outage, because a missing
// answer is not a wrong one. An unreadable answer counts as wrong.
func (c *candidate) addRound(base, head report.Rerun) {
	c.reruns++
	if base.Loss == classify.LossNotAsked || head.Loss == classify.LossNotAsked {
		return
	}
	c.called.rounds++
	for side, t := range []report.Rerun{base, head} {
		if t.Loss != classify.NoLoss {
			c.called.lost[side]++
		}
	}
	if passes(base) {
		c.called.passes++
	}
	if base.Loss == classify.LossOutage || head.Loss == classify.LossOutage {
		return
	}
	c.rounds++
	if passes(base) {
		c.basePasses++
	}
	if passes(head) {
		c.headPasses++
	}
	if c.rounds <= poolEarly {
		c.earlyPasses = [2]int{c.basePasses, c.headPasses}
	}
	c.update()
}

// update sets whether the reruns so far make the outcome certain. If the head lost its first answers to outages and
// gave no wrong answer since, one right answer is enough to clear the candidate.
func (c *candidate) update() {
	c.proven, c.certain = c.region.Certain(c.rounds, c.basePasses, c.headPasses)
	if c.lostToOutage() {
		c.proven, c.certain = false, c.rounds > 0
	}
}

// lostToOutage reports whether the head lost answers to outages and gave no wrong answer in a rerun.
func (c *candidate) lostToOutage() bool {
	return c.loss == classify.LossOutage && c.headPasses == c.rounds
}

// neverAnswered reports whether the head has no answer, neither among the first trials nor in a rerun.
func (c *candidate) neverAnswered() bool {
	return c.loss != classify.NoLoss && c.called.lost[1] == c.called.rounds
}

// neverAnsweredByOutage reports whether the head has no answer because of outages.
func (c *candidate) neverAnsweredByOutage() bool {
	return c.lostToOutage() && c.rounds == 0 && c.neverAnswered()
}

// chance returns the probability that chance alone explains the difference of the reruns that count.
func (c *candidate) chance() float64 {
	return stats.Fisher(stats.Count{Passed: c.basePasses, Trials: c.rounds}, stats.Count{Passed: c.headPasses, Trials: c.rounds})
}

func (c *candidate) state() string {
	switch {
	case c.noReruns && c.proven:
		return report.CandidateConfirmed
	case c.noReruns:
		return report.CandidateIncomplete
	case c.neverAnsweredByOutage() && c.called.rounds >= lostRounds && c.called.lost[0] <= 1:
		return report.CandidateLost
	case c.region.Empty() && !c.lostToOutage():
		return report.CandidateUnprovable
	case !c.certain:
		return report.CandidateIncomplete
	case c.proven:
		return report.CandidateConfirmed
	}
	return report.CandidateCleared
}

// useFirstTrials judges the candidates by their first trials, because nothing can be rerun. First trials also selected
// the candidates, so all cases that could have become candidates share the chance of a false alarm. With only a few
// trials, no case can be proven at its part of that chance. A candidate is cleared if it would not be proven even as
// the only case. It stays open if it is neither proven nor cleared.
func (c *confirmation) useFirstTrials() {
	if c.settings.NoReruns {
		return
	}
	level := c.settings.testLevel() / float64(max(testableCount(c.members), 1))
	var decided, undecided []*Case
	for _, m := range slices.Concat(c.selected, c.beyondLimit) {
		if s := judgeByFirstTrials(m, level, c.settings.testLevel()); s != nil {
			m.candidate = s
			decided = append(decided, m)
			continue
		}
		undecided = append(undecided, m)
	}
	if len(decided) == 0 {
		return
	}
	c.selected = append(decided, undecided[:min(len(undecided), max(c.maxReruns()-len(decided), 0))]...)
	c.beyondLimit = undecided[len(c.selected)-len(decided):]
	for _, m := range c.beyondLimit {
		m.candidate = nil
	}
}

// judgeByFirstTrials judges m by the probability that chance alone explains the difference of its first trials. A
// probability of at most level confirms the candidate, and one above clearLevel clears it. In between, and for a
// candidate with reruns, the result is nil.
func judgeByFirstTrials(m *Case, level, clearLevel float64) *candidate {
	n := m.Base.Trials
	if m.lossReason() != classify.NoLoss || m.candidate != nil && m.candidate.reruns > 0 || n != m.Head.Trials {
		return nil
	}
	region := stats.NewRegion(n, level)
	if region.Empty() {
		return nil
	}
	s := newCandidate(region, classify.NoLoss)
	s.byFirstTrials = true
	s.basePasses, s.headPasses, s.rounds, s.reruns = m.Base.Passed, m.Head.Passed, n, n
	s.update()
	if s.state() != report.CandidateConfirmed && stats.AtMost(s.chance(), clearLevel) {
		return nil
	}
	return s
}
