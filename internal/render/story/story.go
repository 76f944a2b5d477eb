// Package story composes the report of a run for people as one document, so that each sentence is written once. The
// packages comment, page and terminal print as much of the document as they have room for.
package story

import (
	"slices"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suiteid"
)

// Story is a report with its cases sorted into lists, and the document about it. Printers leave out empty fields. A
// case that passes as before is in no list.
type Story struct {
	Report   *report.Report
	Links    show.Links
	Compared bool // whether there is a base; if not, every failing case is in Failing

	Regressed []report.Change
	Fell      []report.Change // fewer answers are right than on the base, and the score fell as a whole
	Failing   []report.Change // wrong answers that are no regression
	Missing   []report.Change // no answer came
	Worse     []report.Change // pass on both sides, with a lower score now
	Review    []report.Change // pass, but a person must check the answer; see splitReview
	Redefined []report.Change // redefined; fail the base's expectation or have another input
	Removed   []report.Change // removed; passed on the base
	Others    []report.Change // fixed, new, flaky, removed or redefined without harm
	Suites    []SuiteRow      // worst first

	changeIndex map[suiteid.Name]int              // index in Report.Changes
	candidates  map[suiteid.Name]report.Candidate // what reruns show of the cases that flipped

	State   string        // passed, warned (passed, but with something to check), failed, undecided or invalid
	Title   string        // the verdict and its cause in at most TitleRunes runes; no text of a model
	Summary []show.Phrase // what changed, the score before and now, what is needed, how sure it is
	Stands  show.Phrase   // what was compared with what, or why nothing was compared

	Measured       []show.Phrase // how noisy one revision is, if the run measured it
	Reasons        []Line        // reasons of the gate that no other section gives in words
	CoveredReasons []Line        // reasons that another section gives in words; with their figures
	Errors         Section       // errors in files; they prevented the run

	CameInstead  Section       // what came in place of answers, so that there is no verdict
	Wrong        Section       // the wrong answers that decide the verdict
	Lines        []LineFinding // which lines of prompts broke the answers
	Alike        Section       // what wrong answers have in common
	ManualReview []Section     // answers that pass or flipped, and that a person must check
	CaseEdits    Section       // edited and removed cases, which could hide a regression
	Proposed     Section       // settings that the change touches
	Next         []show.Phrase

	Scores       Section
	ScoreFirst   bool // whether a printer shows the scores first, because they decided
	Prompts      Section
	OtherWrong   Section // other wrong answers
	Reworded     Section // passing cases whose answers changed in their words
	Harmless     Section // what changed without harm
	Unanswered   Section // what came in place of answers, where there is a verdict
	Targets      Section // the cases that some targets answer right and others wrong
	Chance       Section // how a change was distinguished from chance
	Metrics      []Section
	Risk         []Section
	Outcomes     Section
	Distribution Section // the cases by their scores
	Notes        Section
}

// Mark tells whether a line or a row is good or bad news.
type Mark string

// The marks.
const (
	Good   Mark = "good"
	Bad    Mark = "bad"
	Warn   Mark = "warn"
	Wait   Mark = "wait" // undecided
	NoMark Mark = ""
)

// Icon returns the emoji of the mark. An emoji never stands without text, so no reader depends on it.
func (m Mark) Icon() string {
	return map[Mark]string{Good: "✅", Bad: "❌", Warn: "⚠️", Wait: "⏸️"}[m]
}

// Line is a sentence with a mark.
type Line struct {
	Mark Mark
	Text show.Phrase
	Case *report.Change // the case that the line is about; nil for none
}

// Section is a passage of the document. Its paragraphs, its list, its table and its cases come in this order.
type Section struct {
	Title string // no text of a model
	Text  []show.Phrase
	Items []show.Phrase
	Table *Table
	Cases []report.Change // cases that are shown with their question and both answers
	Diffs []PromptDiff
}

// Empty reports whether the section has nothing, or only a title.
func (s Section) Empty() bool {
	return len(s.Text)+len(s.Items)+len(s.Cases)+len(s.Diffs) == 0 && (s.Table == nil || len(s.Table.Rows) == 0)
}

func nonEmpty(parts ...Section) []Section { return slices.DeleteFunc(parts, Section.Empty) }

// Table is a table of a section. Its first column is text. The other columns are figures, unless Words is true.
type Table struct {
	Header   []string
	Words    bool
	Rows     []Row
	Last     *Row   // the row for everything together, such as the run; nil: none
	Unfolded int    // number of rows to show if there is no room for all; 0: the printer decides
	Noun     string // what a row stands for, such as "case"; used to count omitted rows
}

// Row is a row of a table.
type Row struct {
	Mark  Mark
	Cells []Cell
	Scale *Scale // nil: there is nothing to draw
}

// Scale has the shares of a row that a printer may draw in addition to the figures. A missing share is nil.
type Scale struct{ Now, Base, Need *float64 }

// Cell is a text in a table. Below is a text below it in smaller type.
type Cell struct{ Text, Below show.Phrase }

// rowsOf returns row(element) for each element of all.
func rowsOf[T any](all []T, row func(T) Row) (rows []Row) {
	for _, one := range all {
		rows = append(rows, row(one))
	}
	return rows
}

// rowOf returns a row with a cell for each value: a Cell, a phrase, a part of one, or a text or figure of this program.
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

// removeBaseColumn removes the given column, which has the base's figures, unless compared is true.
func (t *Table) removeBaseColumn(column int, compared bool) *Table {
	if compared {
		return t
	}
	t.Header = slices.Delete(t.Header, column, column+1)
	for i := range t.Rows {
		t.Rows[i].Cells = slices.Delete(t.Rows[i].Cells, column, column+1)
	}
	return t
}

// New composes the story of the report r, whose changes must have kinds. l has the addresses of the files in r.
func New(r *report.Report, l show.Links) *Story {
	v := newStory(r, l)
	v.State, v.Title, v.Stands = state(v), Title(v), comparison(v)
	v.Reasons, v.CoveredReasons = reasons(v)
	v.Next, v.Notes, v.Lines = nextSteps(v), notes(v), lineFindings(v)
	switch {
	case v.Report.Verdict == report.Invalid:
		v.Errors.Items = show.MapPhrases(FileErrors(v), func(d document.Diagnostic) show.Phrase { return diagnostic(v, d) })
		return v
	case v.Has(gate.NoMerge.Code, report.LevelError):
		return v
	case v.NothingInScope():
		base := v.Report.Run.Base
		switch {
		case v.Has(gate.BaseFault.Code, report.LevelError), applies(v, gate.BypassedPrompt):
		case v.Compared && base != nil && base.SHA != "" && base.SHA == v.Report.Run.Head.SHA:
			v.Summary = sentences("the commit was compared with itself, so nothing was asked: scope `all` asks every case")
		default:
			v.Summary = sentences("what the suites of this run ask and expect, and their recorded answers, are as they were")
		}
		v.Proposed = changedSettings(v)
		return v
	}
	v.Summary = summary(v)
	v.Wrong, v.OtherWrong = wrongAnswers(v)
	v.Alike, v.ManualReview, v.CaseEdits, v.Proposed = similarFailures(v), manualReview(v), caseEdits(v),
		changedSettings(v)
	v.Scores, v.ScoreFirst = scores(v), scoreDecides(v)
	v.Prompts, v.Targets, v.Reworded = prompts(v), targets(v), reworded(v)
	if v.Harmless = harmless(v); v.Report.Verdict == report.Undecided {
		v.CameInstead = unanswered(v)
	} else {
		v.Unanswered = unanswered(v)
	}
	if v.Chance = statisticsSection(v, v.CoveredReasons); isMeasurement(v) {
		v.Measured, v.Chance.Text = v.Chance.Text, nil
	}
	v.Metrics, v.Risk, v.Outcomes = nonEmpty(metrics(v), suiteMetrics(v), unjudgedCriteria(v), meaningChecks(v)), nonEmpty(risks(v)...),
		outcomes(v)
	v.Distribution = distribution(v)
	return v
}

// Icon returns the emoji of the state. An emoji never stands without text, so no reader depends on it.
func (v *Story) Icon() string {
	return map[string]string{"passed": "✅", "warned": "⚠️", "failed": "❌", "undecided": "⏸️", "invalid": "🚫"}[v.State]
}

func state(v *Story) string {
	switch d := v.Report.Verdict; d {
	case report.Passed, report.Failed, report.Undecided:
		if d == report.Passed && needsCheck(v) {
			return "warned"
		}
		return string(d)
	}
	return "invalid"
}

// FileErrors returns the errors in files that made the run invalid.
func FileErrors(v *Story) []document.Diagnostic {
	return show.Filter(v.Report.Diagnostics, func(d document.Diagnostic) bool { return d.Severity != document.Warning })
}
