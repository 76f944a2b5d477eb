package compare

import (
	"github.com/failproof/failproof/internal/report"
)

// WithoutNewCases returns head without its new cases, and with each moved case in its base suite. Every threshold is
// checked on this side too, so that new or moved cases cannot lift a score above the threshold. The result differs is
// false if this side equals head or has no case.
func (c Comparison) WithoutNewCases(head *report.Side) (side *report.Side, differs bool) {
	if !c.HasBase {
		return head, false
	}
	added := map[*report.Case]bool{}
	back := map[*report.Case]report.SuitePlan{} // base suite of each head case that moved
	for p := range c.All() {
		if p.Base == nil {
			added[p.Head] = true
		} else if isMoved(p) {
			back[p.Head] = p.baseSuite.SuitePlan
		}
	}
	side = head.Without(added).WithMovedCases(back)
	return side, (len(added) > 0 || len(back) > 0) && side.Counts().Cases > 0
}

// fillWithoutNew sets the scores of rep without new cases.
func fillWithoutNew(c Comparison, rep *report.Report, head *report.Side) {
	rep.RunScoreWithoutNew, rep.CasesWithoutNew = nil, 0
	if !c.HasBase {
		return
	}
	old, _ := c.WithoutNewCases(c.WithoutQuarantined(head))
	rep.RunScoreWithoutNew, rep.CasesWithoutNew = report.Optional(old.RunScore()), old.Counts().Cases
	for i, row := range rep.Suites {
		if s := old.Suite(row.SuiteID); s != nil {
			rep.Suites[i].ScoreWithoutNew, rep.Suites[i].CasesWithoutNew = report.Optional(s.Score()), len(s.Cases)
		}
	}
}
