package compare

import (
	"slices"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// held is the head over the cases that the base has, in the base's suites and with their weights: every bar is held by it as well, so that
// neither what a change adds nor where it moves a case lifts it over one. A redefined case counts by its own expectation, a removed one on
// neither side. any is false where the head has added and moved nothing, or the base has none of its cases: then there is one score only.
func (c Comparison) held(head *report.Side) (side *report.Side, any bool) {
	if !c.HasBase {
		return head, false
	}
	added := map[*report.Case]bool{}
	back := map[*report.Case]report.SuitePlan{} // the suites of the base that moved cases of the head came from
	for s, p := range c.all() {
		if p.base == nil {
			added[p.head] = true
		} else if from := s.from[p.base]; from != nil {
			back[p.head] = from.SuitePlan
		}
	}
	side = head.Without(added).Moved(back)
	return side, (len(added) > 0 || len(back) > 0) && side.Cases() > 0
}

// fillHeld writes the scores over the base's cases, by which every bar is held too.
func (c Comparison) fillHeld(rep *report.Report, head *report.Side) {
	rep.HeldRunScore, rep.HeldCases = nil, 0
	if !c.HasBase {
		return
	}
	held, _ := c.held(c.judged(head))
	rep.HeldRunScore, rep.HeldCases = report.Optional(held.RunScore()), held.Cases()
	rep.Suites = slices.Clone(rep.Suites)
	for i, row := range rep.Suites {
		if s := held.Suite(row.SuiteID); s != nil {
			rep.Suites[i].HeldScore, rep.Suites[i].HeldCases = report.Optional(s.Score()), len(s.Cases)
		}
	}
}

// measured is a side that is held to the bars, and what it covers.
type measured struct {
	side *report.Side
	held bool   // over the base's cases alone
	over string // " over the base's 20 cases"; "" for the head as it stands
}

// measures are the head as it stands and, where it has added cases, over those that the base has.
func (c Comparison) measures(head *report.Side) []measured {
	all := []measured{{side: head}}
	if held, any := c.held(head); any {
		all = append(all, measured{held, true, " over the base's " + text.Count(held.Cases(), "case")})
	}
	return all
}
