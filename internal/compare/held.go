package compare

import (
	"github.com/failproof/failproof/internal/report"
)

// AtBase returns the head without its new cases, and with each moved case in its base suite. Every threshold is checked
// on this side too, so that new or moved cases cannot lift a score above the threshold. If this side equals the head or
// has no case, differs is false.
func (c Comparison) AtBase(head *report.Side) (side *report.Side, differs bool) {
	if !c.HasBase {
		return head, false
	}
	added := map[*report.Case]bool{}
	back := map[*report.Case]report.SuitePlan{} // by moved case of the head: the base suite it came from
	for p := range c.All() {
		if p.Base == nil {
			added[p.Head] = true
		} else if from := p.suite.from[p.Base]; from != nil {
			back[p.Head] = from.SuitePlan
		}
	}
	side = head.Without(added).WithMovedCases(back)
	return side, (len(added) > 0 || len(back) > 0) && side.Counts().Cases > 0
}

// fillHeld sets the scores without new cases.
func fillHeld(c Comparison, rep *report.Report, head *report.Side) {
	rep.HeldRunScore, rep.HeldCases = nil, 0
	if !c.HasBase {
		return
	}
	old, _ := c.AtBase(c.WithoutQuarantined(head))
	rep.HeldRunScore, rep.HeldCases = report.Optional(old.RunScore()), old.Counts().Cases
	for i, row := range rep.Suites {
		if s := old.Suite(row.SuiteID); s != nil {
			rep.Suites[i].HeldScore, rep.Suites[i].HeldCases = report.Optional(s.Score()), len(s.Cases)
		}
	}
}
