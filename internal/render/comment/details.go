package comment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// writeEvidence shows what was answered: open for the worst failures, folded for the next.
func (w *writer) writeEvidence() {
	cases := w.evidenceCases()
	open := min(len(cases), w.openAnswers)
	if open > 0 {
		w.fold(w.Report.Verdict == report.Failed, "<b>Evidence</b>: what was answered", func() { w.answers(cases[:open]) })
	}
	if len(cases) > open {
		w.fold(false, "Evidence of "+show.Count(len(cases)-open, "more case"), func() { w.answers(cases[open:]) })
	}
}

func (w *writer) evidenceCases() (cases []report.Change) {
	lists := [][]report.Change{w.Regressed}
	if w.Report.Verdict == report.Failed {
		lists = append(lists, w.Fell)
	}
	if w.openFailing() || w.complete {
		lists = append(lists, w.Failing)
	}
	for _, list := range lists {
		for _, c := range list {
			if len(cases) == w.evidence {
				return cases
			}
			if c.Head.Excerpt != "" {
				cases = append(cases, c)
			}
		}
	}
	return cases
}

func (w *writer) answers(cases []report.Change) {
	for _, c := range cases {
		w.para(w.answerHead(c))
		w.WriteString(show.Fence(c.Head.Excerpt, w.answerRunes) + "\n")
		if w.baseHelps(c) {
			w.para("On the base (" + show.Outcome(c.Base, false) + "):")
			w.WriteString(show.Fence(c.Base.Excerpt, w.baseRunes) + "\n")
		}
	}
}

func (w *writer) baseHelps(c report.Change) bool {
	return w.Compared && w.baseRunes > 0 && c.Base.Right() && c.Base.Excerpt != "" && c.Base.Excerpt != c.Head.Excerpt
}

func (w *writer) answerHead(c report.Change) string {
	text := "**" + show.Linked(c.CaseID, w.Links.File(w.Links.HeadSHA, c.Path, c.Line)) + "**"
	if c.Head.Trials > 1 {
		text += fmt.Sprintf(", trial %d of %d", c.Head.Trial, c.Head.Trials)
	}
	if what := show.Happened(c.Head).Markdown(w.phraseRunes); what != "" {
		text += ": " + what
	}
	return text
}

// writeOthers folds what moved without harm.
func (w *writer) writeOthers() {
	moved, missing := w.Others, w.Missing
	if len(moved)+len(missing) == 0 {
		return
	}
	w.fold(false, w.othersSummary(), func() {
		all := append(append([]report.Change{}, moved...), missing...)
		shown := all[:min(len(all), w.otherRows)]
		rows := make([][]string, len(shown))
		for i, c := range shown {
			rows[i] = w.otherCells(c)
		}
		w.table("llll", []string{"Case", "Change", "Base → now", "What happened"}, rows)
		w.more(len(all)-len(shown), "case")
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
	return []string{w.caseName(c, false), change, show.Outcome(c.Base, false) + " → " + show.Outcome(c.Head, true), what}
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
		if n := counts[s]; n > 0 {
			parts = append(parts, show.Grouped(n)+" "+strings.ReplaceAll(string(s), "_", " "))
		}
	}
	if quarantined > 0 {
		parts = append(parts, show.Grouped(quarantined)+" in quarantine")
	}
	if n := len(w.Missing); n > 0 {
		parts = append(parts, show.Grouped(n)+" without an answer")
	}
	if len(parts) == 0 {
		return show.Count(len(w.Others), "other case")
	}
	return strings.Join(parts, " · ")
}

// writeOutcomes folds the histogram and the numbers beside the run score.
func (w *writer) writeOutcomes() {
	if !w.outcomes || w.Report.Trials == 0 {
		return
	}
	w.fold(false, "Outcomes of "+show.Count(w.Report.Trials, "answer"), func() {
		base := w.Compared && w.Report.BaseHistogram != nil
		var rows [][]string
		for _, c := range classify.Categories {
			now, before := w.Report.Histogram[c], w.Report.BaseHistogram[c]
			switch {
			case now == 0 && before == 0:
			case base:
				rows = append(rows, []string{string(c), show.Grouped(before), show.Grouped(now)})
			default:
				rows = append(rows, []string{string(c), show.Grouped(now)})
			}
		}
		if base {
			w.table("lrr", []string{"Outcome", "Base", "Now"}, rows)
		} else {
			w.table("lr", []string{"Outcome", "Now"}, rows)
		}
		w.para(w.Numbers())
	})
}
