package terminal

import (
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
)

// nameRunes is the length of names in the first column if the table is wide enough.
const nameRunes = 24

// scoreTable prints a table. Its last column has the texts that other media show below the first cells.
func (t *printer) scoreTable(data *story.Table) error {
	shown := data.Rows
	if len(shown) > suitesShown {
		shown = shown[:max(data.Unfolded, 1)]
	}
	room := t.options.Width - 2*len(data.Header) - 2
	for i, name := range data.Header {
		widest := utf8.RuneCountInString(name)
		for _, r := range append(slices.Clone(shown), *data.Last) {
			widest = max(widest, utf8.RuneCountInString(cellText(r, i)))
		}
		room -= widest
	}
	var out strings.Builder
	table := newTable(&out, len(data.Header))
	table.Header(append(slices.Clone(data.Header), ""))
	for _, r := range shown {
		if err := table.Append(t.cells(r, room)); err != nil {
			return err
		}
	}
	table.Footer(t.cells(*data.Last, room))
	if err := table.Render(); err != nil {
		return err
	}
	for line := range strings.SplitSeq(strings.TrimRight(out.String(), "\n"), "\n") {
		t.line(strings.TrimRight(line, " "))
	}
	if left := len(data.Rows) - len(shown); left > 0 {
		t.line(" … and " + show.Count(left, "more "+data.Noun))
	}
	t.line("")
	return nil
}

// newTable returns a table without borders, with a column of names, columns of figures, and a column of words at the
// end.
func newTable(out io.Writer, columns int) *tablewriter.Table {
	figures := slices.Repeat(tw.Alignment{tw.AlignRight}, columns-1)
	return tablewriter.NewTable(out,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.BorderNone,
			Symbols: tw.NewSymbols(tw.StyleLight),
			Settings: tw.Settings{
				Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off},
				Lines:      tw.Lines{ShowHeaderLine: tw.On, ShowFooterLine: tw.On, ShowTop: tw.Off, ShowBottom: tw.Off},
			},
		})),
		tablewriter.WithAlignment(slices.Concat(tw.Alignment{tw.AlignLeft}, figures, tw.Alignment{tw.AlignLeft})),
		tablewriter.WithHeaderAutoFormat(tw.Off), tablewriter.WithFooterAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone), tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithFooterAutoWrap(tw.WrapNone),
	)
}

// cells returns the cells of a row. The text below the first cell comes last, cut to max(room, nameRunes).
func (t *printer) cells(r story.Row, room int) []string {
	cells := make([]string, len(r.Cells)+1)
	for i := range r.Cells {
		cells[i] = cellText(r, i)
	}
	cells[1] = t.options.paint(colorOf(r.Mark), cells[1])
	cells[len(r.Cells)] = show.CutEnd(r.Cells[0].Below.Plain(show.NameRunes), max(room, nameRunes))
	return cells
}

func cellText(r story.Row, i int) string {
	text := strings.ReplaceAll(r.Cells[i].Text.Plain(show.NameRunes), show.NoBreakSpace, " ")
	if i == 0 {
		return show.ShortName(text, nameRunes)
	}
	return text
}
