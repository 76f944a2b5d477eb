// Package comment prints a view as Markdown for GitHub: the comment, the job summary and the check run. It decides nothing and does no I/O.
package comment

import (
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
)

// Markdown returns the comment as Markdown, without the publisher's mark and the run facts, with which it stays below 60,000
// bytes. It ends in one line feed and says nothing that differs between two runs of the same revisions.
func Markdown(v *view.View) string {
	return fit(v, commentSizes(), commentBytes, (*writer).withHeading)
}

// Summary returns the job summary, complete as far as 900 KiB hold it, with the run facts.
func Summary(v *view.View) string {
	facts := Facts(v)
	text := fit(v, summarySizes(), summaryBytes-len(facts)-1, (*writer).withHeading)
	if facts == "" {
		return text
	}
	return text + "\n" + facts
}

// CheckSummary returns the text of a check run, of at most 65,000 bytes; Title is its heading.
func CheckSummary(v *view.View) string {
	return fit(v, commentSizes(), checkBytes, (*writer).body)
}

// writer writes one page of a view.
type writer struct {
	page
	*view.View
	size
}

// fit writes the page in the first size that is short enough. The last size always is.
func fit(v *view.View, sizes []size, limit int, write func(*writer)) string {
	text := ""
	for _, s := range sizes {
		w := &writer{View: v, size: s}
		write(w)
		if text = w.text(); len(text) <= limit {
			break
		}
	}
	return text
}

func (w *writer) withHeading() {
	w.para("## " + w.Icon() + " " + w.Title())
	w.body()
}

func (w *writer) body() {
	switch {
	case w.Report.Verdict == report.Invalid:
		w.writeDiagnostics()
	case w.Has(report.CodeNoMerge, report.LevelError):
		w.writeReasons()
	case w.Nothing():
		w.writeReasons()
		if !w.Has("base_fault", report.LevelError) && !w.Has(report.CodeDeserted, report.LevelError) && !w.Has(report.CodeDeserted, report.LevelWarn) {
			w.para("This change leaves every prompt, every expectation and every recorded answer as it was.")
		}
		w.writePolicy()
	default:
		w.writeVerdict()
	}
	w.writeWarnings()
	w.writeNext()
	w.writeFooter()
}

// writeVerdict says what happened to users, and then the figures.
func (w *writer) writeVerdict() {
	w.writeOpening()
	w.writeReasons()
	w.writeMissing()
	w.writeWrong()
	w.writeLines()
	w.writeAlike()
	w.writeLook()
	w.writeDisguised()
	w.writePolicy()
	w.writeScores()
	w.foldTargets()
	w.foldPrompts()
	w.foldFailing()
	w.writeOthers()
	w.foldChance()
	w.writeMetrics()
	w.writeRisk()
	w.writeOutcomes()
}
