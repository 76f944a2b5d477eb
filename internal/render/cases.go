package render

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/report"
)

// writeRegressions lists what passed on the base and does not pass now, most severe first.
func (w *writer) writeRegressions() {
	if len(w.regressed) == 0 {
		return
	}
	w.para("### " + count(len(w.regressed), "regression"))
	w.caseTables(w.regressed, "regression")
}

// writeFailing lists the other wrong answers where they may be what failed the gate.
func (w *writer) writeFailing() {
	if w.openFailing() {
		w.para("### " + count(len(w.failing), w.failingNoun()))
		w.caseTables(w.failing, "failing case")
	}
}

// foldFailing lists them where they are not.
func (w *writer) foldFailing() {
	if len(w.failing) == 0 || w.openFailing() {
		return
	}
	shown := min(len(w.failing), w.caseRows)
	w.fold(false, count(len(w.failing), w.failingNoun()), func() {
		w.caseTable(w.failing[:shown])
		if left := len(w.failing) - shown; left > 0 {
			w.para("… and " + count(left, "more failing case") + " in the full report.")
		}
	})
}

func (w *writer) failingNoun() string {
	if w.compared && len(w.regressed) > 0 {
		return "other failing case"
	}
	return "failing case"
}

func (w *writer) openFailing() bool {
	if len(w.failing) == 0 || !w.compared {
		return len(w.failing) > 0
	}
	mustPass := w.failing[0].MustPass
	return w.r.Verdict == report.Failed && (len(w.regressed) == 0 || mustPass)
}

// caseTables shows the first cases, folds the next, and counts the rest.
func (w *writer) caseTables(cases []report.Change, noun string) {
	open, shown := min(len(cases), w.openCaseRows), min(len(cases), w.caseRows)
	w.caseTable(cases[:open])
	if shown > open {
		w.fold(false, count(shown-open, "more "+noun), func() { w.caseTable(cases[open:shown]) })
	}
	if left := len(cases) - shown; left > 0 {
		w.para("… and " + count(left, "more "+noun) + " in the full report.")
	}
}

func (w *writer) caseTable(cases []report.Change) {
	rows := make([][]string, len(cases))
	for i, c := range cases {
		rows[i] = w.caseCells(c)
	}
	if w.compared {
		w.table("llll", []string{"Case", "Base → now", "Severity", "What happened"}, rows)
		return
	}
	w.table("llll", []string{"Case", "Outcome", "Severity", "What happened"}, rows)
}

func (w *writer) caseCells(c report.Change) []string {
	outcomes := outcome(c.Head, true)
	if w.compared {
		outcomes = outcome(c.Base, false) + " → " + outcomes
	}
	severity := code(cutEnd(oneLine(c.Severity), nameRunes))
	if severityWord(c.Severity) {
		severity = c.Severity
	}
	if c.MustPass {
		severity += "<br>**must pass**"
	}
	return []string{w.caseName(c), outcomes, severity, happened(c.Head).markdown(w.phraseRunes)}
}

func severityWord(s string) bool {
	for _, known := range severities {
		if s == known {
			return true
		}
	}
	return s == ""
}

// caseName names a case, its place and, where there are several, its suite.
func (w *writer) caseName(c report.Change) string {
	sha := w.shaOf(c)
	url := w.l.file(sha, c.Path, c.Line)
	name := linked(c.CaseID, url)
	if url == "" {
		name += "<br>" + w.l.place(sha, c.Path, c.Line, 0)
	}
	if len(w.r.Suites) > 1 {
		name += "<br><sub>" + code(cutMiddle(oneLine(c.SuiteID), nameRunes)) + "</sub>"
	}
	return name
}

// outcome shows one side of a case: its category, and how many of its trials passed where there are several.
func outcome(o *report.Outcome, strong bool) string {
	if o == nil {
		return absent
	}
	text := oneLine(string(o.Primary))
	if !plainName.MatchString(text) {
		text = code(cutEnd(text, nameRunes))
	}
	if strong && o.Primary != "pass" {
		text = bold(text)
	}
	if o.Trials > 1 {
		text += fmt.Sprintf(" %d/%d", o.Passed, o.Trials)
	}
	return text
}

// writeDisguised names the two easiest ways to hide a regression: to edit the expectation and to remove the case.
func (w *writer) writeDisguised() {
	var rows [][]string
	for _, c := range w.disguised {
		rows = append(rows, []string{w.caseName(c), "redefined", outcome(c.Base, false) + " → " + outcome(c.Head, false),
			"passes the new expectation, fails the old one (**" + strings.Trim(code(oneLine(string(*c.Head.UnderBase))), "`") + "**)"})
	}
	for _, c := range w.dropped {
		rows = append(rows, []string{w.caseName(c), "removed", outcome(c.Base, false) + " → " + absent, "passed on the base"})
	}
	if len(rows) == 0 {
		return
	}
	w.para("### " + w.disguisedHeading())
	shown := rows[:min(len(rows), max(w.otherRows, 10))]
	w.table("llll", []string{"Case", "Change", "Base → now", "What it means"}, shown)
	if left := len(rows) - len(shown); left > 0 {
		w.para("… and " + count(left, "more case") + " in the full report.")
	}
}

func (w *writer) disguisedHeading() string {
	var parts []string
	if n := len(w.disguised); n > 0 {
		parts = append(parts, count(n, "redefined case")+" that would have failed")
	}
	if n := len(w.dropped); n > 0 {
		parts = append(parts, count(n, "removed case")+" that passed")
	}
	return strings.Join(parts, ", ")
}

// writePolicy shows the settings that the head announces; the base's are in force until it is merged.
func (w *writer) writePolicy() {
	changes := w.r.PolicyChanges
	if len(changes) == 0 {
		return
	}
	w.para("### " + count(len(changes), "changed setting") + ", announced and not obeyed until merged")
	var rows [][]string
	for _, c := range changes[:min(len(changes), max(w.otherRows, 10))] {
		rows = append(rows, []string{Cell(c.Key), orAbsent(Cell(c.Base)), orAbsent(Cell(c.Head)),
			w.l.place(w.l.HeadSHA, c.Path, 0, 0)})
	}
	w.table("llll", []string{"Setting", "In force (base)", "Announced (head)", "File"}, rows)
	if left := len(changes) - len(rows); left > 0 {
		w.para("… and " + count(left, "more setting") + ".")
	}
}

func orAbsent(text string) string {
	if text == "" {
		return absent
	}
	return text
}
