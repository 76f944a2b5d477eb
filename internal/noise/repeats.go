package noise

import (
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// judgeRepeats judges each candidate by its existing trials. The same trials selected the candidates, so the chance of
// a false alarm is divided among all cases that could have become candidates. A candidate that is not proven stays
// open.
func (c *confirmation) judgeRepeats() {
	c.selected = slices.DeleteFunc(c.selected, func(m *Case) bool { return m.lossReason() == classify.NoLoss && m.Head.Passes() })
	c.sharedLevel = c.settings.testLevel() / float64(max(testableCount(c.members), 1))
	for _, m := range c.selected {
		s := &candidate{noReruns: true, byFirstTrials: true, loss: m.lossReason(), basePasses: m.Base.Passed, headPasses: m.Head.Passed, rounds: m.Base.Trials}
		s.proven = s.loss == classify.NoLoss && stats.AtMost(stats.Fisher(m.Base.Count, m.Head.Count), c.sharedLevel)
		m.candidate = s
	}
}

// repeatsTest returns what the existing trials of the cases can prove. It returns nil if cases can be rerun.
func (c *confirmation) repeatsTest() *report.RepeatsTest {
	if !c.settings.NoReruns {
		return nil
	}
	out := &report.RepeatsTest{Compared: testableCount(c.members), Level: c.sharedLevel, Enough: 1}
	for stats.NewRegion(out.Enough, out.Level).Empty() {
		out.Enough++
	}
	fewest := func(m *Case) {
		base, head := m.Base.Trials, m.Head.Trials
		if out.Runs == 0 {
			out.Before, out.Now = base, head
		}
		out.Before, out.Now = min(out.Before, base), min(out.Now, head)
		out.Runs = min(out.Before, out.Now)
	}
	for _, m := range c.selected {
		if m.candidate.loss == classify.NoLoss && !m.candidate.proven {
			out.Flipped++
			fewest(m)
		}
	}
	for _, m := range c.members {
		if out.Flipped == 0 && m.isTestable() {
			fewest(m)
		}
	}
	return out
}
