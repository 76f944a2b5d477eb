package render

import (
	"fmt"

	"github.com/olekukonko/tablewriter/tw"
)

// scoreColumn is an optional column of the table.
type scoreColumn struct {
	title string
	width int
	suite func(row) string
	run   string
}

// columns are those between the score and the passed cases, where there is something to show in them.
func (t *terminal) columns() (out []scoreColumn) {
	if t.compared {
		out = append(out, scoreColumn{"vs base", 0, func(s row) string { return plainMoved(s.Delta) }, plainMoved(t.r.Delta)})
	}
	overall := scoreColumn{"Overall", 9, func(s row) string { return percentOr(s.OverallScore) }, percentOr(t.r.OverallScore)}
	if t.r.OverallScore != nil && t.o.Width-suiteColumns-overall.width >= shortestSuite {
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

func (t *terminal) suiteCells(s row) []string {
	width := t.o.Width - suiteColumns
	cells := []string{"", against(s.Score, s.MinScore)}
	for _, c := range t.columns() {
		width -= c.width
		cells = append(cells, c.suite(s))
	}
	cells[0] = ends(s.SuiteID, max(width, shortestSuite))
	return append(cells, fmt.Sprintf("%d/%d", s.Passed, s.Cases), bar(s.MinScore), t.suiteState(s))
}

func (t *terminal) runCells() []string {
	cells := []string{"Run", against(t.r.RunScore, t.r.Scoring.MinRunScore)}
	for _, c := range t.columns() {
		cells = append(cells, c.run)
	}
	return append(cells, fmt.Sprintf("%d/%d", t.r.PassedCases, t.r.Cases), bar(t.r.Scoring.MinRunScore), "")
}
