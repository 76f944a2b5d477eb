// Package terminal prints a story as plain text. The verdict comes last, so that the last screen shows what broke,
// why, and what to do next.
package terminal

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
	"github.com/failproof/failproof/internal/worddiff"
)

// Options are the abilities of a terminal.
type Options struct {
	Color  bool
	Width  int                      // columns; 0 means 80
	Source func(path string) string // returns the text of a file, to show the line of an error; nil: not available
}

// Limits of the output; the comment and report.json have more.
const (
	minWidth    = 60 // the smallest width for the layout of a table
	fewCases    = 5  // a list of up to this many is shown whole; a longer one shows a case for each cause
	causesShown = 10
	namesShown  = 5   // other cases of a cause
	rowsShown   = 10  // of a list
	suitesShown = 25  // of more suites, those with nothing to report are only counted
	headRunes   = 130 // of a question, and of a wrong answer beside its case
)

// WriteLines prints which changed lines broke a case.
func WriteLines(w io.Writer, s *story.Story, o Options) error {
	t := newPrinter(s, o)
	for _, one := range s.Lines {
		t.text("", one.Phrase.Plain(show.QuoteRunes))
	}
	if len(s.Lines) == 0 {
		t.line("No case is right on the base and wrong on the head.")
	}
	return t.flush(w)
}

// Write writes a story for a terminal.
func Write(w io.Writer, s *story.Story, o Options) error {
	t := newPrinter(s, o)
	t.details()
	t.list(s.Wrong)
	for _, p := range s.ManualReview {
		t.list(p)
	}
	t.list(s.CaseEdits)
	t.list(story.Section{Title: "removed, passed before", Cases: s.Removed})
	t.items("", s.Proposed.Items)
	t.verdict()
	return t.flush(w)
}

type printer struct {
	out     strings.Builder
	story   *story.Story
	options Options
}

func newPrinter(s *story.Story, o Options) *printer {
	o.Width = max(cmp.Or(o.Width, 80), minWidth)
	return &printer{story: s, options: o}
}

// flush writes the collected text through a StyledLogWriter, because GitHub's runner may read this stream and would
// carry out workflow commands in it. Quoted text contains no escape characters.
func (t *printer) flush(w io.Writer) error {
	_, err := io.WriteString(show.StyledLogWriter(w), t.out.String())
	return err
}

// details prints the errors of the files, or the scores and other figures.
func (t *printer) details() {
	if t.story.Report.Verdict == report.Invalid {
		t.line(show.Diagnostics(t.story.Report.Diagnostics, t.options.Source))
		return
	}
	if !t.story.Scores.Empty() {
		t.scoreTable(t.story.Scores.Table)
		t.paragraph(t.story.Scores.Text)
	}
	for _, p := range t.story.Risk {
		t.paragraph(p.Text)
	}
	t.list(t.story.OtherWrong)
	t.tableLines(t.story.Harmless)
	t.titledItems(t.story.Unanswered)
	t.items("", t.story.Chance.Items)
	t.paragraph(t.story.Chance.Text)
	t.items("note: ", t.story.Notes.Items)
	if t.story.Compared && t.story.Report.Run.LeftOut > 0 {
		t.paragraph([]show.Phrase{t.story.Stands})
	}
}

// verdict prints the last screen.
func (t *printer) verdict() {
	for _, l := range t.story.Lines {
		t.headed("which line:", l.Phrase, "")
	}
	for _, p := range t.story.Alike.Items {
		t.headed("alike:", p, "")
	}
	color := map[string]string{"passed": green, "failed": red, "invalid": red, "warned": yellow, "undecided": yellow}[t.story.State]
	t.line(t.options.paint(color, t.story.Icon()+" "+t.story.Title))
	t.paragraph(t.story.Measured)
	if len(t.story.Summary) > 0 {
		t.text("  ", show.JoinPhrases(" · ", t.story.Summary).Plain(show.QuoteRunes))
	}
	for _, l := range t.story.Reasons {
		t.headed(map[story.Mark]string{story.Bad: "failed:", story.Warn: "warning:",
			story.Wait: "undecided:"}[l.Mark], l.Text, colorOf(l.Mark))
	}
	t.titledItems(t.story.CameInstead)
	if !t.story.Compared && len(t.story.Stands) > 0 {
		t.text("", t.story.Stands.Plain(show.QuoteRunes))
	}
	if next := show.JoinPhrases(" ", t.story.Next); len(next) > 0 {
		t.headed("next:", next, "")
	}
}

// list prints the cases of a part. If there are many, it prints one case for each cause, so that a frequent cause does
// not hide the rest.
func (t *printer) list(p story.Section) {
	if len(p.Cases) == 0 {
		return
	}
	t.text("", show.Capital(p.Title))
	if len(p.Cases) <= fewCases {
		for _, c := range p.Cases {
			t.oneCase(c)
		}
		t.line("")
		return
	}
	causes := story.GroupBy(p.Cases, func(c report.Change) string {
		return t.story.PlainOutcomes(c) + ": " + t.story.ResultReason(c).Shape()
	})
	left := len(p.Cases)
	for _, cause := range causes[:min(len(causes), causesShown)] {
		t.oneCase(cause[0])
		left -= len(cause)
		if more := cause[1:]; len(more) > 0 {
			t.line("    " + show.WithCommas(len(more)) + " more like it:")
			for _, c := range more[:min(len(more), namesShown)] {
				t.line("      " + caseLocation(c) + show.When(c.MustPass, ", must never break"))
			}
			t.more("      ", len(more)-namesShown, "")
		}
	}
	t.more("  ", left, "")
	t.line("")
}

// more prints how many of something were left out, after an indentation and before what they are.
func (t *printer) more(indent string, left int, what string) {
	if left > 0 {
		t.line(indent + "… and " + show.WithCommas(left) + " more" + what)
	}
}

func caseLocation(c report.Change) string {
	name := show.ShortName(show.Case(c.SuiteID, c.CaseID), show.NameRunes)
	if c.Path == "" {
		return name
	}
	return show.LogLine(fmt.Sprintf("%s:%d", c.Path, max(c.Line, 1))) + " " + name
}

func (t *printer) oneCase(c report.Change) {
	t.line("  " + show.Join(", ", caseLocation(c), show.CutEnd(show.OneLine(c.Severity), show.NameRunes),
		show.When(c.MustPass, "must never break")))
	text := show.Why(t.story.PlainOutcomes(c), t.story.ResultReason(c).Plain(show.QuoteRunes))
	t.text("    ", text)
	edits := story.Edits(c)
	if asked := show.Excerpt(string(c.Input), headRunes); asked != "" &&
		(len(edits) == 0 || edits[0].Label != story.AskedBefore) {
		t.text("    ", "asked: “"+asked+"”")
	}
	for _, e := range edits {
		t.text("    ", strings.ToLower(e.Label)+": "+e.Text.Plain(headRunes))
	}
	if c.Head == nil || !c.Head.Wrong() && !slices.Contains([]report.Kind{report.KindWorse, report.KindReview,
		report.KindMayHide}, c.Kind) {
		return
	}
	if answer := answerOf(t.story, c); answer != "" && !strings.Contains(text, answer) {
		t.text("    ", "answer: “"+answer+"”")
	}
}

// answerOf returns a part of the head's answer on one line: the beginning, or the part in which both answers differ.
func answerOf(s *story.Story, c report.Change) string {
	now := string(c.Head.Excerpt)
	if s.Compared && c.Base != nil && c.Base.Excerpt != c.Head.Excerpt {
		if before := string(c.Base.Excerpt); strings.HasPrefix(before, text.FirstRunes(now, headRunes/2)) {
			_, now = worddiff.ShortenAround(show.OneLine(before), show.OneLine(now), headRunes, headRunes)
			return now
		}
	}
	return show.Excerpt(now, headRunes)
}

// tableLines prints a section, with each item and each row of its table on a line of its own.
func (t *printer) tableLines(p story.Section) {
	if p.Empty() {
		return
	}
	t.text("", show.Capital(p.Title))
	for _, item := range p.Items[:min(len(p.Items), rowsShown)] {
		t.text("  ", item.Plain(show.SentenceRunes))
	}
	t.more("  ", len(p.Items)-rowsShown, "")
	data := p.Table
	for _, r := range data.Rows[:min(len(data.Rows), rowsShown)] {
		cells := make([]string, len(r.Cells))
		for i, c := range r.Cells {
			cells[i] = show.Join("; ", c.Text.Plain(show.SentenceRunes), c.Below.Plain(show.SentenceRunes))
		}
		t.text("  ", strings.Join(cells, " — "))
	}
	t.more("  ", len(data.Rows)-rowsShown, "")
	t.line("")
}

// titledItems prints the list of a section below its title.
func (t *printer) titledItems(p story.Section) {
	if len(p.Items) > 0 {
		t.text("", p.Title)
		t.items("", p.Items)
	}
}

// items prints the first items of a list, one a line. Each line begins with word.
func (t *printer) items(word string, all []show.Phrase) {
	for _, p := range all[:min(len(all), rowsShown)] {
		t.line(t.wrap(word+show.When(word == "", "- ")+p.Plain(show.SentenceRunes), 0, "  "))
	}
	t.more("", len(all)-rowsShown, " in report.json")
	if len(all) > 0 {
		t.line("")
	}
}

func (t *printer) paragraph(all []show.Phrase) {
	if len(all) > 0 {
		t.text("", show.JoinPhrases(" ", all).Plain(show.QuoteRunes))
		t.line("")
	}
}

func (t *printer) line(text string) { t.out.WriteString(text + "\n") }

func (t *printer) text(indent, text string) { t.line(indent + t.wrap(text, len(indent), indent)) }

// headed prints a phrase after a colored word.
func (t *printer) headed(word string, p show.Phrase, color string) {
	t.line(t.options.paint(color, word) + " " +
		strings.TrimSpace(t.wrap(p.Plain(show.SentenceRunes), len(word)+1, "  ")))
}

// wrap wraps a text to the terminal's width. The first line is shorter by offset columns, and others begin with indent.
func (t *printer) wrap(text string, offset int, indent string) string {
	return strings.Join(show.WrapLine(text, t.options.Width-offset, t.options.Width-len(indent)), "\n"+indent)
}

// ANSI colors (ECMA-48, SGR).
const (
	red    = "31"
	green  = "32"
	yellow = "33"
)

func (o Options) paint(color, text string) string {
	if !o.Color || text == "" || color == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

func colorOf(m story.Mark) string {
	return map[story.Mark]string{story.Bad: red, story.Warn: yellow, story.Wait: yellow, story.Good: green}[m]
}

// nameRunes is the length of names in the first column if the table is wide enough.
const nameRunes = 24

// scoreTable prints a table. Its last column has the texts that other media show below the first cells.
func (t *printer) scoreTable(data *story.Table) {
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
		_ = table.Append(t.options.cells(r, room)) // it takes every list of texts
	}
	table.Footer(t.options.cells(*data.Last, room))
	_ = table.Render() // into memory
	for line := range strings.SplitSeq(strings.TrimRight(out.String(), "\n"), "\n") {
		t.line(strings.TrimRight(line, " "))
	}
	t.more(" ", len(data.Rows)-len(shown), "")
	t.line("")
}

// newTable returns a table without borders. Between columns of names and of words, it has columns of figures.
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
func (o Options) cells(r story.Row, room int) []string {
	cells := make([]string, len(r.Cells)+1)
	for i := range r.Cells {
		cells[i] = cellText(r, i)
	}
	cells[1] = o.paint(colorOf(r.Mark), cells[1])
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
