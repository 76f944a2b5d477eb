package render

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

// writeScores writes the score table: the suites that need a look, and the run. The rest is folded.
func (w *writer) writeScores() {
	open, folded := w.splitSuites()
	rows := make([][]string, 0, len(open)+1)
	for _, s := range open {
		rows = append(rows, w.suiteCells(s))
	}
	rows = append(rows, w.runCells())
	align, header := w.scoreHeader()
	w.table(align, header, rows)
	if len(folded) > 0 {
		w.foldSuites(folded)
	}
	w.para(w.scoreNotes())
}

// splitSuites keeps all rows open where they are few, and else those that are not quiet.
func (w *writer) splitSuites() (open, folded []row) {
	if len(w.suites) <= w.openSuiteRows {
		return w.suites, nil
	}
	n := 0
	for n < min(len(w.suites), w.openSuiteRows) && !w.suites[n].quiet() {
		n++
	}
	return w.suites[:n], w.suites[n:]
}

func (w *writer) foldSuites(folded []row) {
	shown := folded[:max(0, min(len(folded), w.suiteRows-w.openSuiteRows))]
	if !w.quiet {
		for i, s := range shown {
			if s.quiet() {
				shown = shown[:i]
				break
			}
		}
	}
	what := "more suite"
	if folded[0].quiet() {
		what = "suite without a change in score"
	}
	if len(shown) == 0 {
		w.para("… and " + suitesCount(len(folded), what) + ".")
		return
	}
	w.fold(false, suitesCount(len(folded), what), func() {
		align, header := w.scoreHeader()
		rows := make([][]string, len(shown))
		for i, s := range shown {
			rows[i] = w.suiteCells(s)
		}
		w.table(align, header, rows)
		w.more(len(folded)-len(shown), "suite")
	})
}

func suitesCount(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return grouped(n) + strings.Replace(" "+what, " suite", " suites", 1)
}

func (w *writer) scoreHeader() (align string, header []string) {
	align, header = "lr", []string{"Suite", "Score"}
	if w.compared && w.complete {
		align, header = align+"r", append(header, "Base")
	}
	if w.compared {
		align, header = align+"r", append(header, "vs base")
	}
	return align + "rrl", append(header, "Passed", "Needs", "")
}

func (w *writer) suiteCells(s row) []string {
	icon, state := w.suiteState(s)
	name := linked(s.SuiteID, w.l.file(w.l.HeadSHA, s.Path, max(s.Line, 1)))
	cells := []string{labelled(icon, name), against(s.Score, s.MinScore)}
	if w.compared && w.complete {
		cells = append(cells, percentOr(s.BaseScore))
	}
	if w.compared {
		cells = append(cells, moved(s.Delta))
	}
	return append(cells, fmt.Sprintf("%s/%s", grouped(s.Passed), grouped(s.Cases)), bar(s.MinScore), state)
}

// suiteState is an icon, which stands first in a row so that a telephone shows it, and what it says in words.
func (v *view) suiteState(s row) (icon, text string) {
	var words []string
	add := func(n int, mark, text string) {
		if n == 0 {
			return
		}
		if icon == "" {
			icon = mark
		}
		words = append(words, text)
	}
	if s.belowBar {
		add(1, "❌", "below its bar")
	}
	if s.worse {
		add(1, v.dropIcon(), "got worse as a whole")
	} else if s.suspected {
		add(1, "⚠️", "perhaps worse")
	}
	add(s.mustPass, "❌", grouped(s.mustPass)+" must-pass failed")
	add(s.regressed, v.regressionIcon(), grouped(s.regressed)+" regressed")
	add(s.Unscored, "⏸️", grouped(s.Unscored)+" unanswered")
	add(s.fixed, "✅", grouped(s.fixed)+" fixed")
	if len(words) == 0 {
		var word string
		icon, word = v.quietState(s)
		words = append(words, word)
	}
	if n := s.Unverified - s.KeptByHand; n > 0 {
		words = append(words, grouped(n)+" unverified")
	}
	if s.Quarantined > 0 {
		words = append(words, grouped(s.Quarantined)+" in quarantine")
	}
	if s.KeptByHand > 0 {
		words = append(words, grouped(s.KeptByHand)+" kept by hand")
		if icon == "✅" {
			icon = "⚠️"
		}
	}
	return icon, strings.Join(words, ", ")
}

func (v *view) quietState(s row) (icon, text string) {
	switch {
	case s.Cases == 0 && s.Quarantined > 0:
		return "", "nothing judged"
	case s.Cases == 0:
		return "", "no case"
	case s.Passed == s.Cases:
		return "✅", "all pass"
	case s.MinScore != nil:
		return "✅", "meets its bar"
	case v.compared:
		return "✅", "none regressed"
	}
	return "", "some fail"
}

func (v *view) dropIcon() string {
	if v.has(codeDrop, report.LevelError) {
		return "❌"
	}
	return "⚠️"
}

func (v *view) regressionIcon() string {
	if v.has("max_regressions", report.LevelError) {
		return "❌"
	}
	return "⚠️"
}

func (w *writer) runCells() []string {
	r := w.r
	icon, state := w.runState()
	cells := []string{labelled(icon, "**Run**"), bold(against(r.RunScore, r.Scoring.MinRunScore))}
	if w.compared && w.complete {
		cells = append(cells, percentOr(r.BaseRunScore))
	}
	if w.compared {
		cells = append(cells, bold(moved(r.Delta)))
	}
	return append(cells, bold(grouped(r.PassedCases)+"/"+grouped(r.Cases)), bold(bar(r.Scoring.MinRunScore)), state)
}

func (v *view) runState() (icon, text string) {
	need, got := v.r.Scoring.MinRunScore, v.r.RunScore
	icon, text = v.barState(need, got)
	fell, mark := "", "⚠️"
	switch {
	case v.has(codeDrop, report.LevelError), v.has(codeDrop, report.LevelWarn):
		fell, mark = "got worse as a whole", v.dropIcon()
	case v.suspected():
		fell = "perhaps worse"
	default:
		return icon, text
	}
	if icon != "❌" {
		icon = mark
	}
	return icon, strings.TrimSuffix(fell+", "+text, ", ")
}

// barState says how the run score stands to its bar.
func (v *view) barState(need, got *float64) (icon, text string) {
	switch {
	case need == nil || got == nil:
		return "", ""
	case !v.belowRunBar() && v.r.KeptByHand > 0:
		return "⚠️", "meets its bar, unverified in part"
	case !v.belowRunBar():
		return "✅", "meets its bar"
	case v.r.Verdict == report.Undecided:
		return "⏸️", "undecided"
	case v.has("min_run_score", report.LevelError):
		return "❌", "below its bar"
	case v.excused():
		return "⚠️", "below its bar, perhaps by noise"
	}
	return "⚠️", "below its bar"
}

func labelled(icon, name string) string {
	if icon == "" {
		return name
	}
	return icon + hard + name
}

func bold(text string) string {
	if text == absent || text == "" {
		return text
	}
	return "**" + text + "**"
}

// scoreNotes says what the numbers leave open.
func (v *view) scoreNotes() string {
	var notes []string
	if note := v.heldNote(); note != "" {
		notes = append(notes, note)
	}
	if r := v.r; v.compared && r.Delta != nil && r.DeltaCases != r.Cases {
		notes = append(notes, "“vs base” is like for like: over the "+
			count(r.DeltaCases, "case")+" that both sides have unchanged and answered.")
	}
	if r := v.r; r.Unscored > 0 && r.AnsweredScore != nil {
		notes = append(notes, fmt.Sprintf("%s missing and counted as 0; over the answers that came, the score is %s.",
			isAre(r.Unscored, "answer"), percent(*r.AnsweredScore)))
	}
	if note := v.unverified(); note != "" {
		notes = append(notes, note+" (unverified).")
	}
	if n := v.toReview(); n > 0 {
		notes = append(notes, count(n, "answer")+" could not be compared by meaning, for want of an embedding model: no bar was applied, "+
			"and a person has to look.")
	}
	return strings.Join(notes, " ")
}

// unverified tells of the cases that whatever is answered passes.
func (v *view) unverified() string {
	n := v.r.Unverified - v.r.KeptByHand
	if n <= 0 {
		return ""
	}
	return count(n, "case") + " passed with nothing to hold the answer to"
}

// toReview counts the answers that nothing but a person can judge.
func (v *view) toReview() int {
	for _, x := range v.r.Warnings {
		if x.Code == score.WarnNeedsReview {
			return max(x.Count, 1)
		}
	}
	return 0
}

func isAre(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " is"
	}
	return count(n, noun) + " are"
}
