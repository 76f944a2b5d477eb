package comment

import (
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/risk"
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
	header, base := []string{"Category", "Answers", "Passed", "Mean risk", "Weighted"}, w.Report.BaseRisk
	if !w.Compared {
		base = nil
	}
	if base != nil {
		header = append(header, "Base")
	}
	tableOf(w, "lr", header, w.Report.Risk.Ranking, categoryRows, "row", func(c risk.RankedCategory) []string {
		f := w.Report.Risk.ByCategory[c.Category]
		cells := []string{show.Barred(show.NameCode(c.Category)), show.Grouped(c.N), show.PercentOr(f.PassRate), show.Decimals(f.MeanRisk), show.Decimals(f.MeanWeighted)}
		if base != nil {
			cells = append(cells, show.Decimals(base.ByCategory[c.Category].MeanWeighted))
		}
		return cells
	})
}

// riskWorst are the answers of the highest weighted risk.
func (w *writer) riskWorst() {
	worst := w.Report.Risk.WorstCases
	codes := func(names []string) string { return show.Barred(show.Some(names, 4, " ", " and ", show.NameCode)) }
	header := []string{"Worst answers", "Severity", "Weighted risk", "Rules", "Failure modes"}
	tableOf(w, "llrll", header, worst[:min(len(worst), worstRows)], worstRows, "", func(c risk.WorstCase) []string {
		return []string{show.Barred(show.NameCode(show.Suite(c.SuiteID))) + " " + show.Barred(show.NameCode(c.CaseID)), show.SeverityWord(c.Severity),
			show.Decimals(&c.WeightedRisk), codes(c.Unsafe), codes(c.Modes)}
	})
}
