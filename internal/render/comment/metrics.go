package comment

import (
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
)

// writeMetrics folds the metric breakdown: of the run, and of each suite where several are measured.
func (w *writer) writeMetrics() {
	if !w.outcomes || !w.Measured() {
		return
	}
	w.fold("Metrics", func() {
		w.runMetrics()
		w.suiteMetrics()
		if p := view.Judge(w.Report); len(p) > 0 {
			w.para(append(p, show.Say(".")).Markdown(w.phraseRunes))
		}
		w.para(w.OptIns())
	})
}

func (w *writer) runMetrics() {
	var rows [][]string
	for _, m := range w.Report.Metrics {
		now := show.PercentOr(m.Value)
		if m.Degraded > 0 {
			now += "*"
		}
		cells := []string{show.Barred(show.CodeOf(m.Name, show.QuoteRunes)), strconv.FormatFloat(m.Weight, 'f', -1, 64), now, show.Grouped(m.Answers)}
		rows = append(rows, w.withBase(cells, show.PercentOr(m.BaseValue)))
	}
	if w.Report.OverallScore != nil {
		rows = append(rows, w.withBase([]string{"**overall score**", "", show.Bold(show.Percent(*w.Report.OverallScore)), ""}, show.PercentOr(w.Report.BaseOverall)))
	}
	w.table("lr", w.withBase([]string{"Metric", "Weight", "Now", "Answers"}, "Before"), rows)
	if n := w.Degraded(); n > 0 {
		w.para("\\* " + show.Count(n, "answer") + " compared by words, not by meaning: there is no embedding of them.")
	}
}

// withBase puts the base's figure before the head's, where there is one to compare with.
func (w *writer) withBase(cells []string, base string) []string {
	if !w.Compared {
		return cells
	}
	return []string{cells[0], cells[1], base, cells[2], cells[3]}
}

// suiteMetrics shows the head's means suite by suite.
func (w *writer) suiteMetrics() {
	measured := slices.DeleteFunc(slices.Clone(w.Suites), func(s view.Row) bool { return len(s.Metrics) == 0 })
	if len(measured) < 2 {
		return
	}
	header := []string{"Suite"}
	names := view.MetricNames(w.Report)
	for _, name := range names {
		header = append(header, strings.ReplaceAll(name, "_", " "))
	}
	shown := measured[:min(len(measured), w.suiteRows)]
	rows := make([][]string, len(shown))
	for i, s := range shown {
		rows[i] = []string{show.Code(show.Ends(show.Suite(s.SuiteID), show.NameRunes))}
		for _, name := range names {
			rows[i] = append(rows[i], show.PercentOr(view.ValueOf(s.Metrics, name)))
		}
		rows[i] = append(rows[i], show.PercentOr(s.OverallScore))
	}
	w.table("lr", append(header, "overall"), rows)
	if left := len(measured) - len(shown); left > 0 {
		w.para("… and " + show.Count(left, "more suite") + ".")
	}
}
