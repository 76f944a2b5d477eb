// Package story composes a run's report for people as one document, so that each sentence is written once. Packages
// comment, page and terminal print as much of it as they have room for.
package story

import (
	"slices"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// Story is a report with its cases sorted, and the document about it. Printers leave out its empty fields. A case that
// passes as before is in no list.
type Story struct {
	Report   *report.Report
	Links    show.Links
	Compared bool // with a base; otherwise every failing case is in Failing

	Regressed []report.Change
	Fell      []report.Change // fewer answers are right than on the base, and the score fell as a whole
	Failing   []report.Change // wrong answers that are no regression
	Missing   []report.Change // without an answer
	Worse     []report.Change // pass on both sides, with a lower score now
	Review    []report.Change // pass, but a person must check the answer; see ToReview
	Redefined []report.Change // redefined; fail the base's expectation or have another input
	Removed   []report.Change // removed; passed on the base
	Others    []report.Change // fixed, new, flaky, removed or redefined without harm
	Suites    []SuiteRow      // worst first

	places map[[2]string]int // of the report's changes, by suite and case

	State   string        // passed, warned for a pass that is worth a second look, failed, undecided or invalid
	Title   string        // the verdict and its cause, in at most TitleRunes characters of our own
	Summary []show.Phrase // what changed, the score before and now, what is needed, how sure it is
	Stands  show.Phrase   // what was compared with what, or why nothing was

	Measured    []show.Phrase // how noisy one revision is, if the run measured it
	Reasons     []Line        // broken conditions that no other part words
	Numbers     []Line        // broken conditions that another part words, with their figures
	Errors      Part          // errors in files, which prevented the run
	CameInstead Part          // what came in place of answers and prevented a verdict

	Wrong     Part         // the wrong answers that decide the verdict
	Lines     []WhichLines // the prompt lines that broke them
	Alike     Part         // what wrong answers have in common
	ToCheck   []Part       // answers that pass or flipped, and that a person must check
	CaseEdits Part         // edited and removed cases, which could hide a regression
	Proposed  Part         // settings that the change touches
	Next      []show.Phrase

	Scores     Part
	ScoreFirst bool // a printer shows the scores first, because they decided
	Prompts    Part
	OtherWrong Part   // other wrong answers
	Reworded   Part   // passing answers that changed in their words
	Harmless   Part   // what changed without harm
	Unanswered Part   // the cases without an answer
	Targets    []Part // their scores side by side
	Chance     Part   // how a change was distinguished from chance
	Metrics    []Part
	Risk       []Part
	Outcomes   Part
	Notes      Part
}

// Mark tells whether a line or a row is good or bad news.
type Mark string

// The marks.
const (
	Good Mark = "good"
	Bad  Mark = "bad"
	Warn Mark = "warn"
	Wait Mark = "wait" // undecided
	Open Mark = ""
)

// Icon returns a mark's emoji. It never stands alone, so no reader depends on it.
func (m Mark) Icon() string {
	return map[Mark]string{Good: "✅", Bad: "❌", Warn: "⚠️", Wait: "⏸️"}[m]
}

// Line is a sentence with a mark.
type Line struct {
	Mark Mark
	Text show.Phrase
	Case *report.Change // the case that the line is about; nil for none
}

// Part is a passage: its paragraphs, its list, its table and its cases, in this order.
type Part struct {
	Title string // words and numbers of ours
	Text  []show.Phrase
	Items []show.Phrase
	Table *Table
	Cases []report.Change // cases that are shown with their question and both answers
	Diffs []PromptDiff
}

// Empty reports whether a part has nothing but a title.
func (p Part) Empty() bool {
	return len(p.Text)+len(p.Items)+len(p.Cases)+len(p.Diffs) == 0 && (p.Table == nil || len(p.Table.Rows) == 0)
}

func nonEmpty(parts ...Part) []Part { return slices.DeleteFunc(parts, Part.Empty) }

// Table is a table of a part. Its first column is text; the others are figures, unless Words is set.
type Table struct {
	Header []string
	Words  bool
	Rows   []Row
	Last   *Row   // the row for all others together
	Open   int    // rows to show if there is no room for all; 0 leaves it to the printer
	Noun   string // the name of a row, to count omitted rows
}

// Row is a row of a table.
type Row struct {
	Mark  Mark
	Cells []Cell
	Drawn *Drawn // nil: there is nothing to draw
}

// Drawn has the shares of a row that a printer may draw on a scale, in addition to the figures. A missing share is nil.
type Drawn struct{ Now, Base, Need *float64 }

// Cell is a text of a table, and the text below it in smaller type.
type Cell struct{ Text, Below show.Phrase }

// mostRows is the largest number of rows of a table. No printer shows more.
const mostRows = 2_000

// rowsOf returns a row for each of the first mostRows elements.
func rowsOf[T any](all []T, row func(T) Row) (rows []Row) {
	for _, one := range all[:min(len(all), mostRows)] {
		rows = append(rows, row(one))
	}
	return rows
}

// rowOf returns a row of cells. A value is a Cell, a phrase or a part of one, or a text or figure of ours.
func rowOf(values ...any) (r Row) {
	for _, value := range values {
		cell, ok := value.(Cell)
		if !ok {
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

// Of composes the story of a report. The kinds of the report's changes must be set. l has the addresses of the report's
// files.
func Of(r *report.Report, l show.Links) *Story {
	v := sorted(r, l)
	v.State, v.Title, v.Stands = state(v), Title(v), comparison(v)
	v.Reasons, v.Numbers = reasons(v)
	v.Next, v.Notes, v.Lines = next(v), notes(v), whichLines(v)
	switch {
	case v.Report.Verdict == report.Invalid:
		v.Errors = fileErrors(v)
		return v
	case v.Has(gate.NoMerge.Code, report.LevelError):
		return v
	case v.Nothing():
		if !v.Has(gate.BaseFault.Code, report.LevelError) && !applies(v, gate.BypassedPrompt) {
			v.Summary = sentences("every prompt that a suite asks, every expectation and every recorded answer is as it was")
		}
		v.Proposed = proposed(v)
		return v
	}
	v.Summary, v.CameInstead = summary(v), missing(v)
	v.Wrong, v.OtherWrong = wrongAnswers(v)
	v.Alike, v.ToCheck, v.CaseEdits, v.Proposed = alike(v), toCheck(v), mayHide(v), proposed(v)
	v.Scores, v.ScoreFirst = scores(v), scoreDecides(v)
	v.Prompts, v.Targets, v.Reworded = prompts(v), targets(v), reworded(v)
	v.Harmless, v.Unanswered = others(v), unanswered(v)
	if v.Chance = chance(v, v.Numbers); measuring(v) {
		v.Measured, v.Chance.Text = v.Chance.Text, nil
	}
	v.Metrics, v.Risk, v.Outcomes = nonEmpty(metrics(v), suiteMetrics(v), needRun(v), meaningChecks(v)), nonEmpty(risks(v)...),
		outcomes(v)
	return v
}

// Icon returns the verdict's emoji. It never stands alone, so no reader depends on it.
func (v *Story) Icon() string {
	return map[string]string{"passed": "✅", "warned": "⚠️", "failed": "❌", "undecided": "⏸️", "invalid": "🚫"}[v.State]
}

func state(v *Story) string {
	switch d := v.Report.Verdict; d {
	case report.Passed, report.Failed, report.Undecided:
		if d == report.Passed && doubtful(v) {
			return "warned"
		}
		return string(d)
	}
	return "invalid"
}

// FileErrors returns the errors in the files of an invalid run.
func FileErrors(v *Story) []document.Diagnostic {
	return show.Those(v.Report.Diagnostics, func(d document.Diagnostic) bool { return d.Severity != document.Warning })
}

// FileWarnings returns the warnings about the files.
func FileWarnings(v *Story) []document.Diagnostic {
	return show.Those(v.Report.Diagnostics, func(d document.Diagnostic) bool { return d.Severity == document.Warning })
}
