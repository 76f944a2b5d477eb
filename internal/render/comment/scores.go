package comment

import (
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
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
	w.para(w.ScoreNotes())
}

// splitSuites keeps all rows open where they are few, and else those that are not quiet.
func (w *writer) splitSuites() (open, folded []view.Row) {
	if len(w.Suites) <= w.openSuiteRows {
		return w.Suites, nil
	}
	n := 0
	for n < min(len(w.Suites), w.openSuiteRows) && !w.Suites[n].Quiet() {
		n++
	}
	return w.Suites[:n], w.Suites[n:]
}

func (w *writer) foldSuites(folded []view.Row) {
	shown := folded[:max(0, min(len(folded), w.suiteRows-w.openSuiteRows))]
	if !w.quiet {
		for i, s := range shown {
			if s.Quiet() {
				shown = shown[:i]
				break
			}
		}
	}
	what := "more suite"
	if folded[0].Quiet() {
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
	return show.Grouped(n) + strings.Replace(" "+what, " suite", " suites", 1)
}

func (w *writer) scoreHeader() (align string, header []string) {
	if w.Compared {
		return "lrrrr", []string{"Suite", "Before", "Now", "Needed", "Cases right"}
	}
	return "lrrr", []string{"Suite", "Score", "Needed", "Cases right"}
}

func (w *writer) suiteCells(s view.Row) []string {
	icon, state := w.SuiteState(s)
	name := labelled(icon, show.Linked(s.SuiteID, w.Links.File(w.Links.HeadSHA, s.Path, max(s.Line, 1))))
	name += below(icon, state)
	return w.scoreCells(name, s.BaseScore, s.Score, s.MinScore, s.Passed, s.Cases)
}

func (w *writer) runCells() []string {
	r := w.Report
	icon, state := w.RunState()
	name := labelled(icon, "**All**") + below(icon, state)
	cells := w.scoreCells(name, r.BaseRunScore, r.RunScore, r.Scoring.MinRunScore, r.PassedCases, r.Cases)
	for i := 1; i < len(cells); i++ {
		cells[i] = show.Bold(cells[i])
	}
	return cells
}

// below sets the words of a state below the name, where they say more than the sign and the figures.
func below(icon, state string) string {
	if state == "" || state == "meets its bar" || state == "below its bar" || icon == "✅" && (state == "all pass" || state == "nothing broke") {
		return ""
	}
	return "<br><sub>" + strings.TrimPrefix(state, "below its bar, ") + "</sub>"
}

// scoreCells are a score before, now and needed, and how many cases pass.
func (w *writer) scoreCells(name string, before, now, need *float64, passed, cases int) []string {
	out := []string{name}
	if w.Compared {
		out = append(out, show.PercentOr(before))
	}
	return append(out, show.Against(now, need), show.Bar(need), show.Grouped(passed)+"/"+show.Grouped(cases))
}

func labelled(icon, name string) string {
	if icon == "" {
		return name
	}
	return icon + show.Hard + name
}
