package terminal

import (
	"fmt"

	"github.com/olekukonko/tablewriter/tw"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
)

// scoreColumn is an optional column of the table.
type scoreColumn struct {
	title string
	width int
	suite func(view.Row) string
	run   string
}

// columns are those between the score and the passed cases, where there is something to show in them.
func (t *terminal) columns() (out []scoreColumn) {
	if t.Compared {
		out = append(out, scoreColumn{"vs base", 0, func(s view.Row) string { return plainMoved(s.Delta) }, plainMoved(t.Report.Delta)})
	}
	overall := scoreColumn{"Overall", 9, func(s view.Row) string { return show.PercentOr(s.OverallScore) }, show.PercentOr(t.Report.OverallScore)}
	if t.Report.OverallScore != nil && t.o.Width-suiteColumns-overall.width >= shortestSuite {
		out = append(out, overall)
	}
	return out
}

func (t *terminal) header() []string {
	cells := []string{"Suite", "Score"}
	for _, c := range t.columns() {
		cells = append(cells, c.title)
	}
	return append(cells, "Passed", "Needs", "")
}

func (t *terminal) alignment() tw.Alignment {
	align := tw.Alignment{tw.AlignLeft}
	for range len(t.header()) - 2 {
		align = append(align, tw.AlignRight)
	}
	return append(align, tw.AlignLeft)
}

// suiteColumns is what the numbers and the state leave of a line, shortestSuite the least that a suite's name gets.
const suiteColumns, shortestSuite = 52, 12

func (t *terminal) suiteCells(s view.Row) []string {
	width := t.o.Width - suiteColumns
	cells := []string{"", show.Against(s.Score, s.MinScore)}
	for _, c := range t.columns() {
		width -= c.width
		cells = append(cells, c.suite(s))
	}
	cells[0] = show.Ends(s.SuiteID, max(width, shortestSuite))
	return append(cells, fmt.Sprintf("%d/%d", s.Passed, s.Cases), show.Bar(s.MinScore), t.suiteState(s))
}

func (t *terminal) runCells() []string {
	cells := []string{"Run", show.Against(t.Report.RunScore, t.Report.Scoring.MinRunScore)}
	for _, c := range t.columns() {
		cells = append(cells, c.run)
	}
	return append(cells, fmt.Sprintf("%d/%d", t.Report.PassedCases, t.Report.Cases), show.Bar(t.Report.Scoring.MinRunScore), "")
}
