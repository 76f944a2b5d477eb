// Package render prints a report: the comment, the job summary, the check run, annotations, the page for a browser, files for
// other tools, a terminal's table and lines of a log. It is the only printer of what a model or a file wrote: in goes a report, out comes text in which nothing
// foreign is a link, a mention, HTML, a command of the runner or an invisible character. It decides nothing and does no
// I/O but to the writer it is given.
package render

import (
	"github.com/failproof/failproof/internal/report"
)

// Comment returns the comment as Markdown, without the publisher's mark and the run facts, with which it stays below 60,000
// bytes. It ends in one line feed and says nothing that differs between two runs of the same revisions.
func Comment(r *report.Report, l Links) string {
	v := newView(r, l)
	return fit(v, commentSizes(), commentBytes, (*writer).withHeading)
}

// Summary returns the job summary, complete as far as 900 KiB hold it, with the run facts.
func Summary(r *report.Report, l Links) string {
	v := newView(r, l)
	facts := Facts(r, l)
	text := fit(v, summarySizes(), summaryBytes-len(facts)-1, (*writer).withHeading)
	if facts == "" {
		return text
	}
	return text + "\n" + facts
}

// CheckSummary returns the text of a check run, of at most 65,000 bytes; Title is its heading.
func CheckSummary(r *report.Report, l Links) string {
	v := newView(r, l)
	return fit(v, commentSizes(), checkBytes, (*writer).body)
}

// writer writes one page of a view.
type writer struct {
	page
	*view
	size
}

// fit writes the page in the first size that is short enough. The last size always is.
func fit(v *view, sizes []size, limit int, write func(*writer)) string {
	text := ""
	for _, s := range sizes {
		w := &writer{view: v, size: s}
		write(w)
		if text = w.text(); len(text) <= limit {
			break
		}
	}
	return text
}

func (w *writer) withHeading() {
	w.para("## " + w.icon() + " " + w.title())
	w.body()
}

func (w *writer) body() {
	switch {
	case w.r.Verdict == report.Invalid:
		w.writeDiagnostics()
	case w.has(report.CodeNoMerge, report.LevelError):
		w.writeReasons()
	case w.nothing():
		w.writeReasons()
		if !w.has("base_fault", report.LevelError) {
			w.para("This change leaves every prompt, every expectation and every recorded answer as it was.")
		}
		w.writePolicy()
	default:
		w.writeVerdict()
	}
	w.writeWarnings()
	w.writeFooter()
}

func (w *writer) writeVerdict() {
	w.writeReasons()
	w.writeHow()
	w.writeMissing()
	w.writeScores()
	w.writeRegressions()
	w.writeFell()
	w.writeFailing()
	w.writeAlike()
	w.writeDisguised()
	w.writePolicy()
	w.writeEvidence()
	w.foldFailing()
	w.writeOthers()
	w.foldLimits()
	w.writeMetrics()
	w.writeRisk()
	w.writeOutcomes()
}
