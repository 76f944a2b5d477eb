package comment

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
)

// writeRegressions lists what passed on the base and does not pass now, most severe first.
func (w *writer) writeRegressions() {
	if len(w.Regressed) == 0 {
		return
	}
	w.para("### " + show.Count(len(w.Regressed), "regression"))
	w.caseTables(w.Regressed, "regression")
}

// writeFailing lists the other wrong answers where they may be what failed the gate.
func (w *writer) writeFailing() {
	if w.openFailing() {
		w.para("### " + show.Count(len(w.Failing), w.FailingNoun()))
		w.caseTables(w.Failing, "failing case")
	}
}

// foldFailing lists them where they are not.
func (w *writer) foldFailing() {
	if len(w.Failing) == 0 || w.openFailing() {
		return
	}
	shown := min(len(w.Failing), w.caseRows)
	w.fold(false, show.Count(len(w.Failing), w.FailingNoun()), func() {
		w.caseTable(w.Failing[:shown])
		w.more(len(w.Failing)-shown, "failing case")
	})
}

func (w *writer) openFailing() bool {
	if len(w.Failing) == 0 || !w.Compared {
		return len(w.Failing) > 0
	}
	mustPass := w.Failing[0].MustPass
	return w.Report.Verdict == report.Failed && (len(w.Regressed)+len(w.Fell) == 0 || mustPass)
}

// caseTables shows the first cases, folds the next, and counts the rest.
func (w *writer) caseTables(cases []report.Change, noun string) {
	open, shown := min(len(cases), w.openCaseRows), min(len(cases), w.caseRows)
	w.caseTable(cases[:open])
	if shown > open {
		w.fold(false, show.Count(shown-open, "more "+noun), func() { w.caseTable(cases[open:shown]) })
	}
	w.more(len(cases)-shown, noun)
}

func (w *writer) caseTable(cases []report.Change) {
	rows := make([][]string, len(cases))
	for i, c := range cases {
		rows[i] = w.caseCells(c)
	}
	outcomes := "Outcome"
	if w.Compared {
		outcomes = "Base → now"
	}
	w.table("lll", []string{"Case", outcomes, "What happened"}, rows)
}

func (w *writer) caseCells(c report.Change) []string {
	outcomes := show.Outcome(c.Head, true)
	if w.Compared {
		outcomes = show.Outcome(c.Base, false) + " → " + outcomes
	}
	return []string{w.caseName(c, true), outcomes, w.Explained(c).Markdown(w.phraseRunes)}
}

// caseName names a case and, below it, its place where that cannot be linked, its weight and its suite.
func (w *writer) caseName(c report.Change, severity bool) string {
	sha := w.ShaOf(c)
	url := w.Links.File(sha, c.Path, c.Line)
	lines := []string{show.Linked(c.CaseID, url)}
	if url == "" {
		lines = append(lines, w.Links.Place(sha, c.Path, c.Line, 0))
	}
	var marks []string
	if severity && c.Severity != "" {
		marks = append(marks, show.SeverityWord(c.Severity))
	}
	if severity && c.MustPass {
		marks = append(marks, "**must pass**")
	}
	if len(w.Report.Suites) > 1 {
		marks = append(marks, "<sub>"+show.NameCode(c.SuiteID)+"</sub>")
	}
	if len(marks) > 0 {
		lines = append(lines, strings.Join(marks, " · "))
	}
	return strings.Join(lines, "<br>")
}

// writeDisguised names the two easiest ways to hide a regression: to edit the expectation and to remove the case.
func (w *writer) writeDisguised() {
	all := slices.Concat(w.Disguised, w.Dropped)
	if len(all) == 0 {
		return
	}
	w.para("### " + w.disguisedHeading())
	var rows [][]string
	for _, c := range all[:min(len(all), max(w.otherRows, 10))] {
		rows = append(rows, w.disguisedCells(c))
	}
	w.table("llll", []string{"Case", "Change", "Base → now", "What it means"}, rows)
	w.more(len(all)-len(rows), "case")
}

func (w *writer) disguisedCells(c report.Change) []string {
	name, outcomes := w.caseName(c, false), show.Outcome(c.Base, false)+" → "+show.Outcome(c.Head, false)
	if c.Head == nil {
		return []string{name, "removed", outcomes, "passed on the base"}
	}
	return []string{name, "redefined", outcomes,
		"passes the new expectation, fails the old one (" + show.Category(&report.Outcome{Primary: *c.Head.UnderBase}, true) + ")"}
}

// more counts what is left out of a list.
func (w *writer) more(left int, noun string) {
	if left > 0 {
		w.para("… and " + show.Count(left, "more "+noun) + " in the full report.")
	}
}

func (w *writer) disguisedHeading() string {
	var parts []string
	if n := len(w.Disguised); n > 0 {
		parts = append(parts, show.Count(n, "redefined case")+" that would have failed")
	}
	if n := len(w.Dropped); n > 0 {
		parts = append(parts, show.Count(n, "removed case")+" that passed")
	}
	return strings.Join(parts, ", ")
}

// writePolicy shows the settings that the head announces, and whose is in force.
func (w *writer) writePolicy() {
	changes := w.Report.PolicyChanges
	if len(changes) == 0 {
		return
	}
	w.para("### " + show.Count(len(changes), "changed setting") + ", announced")
	var rows [][]string
	for _, c := range changes[:min(len(changes), max(w.otherRows, 10))] {
		rows = append(rows, []string{show.NameCode(c.Key), view.OrAbsent(show.CodeOf(c.Base, show.QuoteRunes)), view.OrAbsent(show.CodeOf(c.Head, show.QuoteRunes)),
			view.InForce(c, show.NameCode), w.Links.Place(w.Links.HeadSHA, c.Path, 0, 0)})
	}
	w.table("lllll", []string{"Setting", "Base", "Head", "In force", "File"}, rows)
	w.more(len(changes)-len(rows), "setting")
}

// writeFell lists the cases that fell, where the whole did: no single one of them need be broken.
func (w *writer) writeFell() {
	if len(w.Fell) > 0 {
		w.para("### " + w.fellHeading())
		w.caseTables(w.Fell, "case that fell")
	}
}

func (w *writer) fellHeading() string {
	if len(w.Fell) == 1 {
		return "1 case fell"
	}
	return show.Grouped(len(w.Fell)) + " cases fell"
}
