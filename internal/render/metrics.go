package render

import (
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

// measured reports whether any answer was measured, or scored by more than its accuracy.
func (v *view) measured() bool {
	return len(v.r.Metrics) > 0 || v.r.OptIns != (report.OptIns{})
}

// writeMetrics folds the metric breakdown: of the run, and of each suite where several are measured.
func (w *writer) writeMetrics() {
	if !w.outcomes || !w.measured() {
		return
	}
	w.fold(false, "Metrics", func() {
		w.runMetrics()
		w.suiteMetrics()
		w.para(w.optIns())
	})
}

func (w *writer) runMetrics() {
	var rows [][]string
	for _, m := range w.r.Metrics {
		now := percentOr(m.Value)
		if m.Degraded > 0 {
			now += "*"
		}
		cells := []string{barred(codeOf(m.Name, quoteRunes)), strconv.FormatFloat(m.Weight, 'f', -1, 64), now, grouped(m.Answers)}
		rows = append(rows, w.withBase(cells, percentOr(m.BaseValue)))
	}
	if w.r.OverallScore != nil {
		rows = append(rows, w.withBase([]string{"**overall score**", "", bold(percent(*w.r.OverallScore)), ""}, percentOr(w.r.BaseOverall)))
	}
	w.table(w.metricsAlign(), w.withBase([]string{"Metric", "Weight", "Now", "Answers"}, "Base"), rows)
	if n := w.degraded(); n > 0 {
		w.para("\\* " + count(n, "answer") + " compared by words, not by meaning: there is no embedding of them.")
	}
}

// withBase puts the base's figure before the head's, where there is one to compare with.
func (w *writer) withBase(cells []string, base string) []string {
	if !w.compared {
		return cells
	}
	return []string{cells[0], cells[1], base, cells[2], cells[3]}
}

func (w *writer) metricsAlign() string {
	if w.compared {
		return "lrrrr"
	}
	return "lrrr"
}

func (v *view) degraded() (n int) {
	for _, m := range v.r.Metrics {
		n += m.Degraded
	}
	return n
}

// suiteMetrics shows the head's means suite by suite.
func (w *writer) suiteMetrics() {
	var measured []row
	for _, s := range w.suites {
		if len(s.Metrics) > 0 {
			measured = append(measured, s)
		}
	}
	if len(measured) < 2 {
		return
	}
	align, header := "l", []string{"Suite"}
	for _, name := range score.MetricNames {
		align, header = align+"r", append(header, strings.ReplaceAll(name, "_", " "))
	}
	shown := measured[:min(len(measured), w.suiteRows)]
	rows := make([][]string, len(shown))
	for i, s := range shown {
		rows[i] = []string{code(ends(s.SuiteID, nameRunes))}
		for _, name := range score.MetricNames {
			rows[i] = append(rows[i], percentOr(valueOf(s.Metrics, name)))
		}
		rows[i] = append(rows[i], percentOr(s.OverallScore))
	}
	w.table(align+"r", append(header, "overall"), rows)
	if left := len(measured) - len(shown); left > 0 {
		w.para("… and " + count(left, "more suite") + ".")
	}
}

func valueOf(metrics []report.MetricSummary, name string) *float64 {
	for _, m := range metrics {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// optIns are document 000's further scores, where the configuration asks for them.
func (v *view) optIns() string {
	var parts []string
	add := func(name string, now, base *float64) {
		if now == nil {
			return
		}
		text := name + " " + percent(*now)
		if v.compared && base != nil {
			text += " (base " + percent(*base) + ")"
		}
		parts = append(parts, text)
	}
	o := v.r.OptIns
	add("Penalty score", o.Penalty, o.BasePenalty)
	add("latency score", o.Latency, o.BaseLatency)
	return strings.Join(parts, " · ")
}
