package render

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
)

// How much of the probes' figures a page holds; report.json has all of them.
const (
	worstRows    = 5
	categoryRows = 10
)

// writeRisk says in one line what the probes come to, and folds the figures.
func (w *writer) writeRisk() {
	if w.r.Risk == nil || !w.outcomes {
		return
	}
	w.para("**Risk** · " + w.riskLine())
	w.fold(false, "Risk", func() {
		w.riskFigures()
		w.riskCategories()
		w.riskWorst()
	})
}

// riskLine is the probes' result in a sentence. Base and head stand side by side where both were probed.
func (v *view) riskLine() string {
	head := v.r.Risk
	parts := []string{
		"exposure " + v.sides(func(a *risk.Aggregates) *float64 { return a.Indices.Exposure }),
		fmt.Sprintf("%s of %s failed", grouped(head.Counts.Failed), count(head.Counts.Evaluated, "probe answer")),
	}
	if n := head.Overall.HighStakesFailures; n > 0 {
		parts = append(parts, grouped(n)+" of high or critical severity")
	}
	if n := head.Counts.Unanswered; n > 0 {
		parts = append(parts, grouped(n)+" of them without an answer")
	}
	return strings.Join(parts, ", ")
}

// sides writes a figure of the base and of the head, "0.250 → 0.400", or the head's alone.
func (v *view) sides(of func(*risk.Aggregates) *float64) string {
	now := decimals(of(v.r.Risk))
	if v.r.BaseRisk == nil || !v.compared {
		return now
	}
	return decimals(of(v.r.BaseRisk)) + " → " + now
}

func decimals(v *float64) string {
	if v == nil {
		return absent
	}
	return score.Figure(*v)
}

// riskFigures is the table of the run's figures.
func (w *writer) riskFigures() {
	align, header := "lr", []string{"", "Now"}
	if w.r.BaseRisk != nil && w.compared {
		align, header = "lrr", []string{"", "Base", "Now"}
	}
	var rows [][]string
	for _, x := range riskMeasures {
		cells := []string{x.name, decimals(x.of(w.r.Risk))}
		if len(header) == 3 {
			cells = []string{x.name, decimals(x.of(w.r.BaseRisk)), cells[1]}
		}
		rows = append(rows, cells)
	}
	w.table(align, header, rows)
}

// riskMeasures are the figures of a run that the tables show.
var riskMeasures = []struct {
	name string
	of   func(*risk.Aggregates) *float64
}{
	{"exposure (mean weighted risk)", func(a *risk.Aggregates) *float64 { return a.Indices.Exposure }},
	{"resilience", func(a *risk.Aggregates) *float64 { return a.Indices.Resilience }},
	{"fragility (spread of the risk)", func(a *risk.Aggregates) *float64 { return a.Indices.Fragility }},
	{"highest risk", func(a *risk.Aggregates) *float64 { return a.Overall.MaxRisk }},
	{"pass rate", func(a *risk.Aggregates) *float64 { return a.Overall.PassRate }},
	{"severity-weighted pass rate", func(a *risk.Aggregates) *float64 { return a.Overall.SeverityWeightedRate }},
	{"high-stakes failure rate", func(a *risk.Aggregates) *float64 { return a.Overall.HighStakesRate }},
	{"boundary language", func(a *risk.Aggregates) *float64 { return a.Overall.BoundaryRate }},
}

// riskCategories are the categories by mean risk.
func (w *writer) riskCategories() {
	ranking := w.r.Risk.Ranking
	shown := ranking[:min(len(ranking), categoryRows)]
	var rows [][]string
	for _, c := range shown {
		f := w.r.Risk.ByCategory[c.Category]
		cells := []string{barred(nameCode(c.Category)), grouped(c.N), percentOr(f.PassRate), decimals(f.MeanRisk), decimals(f.MeanWeighted)}
		if w.r.BaseRisk != nil && w.compared {
			cells = append(cells, decimals(w.r.BaseRisk.ByCategory[c.Category].MeanWeighted))
		}
		rows = append(rows, cells)
	}
	align, header := "lrrrr", []string{"Category", "Answers", "Passed", "Mean risk", "Weighted"}
	if w.r.BaseRisk != nil && w.compared {
		align, header = align+"r", append(header, "Base")
	}
	if len(rows) > 0 {
		w.table(align, header, rows)
		w.more(len(ranking)-len(shown), "row")
	}
}

// riskWorst are the answers of the highest weighted risk.
func (w *writer) riskWorst() {
	worst := w.r.Risk.WorstCases
	var rows [][]string
	for _, c := range worst[:min(len(worst), worstRows)] {
		rows = append(rows, []string{
			barred(nameCode(c.SuiteID)) + " " + barred(nameCode(c.CaseID)), severityWord(c.Severity), decimals(&c.WeightedRisk), barred(codes(c.Unsafe)), barred(codes(c.Modes)),
		})
	}
	if len(rows) > 0 {
		w.table("llrll", []string{"Worst answers", "Severity", "Weighted risk", "Rules", "Failure modes"}, rows)
	}
}

// codes writes a few names one after another.
func codes(names []string) string {
	const most = 4
	var parts []string
	for _, name := range names[:min(len(names), most)] {
		parts = append(parts, nameCode(name))
	}
	if left := len(names) - most; left > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", left))
	}
	return strings.Join(parts, " ")
}
