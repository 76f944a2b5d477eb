package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
)

// writeEvidence shows what was answered: open for the worst failures, folded for the next.
func (w *writer) writeEvidence() {
	cases := w.evidenceCases()
	open := min(len(cases), w.openAnswers)
	if open > 0 {
		w.fold(w.r.Verdict == report.Failed, "<b>Evidence</b>: what was answered", func() { w.answers(cases[:open]) })
	}
	if len(cases) > open {
		w.fold(false, "Evidence of "+count(len(cases)-open, "more case"), func() { w.answers(cases[open:]) })
	}
}

func (w *writer) evidenceCases() (cases []report.Change) {
	lists := [][]report.Change{w.regressed}
	if w.r.Verdict == report.Failed {
		lists = append(lists, w.fell)
	}
	if w.openFailing() || w.complete {
		lists = append(lists, w.failing)
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
		w.WriteString(Fence(c.Head.Excerpt, w.answerRunes) + "\n")
		if w.baseHelps(c) {
			w.para("On the base (" + outcome(c.Base, false) + "):")
			w.WriteString(Fence(c.Base.Excerpt, w.baseRunes) + "\n")
		}
	}
}

func (w *writer) baseHelps(c report.Change) bool {
	return w.compared && w.baseRunes > 0 && passes(c.Base) && c.Base.Excerpt != "" && c.Base.Excerpt != c.Head.Excerpt
}

func (w *writer) answerHead(c report.Change) string {
	text := "**" + linked(c.CaseID, w.l.file(w.l.HeadSHA, c.Path, c.Line)) + "**"
	if c.Head.Trials > 1 {
		text += fmt.Sprintf(", trial %d of %d", c.Head.Trial, c.Head.Trials)
	}
	if what := happened(c.Head).markdown(w.phraseRunes); what != "" {
		text += ": " + what
	}
	return text
}

// writeOthers folds what moved without harm.
func (w *writer) writeOthers() {
	moved, missing := w.others, w.missing
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
	change := nameCode(string(c.Change))
	if slices.Contains(report.Statuses[:], c.Change) {
		change = w.changeWord(c)
	}
	what := w.explained(c).markdown(w.phraseRunes)
	if c.Change == report.Redefined && c.Head != nil && c.Head.UnderBase != nil {
		what = "passes the old expectation as well"
	}
	return []string{w.caseName(c, false), change, outcome(c.Base, false) + " → " + outcome(c.Head, true), what}
}

// othersSummary counts the folded cases by their change, in the order of reports.
func (w *writer) othersSummary() string {
	counts := map[report.Status]int{}
	quarantined := 0
	for _, c := range w.others {
		if c.Quarantined {
			quarantined++
			continue
		}
		counts[c.Change]++
	}
	var parts []string
	for _, s := range report.Statuses {
		if n := counts[s]; n > 0 {
			parts = append(parts, grouped(n)+" "+strings.ReplaceAll(string(s), "_", " "))
		}
	}
	if quarantined > 0 {
		parts = append(parts, grouped(quarantined)+" in quarantine")
	}
	if n := len(w.missing); n > 0 {
		parts = append(parts, grouped(n)+" without an answer")
	}
	if len(parts) == 0 {
		return count(len(w.others), "other case")
	}
	return strings.Join(parts, " · ")
}

// writeOutcomes folds the histogram and the numbers beside the run score.
func (w *writer) writeOutcomes() {
	if !w.outcomes || w.r.Trials == 0 {
		return
	}
	w.fold(false, "Outcomes of "+count(w.r.Trials, "answer"), func() {
		base := w.compared && w.r.BaseHistogram != nil
		var rows [][]string
		for _, c := range classify.Categories {
			now, before := w.r.Histogram[c], w.r.BaseHistogram[c]
			switch {
			case now == 0 && before == 0:
			case base:
				rows = append(rows, []string{string(c), grouped(before), grouped(now)})
			default:
				rows = append(rows, []string{string(c), grouped(now)})
			}
		}
		if base {
			w.table("lrr", []string{"Outcome", "Base", "Now"}, rows)
		} else {
			w.table("lr", []string{"Outcome", "Now"}, rows)
		}
		w.para(w.numbers())
	})
}

func (v *view) numbers() string {
	var parts []string
	add := func(name string, v *float64) {
		if v != nil {
			parts = append(parts, name+" "+percent(*v))
		}
	}
	add("Run score", v.r.RunScore)
	if v.compared {
		add("on the base", v.r.BaseRunScore)
	}
	add("mean over all cases", v.r.MicroScore)
	if v.r.Unscored > 0 {
		add("over the answers that came", v.r.AnsweredScore)
	}
	if a := v.r.ExpectedFail; a != nil {
		parts = append(parts, fmt.Sprintf("an expected fail came true for %d of %d answers", a.Agreed, a.Expected))
	}
	return strings.Join(parts, " · ")
}
