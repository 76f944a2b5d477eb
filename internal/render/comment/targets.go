package comment

import (
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
)

// targetColumns is how many targets have a column: a telephone shows no more.
const targetColumns = 6

// foldTargets sets the targets of the suites that name several side by side: their scores, and the cases of which one is right and
// another wrong.
func (w *writer) foldTargets() {
	t := w.Targets()
	if t == nil {
		return
	}
	what := "Targets side by side"
	if n := len(t.Cases); n > 0 {
		what += ", different on " + show.Count(n, "case")
	}
	w.fold(what, func() {
		names := t.Names[:min(len(t.Names), targetColumns)]
		header := []string{"Suite"}
		for _, name := range names {
			header = append(header, show.Barred(show.NameCode(name)))
		}
		tableOf(w, "lr", header, t.Suites, w.suiteRows, "suite", func(s view.TargetScores) []string {
			row := []string{show.Linked(s.Name, w.Links.File(w.Links.HeadSHA, s.Path, max(s.Line, 1)))}
			for _, cell := range s.Cells[:len(names)] {
				row = append(row, w.targetScore(cell))
			}
			return row
		})
		header[0] = "Case"
		tableOf(w, "lr", header, t.Cases, w.otherRows, "case", func(c view.TargetCase) []string { return w.targetCells(c, len(names), len(t.Suites) > 1) })
		w.more(len(t.Names)-len(names), "target")
	})
}

func (w *writer) targetScore(s *report.SuiteSummary) string {
	if s == nil {
		return show.Absent
	}
	return w.scoreCells("", *s)[1]
}

func (w *writer) targetCells(c view.TargetCase, columns int, named bool) []string {
	first := c.First()
	name := show.Linked(c.ID, w.Links.File(w.ShaOf(first), first.Path, first.Line))
	if named {
		name += "<br><sub>" + show.NameCode(c.Suite) + "</sub>"
	}
	row := []string{name}
	for _, one := range c.Cells[:columns] {
		row = append(row, w.targetOutcome(one))
	}
	return row
}

// targetOutcome is what a target answers now, and what it answered before where that was something else.
func (w *writer) targetOutcome(c *report.Change) string {
	if c == nil {
		return show.Absent
	}
	now := show.Outcome(c.Head, true)
	if before := show.Outcome(c.Base, false); w.Compared && c.Base != nil && before != show.Outcome(c.Head, false) {
		return before + " → " + now
	}
	return now
}
