package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
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
		w.more(len(w.failing)-shown, "failing case")
	})
}

func (v *view) failingNoun() string {
	if v.compared && len(v.regressed) > 0 {
		return "other failing case"
	}
	return "failing case"
}

func (w *writer) openFailing() bool {
	if len(w.failing) == 0 || !w.compared {
		return len(w.failing) > 0
	}
	mustPass := w.failing[0].MustPass
	return w.r.Verdict == report.Failed && (len(w.regressed)+len(w.fell) == 0 || mustPass)
}

// caseTables shows the first cases, folds the next, and counts the rest.
func (w *writer) caseTables(cases []report.Change, noun string) {
	open, shown := min(len(cases), w.openCaseRows), min(len(cases), w.caseRows)
	w.caseTable(cases[:open])
	if shown > open {
		w.fold(false, count(shown-open, "more "+noun), func() { w.caseTable(cases[open:shown]) })
	}
	w.more(len(cases)-shown, noun)
}

func (w *writer) caseTable(cases []report.Change) {
	rows := make([][]string, len(cases))
	for i, c := range cases {
		rows[i] = w.caseCells(c)
	}
	outcomes := "Outcome"
	if w.compared {
		outcomes = "Base → now"
	}
	w.table("lll", []string{"Case", outcomes, "What happened"}, rows)
}

func (w *writer) caseCells(c report.Change) []string {
	outcomes := outcome(c.Head, true)
	if w.compared {
		outcomes = outcome(c.Base, false) + " → " + outcomes
	}
	return []string{w.caseName(c, true), outcomes, w.explained(c).markdown(w.phraseRunes)}
}

// caseName names a case and, below it, its place where that cannot be linked, its weight and its suite.
func (w *writer) caseName(c report.Change, severity bool) string {
	sha := w.shaOf(c)
	url := w.l.file(sha, c.Path, c.Line)
	lines := []string{linked(c.CaseID, url)}
	if url == "" {
		lines = append(lines, w.l.place(sha, c.Path, c.Line, 0))
	}
	var marks []string
	if severity && c.Severity != "" {
		marks = append(marks, severityWord(c.Severity))
	}
	if severity && c.MustPass {
		marks = append(marks, "**must pass**")
	}
	if len(w.r.Suites) > 1 {
		marks = append(marks, "<sub>"+nameCode(c.SuiteID)+"</sub>")
	}
	if len(marks) > 0 {
		lines = append(lines, strings.Join(marks, " · "))
	}
	return strings.Join(lines, "<br>")
}

func severityWord(s string) string {
	switch s {
	case "critical", "high":
		return bold(s)
	case "medium", "low":
		return s
	}
	return nameCode(s)
}

// outcome shows one side of a case: its category, and how many of its trials passed where there are several.
func outcome(o *report.Outcome, strong bool) string {
	if o == nil {
		return absent
	}
	text := category(o, strong)
	if o.Trials > 1 {
		text += fmt.Sprintf(" %d/%d", o.Passed, o.Trials)
	}
	return text
}

// category shows what an outcome is; what is no category, in a report that somebody wrote by hand, is code.
func category(o *report.Outcome, strong bool) string {
	switch {
	case !slices.Contains(classify.Categories[:], o.Primary):
		return nameCode(string(o.Primary))
	case strong && o.Primary != classify.Pass:
		return bold(wordOf(o))
	}
	return wordOf(o)
}

// writeDisguised names the two easiest ways to hide a regression: to edit the expectation and to remove the case.
func (w *writer) writeDisguised() {
	all := slices.Concat(w.disguised, w.dropped)
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
	name, outcomes := w.caseName(c, false), outcome(c.Base, false)+" → "+outcome(c.Head, false)
	if c.Head == nil {
		return []string{name, "removed", outcomes, "passed on the base"}
	}
	return []string{name, "redefined", outcomes,
		"passes the new expectation, fails the old one (" + category(&report.Outcome{Primary: *c.Head.UnderBase}, true) + ")"}
}

// more counts what is left out of a list.
func (w *writer) more(left int, noun string) {
	if left > 0 {
		w.para("… and " + count(left, "more "+noun) + " in the full report.")
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

// writePolicy shows the settings that the head announces, and whose is in force.
func (w *writer) writePolicy() {
	changes := w.r.PolicyChanges
	if len(changes) == 0 {
		return
	}
	w.para("### " + count(len(changes), "changed setting") + ", announced")
	var rows [][]string
	for _, c := range changes[:min(len(changes), max(w.otherRows, 10))] {
		rows = append(rows, []string{nameCode(c.Key), orAbsent(codeOf(c.Base, quoteRunes)), orAbsent(codeOf(c.Head, quoteRunes)),
			inForce(c, nameCode), w.l.place(w.l.HeadSHA, c.Path, 0, 0)})
	}
	w.table("lllll", []string{"Setting", "Base", "Head", "In force", "File"}, rows)
	w.more(len(changes)-len(rows), "setting")
}

// inForce says whose setting holds, and of a policy that is announced what it will catch. name writes the name of a case.
func inForce(c config.Change, name func(string) string) string {
	if c.InForce {
		return "head"
	}
	text := "base, until merged"
	if n := len(c.Caught); n > 0 {
		names := listed(c.Caught, caughtNames, "case", name)
		text += "; then it will catch the answers to " + count(n, "case") + ": " + strings.Join(names, ", ")
	}
	return text
}

// caughtNames is how many of them are named.
const caughtNames = 5

func orAbsent(text string) string {
	if text == "" {
		return absent
	}
	return text
}
