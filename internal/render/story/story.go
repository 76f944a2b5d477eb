// Package story composes what people are told of a run: one document, whose sentences are written once. The comment,
// the page and the terminal print it, each what it has room for; none of them imports another.
package story

import (
	"slices"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
)

// Story is the document. Whatever is empty has nothing to say.
type Story struct {
	*view.View
	State   string        // passed, warned for a pass that is worth a second look, failed, undecided or invalid
	Title   string        // the verdict and its cause, in at most TitleRunes characters of our own
	Summary []show.Phrase // what changed, the score before and now, what is needed, how sure it is
	Stands  show.Phrase   // what was compared with what, or why nothing was

	Measured    []show.Phrase // how noisy one revision is, if that was asked
	Reasons     []Line        // the conditions that were not met and that nothing else says in words
	Numbers     []Line        // those that something else says in words, with their figures
	Errors      Part          // in files, because of which nothing was run
	CameInstead Part          // what came in place of answers, because of which there is no verdict

	Wrong    Part         // the answers by which the change is judged
	Lines    []WhichLines // the prompt lines that broke them
	Alike    Part         // what they have in common
	Look     []Part       // answers that pass or flipped, at which a person has to look
	Hiding   Part         // cases by which a regression could be hidden
	Proposed Part         // settings that the change proposes
	Next     []show.Phrase

	Scores     Part
	ScoreFirst bool // the scores are what decided, or all there is
	Prompts    Part
	OtherWrong Part   // other wrong answers
	Reworded   Part   // passing answers that changed in their words
	Harmless   Part   // what changed without harm
	Unanswered Part   // the cases without an answer
	Targets    []Part // side by side
	Chance     Part   // how a change was told from chance
	Metrics    []Part
	Risk       []Part
	Outcomes   Part
	Notes      Part
}

// Mark says how a line or a row is meant.
type Mark string

// The marks.
const (
	Good Mark = "good"
	Bad  Mark = "bad"
	Warn Mark = "warn"
	Wait Mark = "wait" // undecided
	Open Mark = ""
)

// Icon is a mark as a sign, which never stands alone.
func (m Mark) Icon() string {
	return map[Mark]string{Good: "✅", Bad: "❌", Warn: "⚠️", Wait: "⏸️"}[m]
}

// Line is a sentence with a mark.
type Line struct {
	Mark Mark
	Text show.Phrase
	Case *report.Change // that it is about; nil for none
}

// Part is a passage: its paragraphs, its list, its table and its cases, in this order.
type Part struct {
	Title string // words and numbers of ours
	Text  []show.Phrase
	Items []show.Phrase
	Table *Table
	Cases []report.Change // of which the question and both answers are shown
	Diffs []PromptDiff
}

// Empty reports a part without anything to say.
func (p Part) Empty() bool {
	return len(p.Text)+len(p.Items)+len(p.Cases)+len(p.Diffs) == 0 && (p.Table == nil || len(p.Table.Rows) == 0)
}

func nonEmpty(parts ...Part) []Part { return slices.DeleteFunc(parts, Part.Empty) }

// Table has a row for each of some things. Its first column is text; the others are figures, unless Words is set.
type Table struct {
	Header []string
	Words  bool
	Rows   []Row
	Last   *Row   // the sum of all
	Open   int    // rows that come first if there is little room; 0 for no more than others
	Noun   string // of a row, to count those that are left out
}

// Row is a row of a table.
type Row struct {
	Mark  Mark
	Cells []Cell
	Drawn *Drawn // nil: there is nothing to draw
}

// Drawn are shares that a printer may draw on a line, beside the same as figures; nil for one that is missing.
type Drawn struct{ Now, Base, Need *float64 }

// Cell is a text of a table, and what stands below it in smaller type.
type Cell struct{ Text, Below show.Phrase }

// mostRows bounds a table: no printer shows more.
const mostRows = 2_000

// rowsOf makes the rows of a table.
func rowsOf[T any](all []T, row func(T) Row) (rows []Row) {
	for _, one := range all[:min(len(all), mostRows)] {
		rows = append(rows, row(one))
	}
	return rows
}

// rowOf returns a row of cells. A value is a Cell, a phrase or a part of one, or a text or figure of ours.
func rowOf(values ...any) (r Row) {
	for _, value := range values {
		cell, is := value.(Cell)
		if !is {
			cell.Text = show.Phrasef("%v", value)
		}
		r.Cells = append(r.Cells, cell)
	}
	return r
}

// withoutBase removes the column of the base's figures, unless there is a base.
func (t *Table) withoutBase(column int, compared bool) *Table {
	if compared {
		return t
	}
	t.Header = slices.Delete(t.Header, column, column+1)
	for i := range t.Rows {
		t.Rows[i].Cells = slices.Delete(t.Rows[i].Cells, column, column+1)
	}
	return t
}

// Of composes the story of a report.
func Of(v *view.View) *Story {
	s := &Story{View: v, State: state(v), Title: Title(v), Stands: comparison(v)}
	s.Reasons, s.Numbers = reasons(v)
	s.Next, s.Notes, s.Lines = next(v), notes(v), whichLines(v)
	switch {
	case v.Report.Verdict == report.Invalid:
		s.Errors = fileErrors(v)
		return s
	case v.Has(gate.NoMerge.Code, report.LevelError):
		return s
	case v.Nothing():
		if !v.Has(gate.BaseFault.Code, report.LevelError) && !applies(v, gate.DesertedPrompt) {
			s.Summary = sentences("every prompt that a suite asks, every expectation and every recorded answer is as it was")
		}
		s.Proposed = proposed(v)
		return s
	}
	s.Summary, s.CameInstead = summary(v), missing(v)
	s.Wrong, s.OtherWrong = wrongAnswers(v)
	s.Alike, s.Look, s.Hiding, s.Proposed = alike(v), look(v), weakened(v), proposed(v)
	s.Scores, s.ScoreFirst = scores(v), scoreDecides(v)
	s.Prompts, s.Targets, s.Reworded = prompts(v), targets(v), reworded(v)
	s.Harmless, s.Unanswered = others(v), unanswered(v)
	if s.Chance = chance(v, s.Numbers); measuring(v) {
		s.Measured, s.Chance.Text = s.Chance.Text, nil
	}
	s.Metrics, s.Risk, s.Outcomes = nonEmpty(metrics(v), suiteMetrics(v), needRun(v), meaningChecks(v)), nonEmpty(risks(v)...),
		outcomes(v)
	return s
}

// Icon is the verdict as a sign, which never stands alone.
func (s *Story) Icon() string {
	return map[string]string{"passed": "✅", "warned": "⚠️", "failed": "❌", "undecided": "⏸️", "invalid": "🚫"}[s.State]
}

func state(v *view.View) string {
	switch d := v.Report.Verdict; d {
	case report.Passed, report.Failed, report.Undecided:
		if d == report.Passed && doubtful(v) {
			return "warned"
		}
		return string(d)
	}
	return "invalid"
}

// FileErrors are what is wrong with the files of an invalid run.
func FileErrors(v *view.View) []document.Diagnostic {
	return show.Those(v.Report.Diagnostics, func(d document.Diagnostic) bool { return d.Severity != document.Warning })
}

// FileWarnings are what is only worth saying of the files.
func FileWarnings(v *view.View) []document.Diagnostic {
	return show.Those(v.Report.Diagnostics, func(d document.Diagnostic) bool { return d.Severity == document.Warning })
}
