package comment

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
)

// How much of the probes' figures a page holds; report.json has all of them.
const (
	worstRows    = 5
	categoryRows = 10
)

// writeRisk says in one line what the probes come to, and folds the figures.
func (w *writer) writeRisk() {
	if w.Report.Risk == nil || !w.outcomes {
		return
	}
	w.para("**Risk** · " + w.RiskLine())
	w.fold("Risk", func() {
		w.riskFigures()
		w.riskCategories()
		w.riskWorst()
	})
}

// riskFigures is the table of the run's figures.
func (w *writer) riskFigures() {
	header := []string{"", "Now"}
	if w.Report.BaseRisk != nil && w.Compared {
		header = []string{"", "Before", "Now"}
	}
	var rows [][]string
	for _, x := range view.RiskMeasures {
		cells := []string{x.Name, show.Decimals(x.Of(w.Report.Risk))}
		if len(header) == 3 {
			cells = []string{x.Name, show.Decimals(x.Of(w.Report.BaseRisk)), cells[1]}
		}
		rows = append(rows, cells)
	}
	w.table("lr", header, rows)
}

// riskCategories are the categories by mean risk.
func (w *writer) riskCategories() {
	ranking := w.Report.Risk.Ranking
	shown := ranking[:min(len(ranking), categoryRows)]
	var rows [][]string
	for _, c := range shown {
		f := w.Report.Risk.ByCategory[c.Category]
		cells := []string{show.Barred(show.NameCode(c.Category)), show.Grouped(c.N), show.PercentOr(f.PassRate), show.Decimals(f.MeanRisk), show.Decimals(f.MeanWeighted)}
		if w.Report.BaseRisk != nil && w.Compared {
			cells = append(cells, show.Decimals(w.Report.BaseRisk.ByCategory[c.Category].MeanWeighted))
		}
		rows = append(rows, cells)
	}
	header := []string{"Category", "Answers", "Passed", "Mean risk", "Weighted"}
	if w.Report.BaseRisk != nil && w.Compared {
		header = append(header, "Base")
	}
	w.table("lr", header, rows)
	w.more(len(ranking)-len(shown), "row")
}

// riskWorst are the answers of the highest weighted risk.
func (w *writer) riskWorst() {
	worst := w.Report.Risk.WorstCases
	var rows [][]string
	for _, c := range worst[:min(len(worst), worstRows)] {
		rows = append(rows, []string{
			show.Barred(show.NameCode(show.Suite(c.SuiteID))) + " " + show.Barred(show.NameCode(c.CaseID)), show.SeverityWord(c.Severity), show.Decimals(&c.WeightedRisk), show.Barred(codes(c.Unsafe)), show.Barred(codes(c.Modes)),
		})
	}
	w.table("llrll", []string{"Worst answers", "Severity", "Weighted risk", "Rules", "Failure modes"}, rows)
}

// codes writes a few names one after another.
func codes(names []string) string {
	const most = 4
	var parts []string
	for _, name := range names[:min(len(names), most)] {
		parts = append(parts, show.NameCode(name))
	}
	if left := len(names) - most; left > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", left))
	}
	return strings.Join(parts, " ")
}
