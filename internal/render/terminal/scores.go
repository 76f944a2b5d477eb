package terminal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
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
	return append(cells, "Needed", show.If(t.Report.Unverified > t.Report.KeptByHand, "Passed", "Cases right"), "")
}

// suiteColumns is what the numbers and the state take of a line, overallColumn what the overall scores take besides, and shortestSuite the
// least that a suite's name gets.
const suiteColumns, overallColumn, shortestSuite = 52, 9, 12

func (t *terminal) suiteCells(s view.Row) []string {
	width := t.o.Width - suiteColumns
	if t.overall() {
		width -= overallColumn
	}
	cells := t.scoreCells(show.Ends(show.Suite(s.SuiteID), max(width, shortestSuite)), s.SuiteSummary)
	color, word := suiteState(s)
	now := len(cells) - 3 // before what is needed and the cases
	if t.overall() {
		now--
	}
	cells[now] = t.paint(color, cells[now])
	return append(cells, t.paint(color, word))
}

func (t *terminal) scoreCells(name string, s report.SuiteSummary) []string {
	cells := []string{name}
	if t.Compared {
		cells = append(cells, show.PercentOr(s.BaseScore))
	}
	cells = append(cells, show.If(t.Withheld(s.Unscored), show.Absent, show.Against(s.Score, s.MinScore, t.Report.Scoring.MinRunScore)))
	if t.overall() {
		cells = append(cells, show.PercentOr(s.OverallScore))
	}
	return append(cells, show.Bar(s.MinScore), fmt.Sprintf("%d/%d", s.Passed, s.Cases))
}

func (t *terminal) writeScores() error {
	var text strings.Builder
	table := tablewriter.NewTable(&text,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.BorderNone,
			Symbols: tw.NewSymbols(tw.StyleLight),
			Settings: tw.Settings{
				Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off},
				Lines:      tw.Lines{ShowHeaderLine: tw.On, ShowFooterLine: tw.On, ShowTop: tw.Off, ShowBottom: tw.Off},
			},
		})),
		tablewriter.WithAlignment(slices.Concat(tw.Alignment{tw.AlignLeft}, slices.Repeat(tw.Alignment{tw.AlignRight}, len(t.header())-2), tw.Alignment{tw.AlignLeft})),
		tablewriter.WithHeaderAutoFormat(tw.Off), tablewriter.WithFooterAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone), tablewriter.WithRowAutoWrap(tw.WrapNone), tablewriter.WithFooterAutoWrap(tw.WrapNone),
	)
	table.Header(t.header())
	shown := t.shownSuites()
	for _, s := range t.Suites[:shown] {
		if err := table.Append(t.suiteCells(s)); err != nil {
			return err
		}
	}
	table.Footer(append(t.scoreCells("All", t.Run()), ""))
	if err := table.Render(); err != nil {
		return err
	}
	for _, line := range strings.Split(strings.TrimRight(text.String(), "\n"), "\n") {
		t.line(strings.TrimRight(line, " "))
	}
	if left := len(t.Suites) - shown; left > 0 {
		t.line(" … and " + show.Count(left, "suite") + " without a change in score")
	}
	t.line("")
	return nil
}

func (t *terminal) shownSuites() int {
	if len(t.Suites) <= manySuites {
		return len(t.Suites)
	}
	n := 0
	for n < len(t.Suites) && !t.Suites[n].Quiet() {
		n++
	}
	return n
}

// suiteState is one short word, since the cases are listed below, and the colour of what it says.
func suiteState(s view.Row) (color, word string) {
	switch {
	case s.BelowBar:
		return red, "below bar"
	case s.MustPass > 0:
		return red, "must pass"
	case s.Worse:
		return red, "got worse"
	case s.Regressed > 0:
		return red, "broken"
	case s.Suspected:
		return yellow, "perhaps worse"
	case s.Unscored > 0:
		return yellow, "unanswered"
	case s.Cases == 0:
		return "", "no case"
	case s.Passed == 0:
		return yellow, show.If(s.Score != nil && *s.Score > 0, "none right each time", "all wrong")
	case s.Delta != nil && *s.Delta < 0:
		return yellow, "lower"
	case s.Inside > 0:
		return yellow, "worse inside"
	case s.Unverified > 0:
		return yellow, "unverified"
	case s.Passed < s.Cases && s.MinScore == nil:
		return "", "some wrong"
	case s.Passed < s.Cases:
		return "", "meets bar"
	}
	return green, "ok"
}
