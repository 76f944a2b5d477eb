package comment

import (
	"fmt"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
)

// missingRunes is how much is shown of what came instead of an answer.
const missingRunes = 220

// writeMissing counts what came instead of answers, so that an outage is not read as a worse prompt.
func (w *writer) writeMissing() {
	if w.Report.Verdict != report.Undecided || w.Report.Unscored+w.NotAsked() == 0 {
		return
	}
	causes := w.Came(func(o *report.Outcome) string {
		return view.MissingKind(o).Markdown(max(w.phraseRunes, missingRunes)) // our own sentences among them are never cut
	})
	var items []string
	for _, c := range causes[:min(len(causes), w.reasonRows)] {
		items = append(items, show.Grouped(c.Answers)+" × "+c.Text)
	}
	if left := len(causes) - len(items); left > 0 {
		items = append(items, fmt.Sprintf("… and %s other causes", show.Grouped(left)))
	}
	heading := "**This is no verdict on the prompts.**"
	if len(items) > 0 {
		heading += " What came in place of " + show.Count(w.Report.Unscored, "answer") + ":"
	}
	w.para(heading)
	w.list(items)
	w.writeNotAsked()
}

// writeNotAsked says suite by suite what the end of the run left unasked.
func (w *writer) writeNotAsked() {
	w.list(view.Listed(w.Unasked(), w.reasonRows, "suite", func(s report.SuiteSummary) string {
		return show.Linked(show.Suite(s.SuiteID), w.Links.File(w.Links.HeadSHA, s.Path, max(s.Line, 1))) + ": " + show.Count(s.NotAsked, "answer") + " not asked for"
	}))
}

// writeDiagnostics lists the faults that stopped the run, and what is only worth saying behind a fold.
func (w *writer) writeDiagnostics() {
	w.writeReasons()
	w.list(view.Listed(w.Faults(), w.faultRows, "fault", w.diagnostic))
	if warnings := w.FileWarnings(); len(warnings) > 0 {
		w.fold(show.Count(len(warnings), "warning"), func() { w.list(view.Listed(warnings, w.faultRows, "warning", w.diagnostic)) })
	}
}

func (w *writer) diagnostic(d document.Diagnostic) string {
	text := show.Inline(d.Message)
	if d.Path != "" {
		text = w.Links.Place(w.Links.HeadSHA, d.Path, d.Line, d.Column) + " " + text
	}
	// An icon stands first, because a name that begins a paragraph could make it a link definition.
	icon := "❌ "
	if d.Severity == document.Warning {
		icon = "⚠️ "
	}
	text = icon + text
	if d.Rule != "" {
		text += " (rule " + show.NameCode(d.Rule) + ")"
	}
	return text
}
