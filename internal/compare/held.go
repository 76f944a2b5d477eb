package compare

import (
	"slices"

	"github.com/failproof/failproof/internal/report"
)

// AtBase returns the head over the base's cases, in the base's suites and with their weights. Every threshold holds for
// it too, so that neither added nor moved cases lift a score over one. A redefined case counts by its own expectation,
// a removed one on neither side. differs is false if the head added and moved nothing, or if the base has none of its
// cases: then there is one score.
func (c Comparison) AtBase(head *report.Side) (side *report.Side, differs bool) {
	if !c.HasBase {
		return head, false
	}
	added := map[*report.Case]bool{}
	back := map[*report.Case]report.SuitePlan{} // the suites of the base that moved cases of the head came from
	for p := range c.All() {
		if p.Base == nil {
			added[p.Head] = true
		} else if from := p.suite.from[p.Base]; from != nil {
			back[p.Head] = from.SuitePlan
		}
	}
	side = head.Without(added).WithMovedCases(back)
	return side, (len(added) > 0 || len(back) > 0) && side.Cases() > 0
}

// fillHeld writes the scores over the base's cases, by which every threshold is held too.
func (c Comparison) fillHeld(rep *report.Report, head *report.Side) {
	rep.HeldRunScore, rep.HeldCases = nil, 0
	if !c.HasBase {
		return
	}
	held, _ := c.AtBase(c.WithoutQuarantined(head))
	rep.HeldRunScore, rep.HeldCases = report.Optional(held.RunScore()), held.Cases()
	rep.Suites = slices.Clone(rep.Suites)
	for i, row := range rep.Suites {
		if s := held.Suite(row.SuiteID); s != nil {
			rep.Suites[i].HeldScore, rep.Suites[i].HeldCases = report.Optional(s.Score()), len(s.Cases)
		}
	}
}
