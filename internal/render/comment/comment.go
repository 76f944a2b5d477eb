// Package comment prints a story as GitHub's Markdown: the comment on a pull request, the text of a check run and the
// job summary. It prints first what failed, then what to do, and folds the rest.
package comment

import (
	"cmp"
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
)

// Markdown returns the comment. Together with the publisher's mark and the run's facts, it stays below 60,000 bytes. It
// ends in one line feed, and any two runs of the same revisions give the same comment.
func Markdown(s *story.Story) string {
	return fit(s, heading(s), commentSizes, commentBytes)
}

// heading returns the first line, which names the run if a pull request has several.
func heading(s *story.Story) string { return "## " + s.Icon() + " " + runName(s) + s.Title }

func runName(s *story.Story) string {
	return show.When(s.Links.Name != "", show.Code(s.Links.Name)+": ")
}

// Undecided returns how the comment of a run with the same name begins that has no verdict.
func Undecided(s *story.Story) string { return "## ⏸️ " + runName(s) + "No verdict" }

// Summary returns the job summary with the run's facts. The summary is shortened if it is longer than 900 KiB.
func Summary(s *story.Story) string {
	facts := Facts(s)
	text := fit(s, heading(s), summarySizes, summaryBytes-len(facts)-1)
	return text + show.When(facts != "", "\n"+facts)
}

// CheckSummary returns the text of a check run, at most 65,000 bytes. The check run itself has the story's title.
func CheckSummary(s *story.Story) string { return fit(s, "", commentSizes, checkBytes) }

// Facts returns a line with the run's calls and cost. The publisher appends it to the comment, because this line
// differs from run to run and the comment does not.
func Facts(s *story.Story) string {
	var facts []string
	for _, f := range story.RunFacts(s.Report) {
		facts = append(facts, f.Value.Markdown(show.NameRunes))
	}
	text := show.Join(" · ", strings.Join(facts, " · "), show.When(s.Links.Run() != "", "[full report]("+
		s.Links.Run()+")"))
	return show.When(text != "", "<sub>"+text+"</sub>\n")
}

// Limits in bytes. GitHub documents 65,536 characters for a comment, and 60,000 bytes are always within that limit. A
// check run's output is limited to 65,535 bytes. GitHub drops a job summary above 1 MiB.
const (
	commentBytes = 60_000 - 1_024 - 512 // minus the publisher's mark and the run's facts
	checkBytes   = 65_000
	summaryBytes = 900 << 10
)

// size says how much of a story is printed. All fields except detailLevel are limits.
type size struct {
	rows        int // rows of a table, or items of a list
	unfolded    int // rows of a table above the fold
	cards       int // cases that are shown with their answers
	answer      int // runes of an answer
	phrase      int // runes of each part of a sentence that is not our own text
	detailLevel int // 2: all details; 1: without those that are only numbers; 0: only the scores
}

// The sizes from the whole story to the smallest. Each omits one thing more, and the last fits every report.
var (
	commentSizes = []size{
		{60, 15, 10, 700, show.QuoteRunes, 2},
		{60, 15, 10, 700, show.QuoteRunes, 1},
		{30, 15, 10, 400, show.QuoteRunes, 1},
		{30, 15, fewCases, 300, show.QuoteRunes, 1},
		{15, 10, 0, 0, show.QuoteRunes, 1},
		{10, 10, 0, 0, show.NameRunes, 0},
	}
	summarySizes = append([]size{
		{2_000, 2_000, 2_000, 1_200, 2 * show.QuoteRunes, 2},
		{2_000, 2_000, 2_000, 400, 2 * show.QuoteRunes, 2},
		{500, 500, 200, 400, 2 * show.QuoteRunes, 2},
		{500, 500, 0, 0, 2 * show.QuoteRunes, 1},
		{100, 100, 0, 0, show.QuoteRunes, 1},
	}, commentSizes[len(commentSizes)-1])
)

// fewCases is the largest number of wrong answers that are shown as cards above the fold. More are shown as a table.
const fewCases = 5

// fit returns the story below heading, printed in the first of sizes that keeps the text within limit bytes. The last
// size keeps every story within the limit.
func fit(s *story.Story, heading string, sizes []size, limit int) string {
	text := ""
	for i, one := range sizes {
		w := &writer{story: s, size: one, shortened: i > 0}
		w.paragraph(heading)
		w.body()
		if text = strings.TrimRight(w.out.String(), "\n") + "\n"; len(text) <= limit {
			break
		}
	}
	return text
}

// writer collects blocks of Markdown. Their texts are our own, or made inert.
type writer struct {
	out   strings.Builder
	story *story.Story
	size
	shortened bool // something was omitted for space
}

// body writes what happened and what to do, and then the details in a fold.
func (w *writer) body() {
	w.paragraph(show.Capital(show.JoinPhrases(" · ", w.story.Summary).Markdown(w.phrase)))
	for _, p := range w.story.Measured {
		w.paragraph(p.Markdown(w.phrase))
	}
	w.lines(w.story.Reasons)
	w.section(w.story.Errors, 0)
	w.titled(w.story.CameInstead, 0)
	title := w.story.Wrong.Title
	if len(w.story.Regressed) == len(w.story.Wrong.Cases) && w.story.Report.Verdict == report.Failed {
		title = "" // the comment's title counts them
	}
	w.cardsOrTable(w.story.Wrong, title, "What was asked and answered")
	if len(w.story.Lines) > 0 {
		w.paragraph("**Which line did it?**")
		w.list(show.MapPhrases(w.story.Lines, func(l story.LineFinding) show.Phrase { return l.Phrase }), w.rows)
	}
	w.section(w.story.Alike, 0)
	for _, p := range w.story.ManualReview {
		w.manualReview(p)
	}
	w.cardsOrTable(w.story.CaseEdits, w.story.CaseEdits.Title, "What was asked and expected")
	w.titled(w.story.Proposed, 0)
	if w.story.ScoreFirst {
		w.section(w.story.Scores, w.unfolded)
	}
	if next := show.JoinPhrases(" ", w.story.Next).Markdown(show.NameRunes); next != "" {
		w.paragraph("**Next:** " + next)
	}
	w.writeDetails()
	if !w.story.Compared || w.story.Report.Verdict == report.Invalid {
		w.paragraph(w.story.Stands.Markdown(w.phrase))
	}
	if w.shortened {
		w.paragraph("Shortened to fit: the full report has the rest.")
	}
}

func (w *writer) lines(all []story.Line) {
	w.list(show.MapPhrases(all, func(l story.Line) show.Phrase {
		item := show.Phrasef("%v %v", l.Mark.Icon(), l.Text)
		if c := l.Case; c != nil && c.Path != "" {
			item = show.Phrasef("%v (%v)", item, w.story.Links.Place(w.story.ShaOf(*c), c.Path, c.Line, 0))
		}
		return item
	}), min(w.rows, w.unfolded))
}

// cardsOrTable writes the cases of p. It writes a few cases as cards under title. It writes more cases as a table, with
// their cards in a fold titled foldTitle.
func (w *writer) cardsOrTable(p story.Section, title, foldTitle string) {
	n := len(p.Cases)
	switch {
	case p.Empty():
	case 0 < n && n <= fewCases && w.cards > 0 && len(p.Table.Rows) == n:
		if title != "" {
			w.paragraph("**" + title + "**")
		}
		w.cases(p.Cases)
	default:
		w.paragraph("### " + p.Title)
		w.table(p.Table, w.unfolded)
		w.writeFold(foldTitle, func() { w.cases(p.Cases) })
	}
}

// manualReview writes the answers in p, which a person must check, with their texts in a fold. If the run is undecided
// and there are only a few answers, their texts are not folded.
func (w *writer) manualReview(p story.Section) {
	w.paragraph("⚠️ **" + p.Title + "**")
	if w.story.Report.Verdict == report.Undecided && len(p.Cases) <= fewCases && w.cards > 0 {
		w.cases(p.Cases)
		return
	}
	w.list(p.Items, w.rows)
	w.writeFold(show.Agree(len(p.Cases), "The answer", "The answers"), func() { w.cases(p.Cases) })
}

// writeDetails writes the details in one fold, each below its title.
func (w *writer) writeDetails() {
	var parts []story.Section
	add := func(minDetails int, all ...story.Section) {
		for _, p := range all {
			if w.detailLevel >= minDetails && !p.Empty() {
				parts = append(parts, p)
			}
		}
	}
	if !w.story.ScoreFirst {
		add(0, w.story.Scores)
	}
	add(1, w.story.Prompts, w.story.OtherWrong, w.story.Reworded, w.story.Harmless, w.story.Unanswered, w.story.Chance, w.story.Targets)
	add(2, w.story.Metrics...)
	add(2, w.story.Risk...)
	add(1, w.story.Notes)
	if len(parts) == 0 {
		return
	}
	titles := show.MapPhrases(parts, func(p story.Section) show.Phrase { return show.LiteralPhrase(p.Title) })
	w.writeFold(show.JoinFirst(titlesInFold, " · ", " · ", titles).Markdown(w.phrase), func() {
		for _, p := range parts {
			w.titled(p, w.rows)
		}
		if w.story.Compared && w.story.Report.Verdict != report.Invalid {
			w.paragraph(w.story.Stands.Markdown(w.phrase))
		}
	})
}

// titlesInFold is the largest number of details that are named in the title of a fold.
const titlesInFold = 5

// titled writes a section below its title, unless it is empty.
func (w *writer) titled(p story.Section, limit int) {
	if !p.Empty() {
		w.paragraph("**" + p.Title + "**")
		w.section(p, limit)
	}
}

// section writes a section of the story. Its table has at most limit rows.
func (w *writer) section(p story.Section, limit int) {
	for _, text := range p.Text {
		w.paragraph(text.Markdown(w.phrase))
	}
	w.list(p.Items, w.rows)
	if p.Table != nil {
		w.table(p.Table, limit)
	} else { // a table has a row for each case
		w.cases(p.Cases)
	}
	for _, d := range p.Diffs {
		w.paragraph(d.Lead.Markdown(w.phrase))
		if len(d.Lines) > 0 {
			w.out.WriteString(show.Diff(d.Lines) + "\n")
		}
		if d.Omitted > 0 {
			w.paragraph("… and " + show.Count(d.Omitted, "more line") + ".")
		}
	}
}

func (w *writer) paragraph(text string) {
	if text != "" {
		w.out.WriteString(text + "\n\n")
	}
}

// writeFold writes what body writes in a fold with the given summary. The summary must be our own words and numbers. If
// body writes nothing, there is no fold.
func (w *writer) writeFold(summary string, body func()) {
	before := w.out.String()
	w.out.WriteString("<details><summary>" + summary + "</summary>\n\n")
	opened := w.out.Len()
	if body(); w.out.Len() == opened {
		w.out.Reset()
		w.out.WriteString(before)
		return
	}
	w.out.WriteString("</details>\n\n")
}

// list writes the first limit items and the number of the others. It truncates those parts of an item that are not our
// own text, and truncates them more in a comment without details.
func (w *writer) list(items []show.Phrase, limit int) {
	runes := show.SentenceRunes
	if w.detailLevel == 0 {
		runes = show.NameRunes
	}
	for _, item := range items[:min(len(items), limit)] {
		w.out.WriteString("- " + cmp.Or(item.Markdown(runes), show.Absent) + "\n")
	}
	if left := len(items) - limit; left > 0 {
		w.out.WriteString("- … and " + show.WithCommas(left) + " more\n")
	}
	if len(items) > 0 {
		w.out.WriteByte('\n')
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
	w.out.WriteString("|" + strings.Join(rule, "|") + "|\n")
	for _, r := range t.Rows[:min(len(t.Rows), limit)] {
		w.row(cells(r, min(w.phrase, whyRunes)))
	}
	if t.Last != nil {
		w.row(cells(*t.Last, min(w.phrase, whyRunes)))
	}
	w.out.WriteByte('\n')
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
		w.out.WriteString("| " + show.EscapeBars(c) + " ")
	}
	w.out.WriteString("|\n")
}
