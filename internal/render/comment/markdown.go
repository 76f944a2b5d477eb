package comment

import (
	"cmp"
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
)

func (w *writer) paragraph(text string) {
	if text != "" {
		w.WriteString(text + "\n\n")
	}
}

// writeFold writes what body writes in a fold with the given summary. The summary must be our own words and numbers. If
// body writes nothing, there is no fold.
func (w *writer) writeFold(summary string, body func()) {
	before := w.String()
	w.WriteString("<details><summary>" + summary + "</summary>\n\n")
	opened := w.Len()
	if body(); w.Len() == opened {
		w.Reset()
		w.WriteString(before)
		return
	}
	w.WriteString("</details>\n\n")
}

// list writes the first limit items and the number of the others. It truncates those parts of an item that are not our
// own text, and truncates them more in a comment without details.
func (w *writer) list(items []show.Phrase, limit int) {
	runes := show.SentenceRunes
	if w.detailLevel == 0 {
		runes = show.NameRunes
	}
	for _, item := range items[:min(len(items), limit)] {
		w.WriteString("- " + cmp.Or(item.Markdown(runes), show.Absent) + "\n")
	}
	if left := len(items) - limit; left > 0 {
		w.WriteString("- … and " + show.WithCommas(left) + " more\n")
	}
	if len(items) > 0 {
		w.WriteByte('\n')
	}
}

// whyRunes is the largest number of runes, in a table cell, of a part that is not our own text. A cell is narrow.
const whyRunes = 70

// table writes the first limit rows of t and the number of the others. It writes nothing for a table without rows.
func (w *writer) table(t *story.Table, limit int) {
	if len(t.Rows) == 0 {
		return
	}
	if t.Unfolded > 0 && t.Unfolded < len(t.Rows) && len(t.Rows) > w.unfolded {
		limit = min(limit, max(t.Unfolded, 1))
	}
	header, rule := make([]string, len(t.Header)), make([]string, len(t.Header))
	for i, name := range t.Header {
		header[i], rule[i] = show.Inline(name), show.If(i == 0 || t.Words, ":--", "--:")
	}
	w.row(header)
	w.WriteString("|" + strings.Join(rule, "|") + "|\n")
	for _, r := range t.Rows[:min(len(t.Rows), limit)] {
		w.row(cells(r, min(w.phrase, whyRunes)))
	}
	if t.Last != nil {
		w.row(cells(*t.Last, min(w.phrase, whyRunes)))
	}
	w.WriteByte('\n')
	if left := len(t.Rows) - limit; left > 0 {
		w.paragraph("… and " + show.Count(left, "more "+t.Noun) + " in the full report.")
	}
}

// cells returns the cells of row r as Markdown, with each part that is not our own text truncated to the given number
// of runes. The text below a cell is in small type.
func cells(r story.Row, runes int) []string {
	cells := make([]string, len(r.Cells))
	for i, c := range r.Cells {
		text, below := c.Text.Markdown(runes), c.Below.Markdown(runes)
		if text != "" && below != "" {
			below = "<br><sub>" + below + "</sub>"
		}
		cells[i] = text + below
	}
	if icon := r.Mark.Icon(); icon != "" {
		cells[0] = icon + show.NoBreakSpace + cells[0]
	}
	return cells
}

func (w *writer) row(cells []string) {
	for _, c := range cells {
		w.WriteString("| " + show.EscapeBars(c) + " ")
	}
	w.WriteString("|\n")
}
