package terminal

import (
	"fmt"

	"github.com/olekukonko/tablewriter/tw"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
)

// overall reports whether there is room for the overall scores, where there are any.
func (t *terminal) overall() bool {
	return t.Report.OverallScore != nil && t.o.Width-suiteColumns-overallColumn >= shortestSuite
}

func (t *terminal) header() []string {
	cells := []string{"Suite", "Score"}
	if t.Compared {
		cells = []string{"Suite", "Before", "Now"}
	}
	if t.overall() {
		cells = append(cells, "Overall")
	}
	return append(cells, "Needed", "Cases right", "")
}

func (t *terminal) alignment() tw.Alignment {
	align := tw.Alignment{tw.AlignLeft}
	for range len(t.header()) - 2 {
		align = append(align, tw.AlignRight)
	}
	return append(align, tw.AlignLeft)
}

// suiteColumns is what the numbers and the state take of a line, overallColumn what the overall scores take besides, and shortestSuite the
// least that a suite's name gets.
const suiteColumns, overallColumn, shortestSuite = 52, 9, 12

func (t *terminal) suiteCells(s view.Row) []string {
	width := t.o.Width - suiteColumns
	if t.overall() {
		width -= overallColumn
	}
	cells := t.scoreCells(show.Ends(show.Suite(s.SuiteID), max(width, shortestSuite)), s.BaseScore, s.Score, s.OverallScore, s.MinScore, s.Passed, s.Cases, s.Unscored)
	return append(cells, t.suiteState(s))
}

func (t *terminal) runCells() []string {
	r := t.Report
	return append(t.scoreCells("All", r.BaseRunScore, r.RunScore, r.OverallScore, r.Scoring.MinRunScore, r.PassedCases, r.Cases, r.Unscored), "")
}

// scoreCells are a score before, now and needed, and how many cases pass.
func (t *terminal) scoreCells(name string, before, now, overall, need *float64, passed, cases, unscored int) []string {
	cells := []string{name}
	if t.Compared {
		cells = append(cells, show.PercentOr(before))
	}
	score := show.Against(now, need)
	if t.Withheld(unscored) {
		score = show.Absent
	}
	cells = append(cells, score)
	if t.overall() {
		cells = append(cells, show.PercentOr(overall))
	}
	return append(cells, show.Bar(need), fmt.Sprintf("%d/%d", passed, cases))
}
