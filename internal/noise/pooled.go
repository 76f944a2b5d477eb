package noise

import (
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

const (
	poolOneIn = 10   // there is a joint test if at most one case in poolOneIn flipped; with more, it costs too many calls
	poolCases = 3    // up to this number of flipped cases, there always is a joint test
	poolEarly = 2    // number of reruns of each case after which the joint test may end early
	poolEnds  = 0.25 // the joint test ends early if chance alone explains its answers with a larger probability
)

// allowsJointTest reports whether the settings allow a joint test of the candidates.
func (s Settings) allowsJointTest() bool { return s.Pooled && s.Confirm > 0 }

// needsJointTest reports whether the candidates are tested together. They are if two or more of them had a wrong
// answer, and few cases flipped.
func (c *confirmation) needsJointTest() bool {
	compared, wrong := 0, 0
	for _, m := range c.members {
		if m.isTestable() {
			compared++
		}
	}
	for _, m := range c.selected {
		if m.lossReason() == classify.NoLoss {
			wrong++
		}
	}
	return c.settings.allowsJointTest() && wrong > 1 && len(c.selected) <= max(compared/poolOneIn, poolCases)
}

// needsJointRerun reports whether the joint test still needs reruns of the candidate m.
func (c *confirmation) needsJointRerun(m *Case) bool {
	s := m.candidate
	return slices.Contains(c.unproven(), m) && !s.exhausted() && s.rounds < c.settings.Confirm && !c.endedEarly()
}

// unproven returns the candidates that are tested together. They had a wrong answer and are not proven alone.
func (c *confirmation) unproven() (out []*Case) {
	for _, m := range c.selected {
		if c.hasJointTest && m.lossReason() == classify.NoLoss && !m.candidate.proven && !m.candidate.byFirstTrials {
			out = append(out, m)
		}
	}
	return out
}

// endedEarly reports whether the joint test is over. It is if fewer than two candidates are left, or their first reruns
// show no drop.
func (c *confirmation) endedEarly() bool {
	left := c.unproven()
	if len(left) < 2 {
		return true
	}
	if slices.ContainsFunc(left, func(m *Case) bool {
		return m.candidate.rounds < poolEarly &&
			!m.candidate.exhausted()
	}) {
		return false
	}
	return jointTestOf(left, poolEarly, func(s *candidate) [2]int { return s.earlyPasses }).P > poolEnds
}

// jointTest returns the joint test of the unproven candidates' reruns, an exact test with a stratum for each case. It
// returns nil if reruns are missing or the test ended early. Leaving out proven candidates raises no false alarm.
func (c *confirmation) jointTest() *report.PooledTest {
	left := c.unproven()
	if c.endedEarly() || slices.ContainsFunc(left,
		func(m *Case) bool { return m.candidate.rounds < c.settings.Confirm }) {
		return nil
	}
	test := jointTestOf(left, c.settings.Confirm,
		func(s *candidate) [2]int { return [2]int{s.basePasses, s.headPasses} })
	test.Level = c.settings.testLevel()
	test.Proven = stats.AtMost(test.P, test.Level)
	return &test
}

// jointTestOf returns the joint test of the first rounds of members, without a level. passes returns the passes of a
// candidate in these rounds, on base and head.
func jointTestOf(members []*Case, rounds int, passes func(*candidate) [2]int) report.PooledTest {
	test := report.PooledTest{Cases: len(members), Rounds: rounds}
	var strata []stats.Stratum
	for _, m := range members {
		passed := passes(m.candidate)
		test.BasePasses, test.HeadPasses = test.BasePasses+passed[0], test.HeadPasses+passed[1]
		counted := min(rounds, m.candidate.rounds)
		strata = append(strata, stats.Stratum{Base: binary(passed[0], counted), Head: binary(passed[1], counted), Weight: 1})
	}
	test.P = stats.StratifiedTest(strata).Worse
	return test
}

// values returns one value per trial with an answer, as binary does.
func (s Side) values() []float64 { return binary(s.Passed, s.Trials) }

// binary returns one value per trial: 1 for each pass, then 0 for each failure.
func binary(passes, trials int) []float64 {
	values := make([]float64, trials)
	for i := range passes {
		values[i] = 1
	}
	return values
}
