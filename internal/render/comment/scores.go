package comment

import (
	"fmt"
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
	align, header = "lr", []string{"Suite", "Score"}
	if w.Compared && w.complete {
		align, header = align+"r", append(header, "Base")
	}
	if w.Compared {
		align, header = align+"r", append(header, "vs base")
	}
	return align + "rrl", append(header, "Passed", "Needs", "")
}

func (w *writer) suiteCells(s view.Row) []string {
	icon, state := w.SuiteState(s)
	name := show.Linked(s.SuiteID, w.Links.File(w.Links.HeadSHA, s.Path, max(s.Line, 1)))
	cells := []string{labelled(icon, name), show.Against(s.Score, s.MinScore)}
	if w.Compared && w.complete {
		cells = append(cells, show.PercentOr(s.BaseScore))
	}
	if w.Compared {
		cells = append(cells, show.Moved(s.Delta))
	}
	return append(cells, fmt.Sprintf("%s/%s", show.Grouped(s.Passed), show.Grouped(s.Cases)), show.Bar(s.MinScore), state)
}

func (w *writer) runCells() []string {
	r := w.Report
	icon, state := w.RunState()
	cells := []string{labelled(icon, "**Run**"), show.Bold(show.Against(r.RunScore, r.Scoring.MinRunScore))}
	if w.Compared && w.complete {
		cells = append(cells, show.PercentOr(r.BaseRunScore))
	}
	if w.Compared {
		cells = append(cells, show.Bold(show.Moved(r.Delta)))
	}
	return append(cells, show.Bold(show.Grouped(r.PassedCases)+"/"+show.Grouped(r.Cases)), show.Bold(show.Bar(r.Scoring.MinRunScore)), state)
}

func labelled(icon, name string) string {
	if icon == "" {
		return name
	}
	return icon + show.Hard + name
}
