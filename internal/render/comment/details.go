package comment

import (
	"cmp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
)

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

// causeNames is how many cases of one cause are named.
const causeNames = 10

// missingTable counts what came instead of answers, and names the cases.
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
	what := w.Explained(c).Markdown(w.phraseRunes)
	if c.Change == report.Redefined && c.Head != nil && c.Head.UnderBase != nil {
		what = "passes the old expectation as well"
	}
	return []string{w.caseName(c, false), stacked(strings.TrimSuffix(change+": "+what, ": "), show.Outcome(c.Base, false)+" → "+show.Outcome(c.Head, true))}
}

// othersSummary counts the folded cases by their change, in the order of reports.
func (w *writer) othersSummary() string {
	counts := map[report.Status]int{}
	quarantined := 0
	for _, c := range w.Others {
		if c.Quarantined {
			quarantined++
			continue
		}
		counts[c.Change]++
	}
	var parts []string
	for _, s := range report.Statuses {
		parts = append(parts, view.Counted(counts[s], strings.ReplaceAll(string(s), "_", " ")))
	}
	text := show.Join(" · ", append(parts, view.Counted(quarantined, "in quarantine"), view.Counted(len(w.Missing), "without an answer"))...)
	return cmp.Or(text, show.Count(len(w.Others), "other case"))
}

// writeOutcomes folds the histogram and the numbers beside the run score.
func (w *writer) writeOutcomes() {
	if !w.outcomes || w.Report.Trials == 0 {
		return
	}
	w.fold("Outcomes of "+show.Count(w.Report.Trials, "answer"), func() {
		base := w.Compared && w.Report.BaseHistogram != nil
		header := []string{"Outcome", "Now"}
		if base {
			header = []string{"Outcome", "Before", "Now"}
		}
		var rows [][]string
		for _, c := range classify.Categories {
			if now, before := w.Report.Histogram[c], w.Report.BaseHistogram[c]; now != 0 || before != 0 {
				row := []string{string(c), show.Grouped(before), show.Grouped(now)}
				rows = append(rows, append(row[:len(header)-1], row[2]))
			}
		}
		w.table("lr", header, rows)
		w.para(w.Numbers())
	})
}
