package comment

import (
	"cmp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
)

func (w *writer) foldFailing() {
	_, folded := w.openFailing()
	if len(folded) == 0 {
		return
	}
	what := show.Count(len(folded), w.FailingNoun())
	w.fold(what+show.When(w.AsBefore(folded), ", as before"), func() { w.caseTable(folded, w.caseRows, "failing case") })
}

// openFailing are those that may be what failed the gate: of a comparison the ones that must pass, or all where nothing else is worse.
// The others are folded.
func (w *writer) openFailing() (open, folded []report.Change) {
	must := 0
	for must < len(w.Failing) && w.Failing[must].MustPass { // they come first
		must++
	}
	switch {
	case !w.Compared:
		return w.Failing, nil
	case w.Report.Verdict != report.Failed:
		return nil, w.Failing
	case len(w.Regressed)+len(w.Fell)+must == 0 && !w.FellAsWhole() && (w.BelowRunBar() || w.Has(gate.SuiteScore.Code, report.LevelError)):
		return w.Failing, nil
	}
	return w.Failing[:must], w.Failing[must:]
}

// caseName names a case and, below it, its place where that cannot be linked, its weight and its suite.
func (w *writer) caseName(c report.Change, severity bool) string {
	sha := w.ShaOf(c)
	url := w.Links.File(sha, c.Path, c.Line)
	lines := []string{show.Linked(c.CaseID, url)}
	if url == "" {
		lines = append(lines, w.Links.Place(sha, c.Path, c.Line, 0))
	}
	if isDigest(c.CaseID) && c.Asked != "" && c.Kind != report.KindHidden { // of what is hidden, the question stands beside it
		lines = append(lines, "<sub>"+w.quoted(c)+"</sub>")
	}
	var marks []string
	if severity && c.Severity != "" && c.Severity != "medium" {
		marks = append(marks, show.SeverityWord(c.Severity))
	}
	if severity && c.MustPass {
		marks = append(marks, "**must pass**")
	}
	if len(w.Report.Suites) > 1 {
		marks = append(marks, "<sub>"+show.NameCode(show.Suite(c.SuiteID))+"</sub>")
	}
	if len(marks) > 0 {
		lines = append(lines, strings.Join(marks, " · "))
	}
	return strings.Join(lines, "<br>")
}

// isDigest reports the name of a case that has none of its own, which says nothing to a reader.
func isDigest(id string) bool {
	hex, ok := strings.CutPrefix(id, "case-")
	return ok && len(hex) == 12 && strings.Trim(hex, "0123456789abcdef") == ""
}

func (w *writer) caseLink(c report.Change) string {
	return show.Linked(show.Case(c.SuiteID, c.CaseID), w.Links.File(w.ShaOf(c), c.Path, c.Line))
}

// writeDisguised names the two easiest ways to hide a regression: to edit the expectation and to remove the case.
func (w *writer) writeDisguised() {
	all := slices.Concat(w.Disguised, w.Dropped)
	if len(all) == 0 {
		return
	}
	failing := show.Tally(w.Disguised, view.FailsOld)
	other := len(w.Disguised) - failing
	heading := show.Join(", ", view.CountedOf(failing, "redefined case", " that would have failed"),
		view.CountedOf(other, "redefined case", show.Agree(other, " that asks", " that ask")+" something else"), view.CountedOf(len(w.Dropped), "removed case", " that passed"))
	shown := w.Disguised[:min(len(w.Disguised), w.evidence)]
	if len(shown) == len(w.Disguised) && 0 < len(shown) && len(shown) <= fewCases {
		w.para("**" + heading + ":**")
		w.writeBlocks(shown)
		all, shown = w.Dropped, nil
	} else {
		w.para("### " + heading)
	}
	tableOf(w, "ll", []string{"Case", "What happened"}, all, max(w.otherRows, 10), "case", func(c report.Change) []string {
		return []string{w.caseName(c, false), stacked(w.Explained(c).Markdown(w.phraseRunes), show.When(c.Head == nil && c.Asked != "", "asked: "+w.quoted(c)))}
	})
	w.foldBlocks("What was asked and expected", shown, len(w.Disguised))
}

// quoted is the beginning of what a case asked.
func (w *writer) quoted(c report.Change) string {
	return "“" + show.Inline(show.Lead(strings.ReplaceAll(string(c.Asked), "\n", " · "), whyRunes)) + "”"
}

func (w *writer) more(left int, noun string) {
	if left > 0 {
		w.para("… and " + show.Count(left, "more "+noun) + " in the full report.")
	}
}

// writePolicy shows the settings that the head announces, and whose is in force.
func (w *writer) writePolicy() {
	changes := w.Report.PolicyChanges
	if len(changes) == 0 {
		return
	}
	w.para("### " + show.Count(len(changes), "changed setting") + ", announced")
	var items []string
	for _, c := range changes[:min(len(changes), max(w.otherRows, 10))] {
		item := cmp.Or(show.NameCode(c.Key), show.Absent) + ": " + cmp.Or(show.CodeOf(c.Base, show.QuoteRunes), show.Absent) + " → " + cmp.Or(show.CodeOf(c.Head, show.QuoteRunes), show.Absent) +
			". In force: " + view.InForce(c, show.NameCode)
		if place := w.Links.Place(w.Links.HeadSHA, c.Path, 0, 0); place != "" {
			item += " (" + place + ")"
		}
		items = append(items, item)
	}
	w.list(items)
	w.more(len(changes)-len(items), "setting")
}

// writeOthers folds what moved without harm, and the cases without an answer, those of one cause together.
func (w *writer) writeOthers() {
	if len(w.Others)+len(w.Missing) == 0 {
		return
	}
	w.fold(w.othersSummary(), func() {
		tableOf(w, "ll", []string{"Case", "What happened"}, w.Others, w.otherRows, "case", w.otherCells)
		w.missingTable()
	})
}

func (w *writer) missingTable() {
	causes := view.Causes(w.Missing, func(c report.Change) string {
		return show.Why(show.Outcome(c.Head, true), w.Explained(c).Markdown(w.phraseRunes))
	})
	tableOf(w, "lrl", []string{"No answer, because", "Cases", ""}, causes, w.otherRows, "cause", func(c view.Cause) []string {
		return []string{c.Text, show.Grouped(len(c.Cases)), strings.Join(view.Listed(c.Cases, causeNames, "case", w.caseLink), ", ")}
	})
}

func (w *writer) otherCells(c report.Change) []string {
	change := show.NameCode(string(c.Change))
	if slices.Contains(report.Statuses[:], c.Change) {
		change = w.ChangeWord(c)
	}
	what := show.If(c.Change == report.Redefined && c.Head != nil && c.Head.UnderBase != nil, "passes the old expectation as well", w.Explained(c).Markdown(w.phraseRunes))
	for _, e := range view.Edits(c) {
		what += "<br>" + e.Label + ": " + e.Text.Markdown(min(w.phraseRunes, whyRunes))
	}
	return []string{w.caseName(c, false), stacked(strings.TrimSuffix(change+": "+what, ": "), show.Outcome(c.Base, false)+" → "+show.Outcome(c.Head, true))}
}

// othersSummary counts the folded cases by their change, in the order of reports.
func (w *writer) othersSummary() string {
	counts := map[report.Status]int{}
	quarantined, perhaps, open := 0, 0, len(w.OpenFlips())
	for _, c := range w.Others {
		if c.Quarantined {
			quarantined++
			continue
		}
		if w.PerhapsFixed(c) {
			perhaps++
			continue
		}
		counts[c.Change]++
	}
	counts[report.Flaky] -= open
	parts := []string{view.Counted(open, "flipped, not proven")}
	for _, s := range report.Statuses {
		parts = append(parts, view.Counted(counts[s], strings.ReplaceAll(string(s), "_", " ")))
	}
	text := show.Join(" · ", append(parts, view.Counted(perhaps, "perhaps fixed"), view.Counted(quarantined, "in quarantine"), view.Counted(len(w.Missing), "without an answer"))...)
	return cmp.Or(text, show.Count(len(w.Others), "other case"))
}

func (w *writer) writeOutcomes() {
	if !w.outcomes || w.Report.Trials == 0 {
		return
	}
	w.fold("Outcomes of "+show.Count(w.Report.Trials, "answer"), func() {
		base := w.Compared && w.Report.BaseHistogram != nil
		var rows [][]string
		for _, c := range classify.Categories {
			if now, before := w.Report.Histogram[c], w.Report.BaseHistogram[c]; now != 0 || before != 0 {
				rows = append(rows, withBase(base, 1, show.Grouped(before), string(c), show.Grouped(now)))
			}
		}
		w.table("lr", withBase(base, 1, "Before", "Outcome", "Now"), rows)
		w.para(w.Numbers())
	})
}
