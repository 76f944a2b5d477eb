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
	c.order = slices.DeleteFunc(c.order, func(m *member) bool { return m.lostBy() == classify.NoLoss && m.Head.Passes() })
	for _, m := range c.members {
		if m.fresh() || m.changed() {
			c.compared++
		}
	}
	c.share = c.settings.perTest() / float64(max(c.compared, 1))
	for _, m := range c.order {
		s := &candidate{repeats: true, stored: true, loss: m.lostBy(), base: m.Base.Passed, head: m.Head.Passed, rounds: m.Base.Trials}
		s.proven = s.loss == classify.NoLoss && stats.Reaches(stats.Fisher(m.Base.Count, m.Head.Count), c.share)
		m.candidate = s
	}
}

// repeats returns what the existing trials of the cases can prove. It returns nil if cases can be rerun.
func (c *confirmation) repeats() *report.RepeatsTest {
	if !c.settings.Repeats {
		return nil
	}
	out := &report.RepeatsTest{Compared: c.compared, Level: c.share, Enough: 1}
	for stats.Prove(out.Enough, out.Level).Empty() {
		out.Enough++
	}
	fewest := func(m *member) {
		base, head := m.Base.Trials, m.Head.Trials
		if out.Runs == 0 {
			out.Before, out.Now = base, head
		}
		out.Before, out.Now = min(out.Before, base), min(out.Now, head)
		out.Runs = min(out.Before, out.Now)
	}
	for _, m := range c.order {
		if m.candidate.loss == classify.NoLoss && !m.candidate.proven {
			out.Flipped++
			fewest(m)
		}
	}
	for _, m := range c.members {
		if out.Flipped == 0 && m.fresh() {
			fewest(m)
		}
	}
	return out
}
