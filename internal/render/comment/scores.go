package comment

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/text"
)

// writeScores writes the score table: the suites that need a look, and the run. The rest is folded.
func (w *writer) writeScores() {
	open, folded := w.splitSuites()
	rows := make([][]string, 0, len(open)+1)
	for _, s := range open {
		rows = append(rows, w.suiteCells(s))
	}
	rows = append(rows, w.runCells())
	w.table("lr", w.scoreHeader(), rows)
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
	if at := slices.IndexFunc(shown, view.Row.Quiet); at >= 0 && !w.quiet {
		shown = shown[:at]
	}
	what := show.If(folded[0].Quiet(), "suite without a change in score", "more suite")
	if len(shown) == 0 {
		w.para("… and " + suitesCount(len(folded), what) + ".")
		return
	}
	w.fold(suitesCount(len(folded), what), func() { tableOf(w, "lr", w.scoreHeader(), folded, len(shown), "suite", w.suiteCells) })
}

func suitesCount(n int, what string) string {
	return show.Grouped(n) + " " + show.Agree(n, what, strings.Replace(what, "suite", "suites", 1))
}

func (w *writer) scoreHeader() []string {
	return []string{"Suite", show.If(w.Compared, "Before → now", "Score"), "Needed"}
}

func (w *writer) suiteCells(s view.Row) []string {
	icon, state := w.SuiteState(s)
	name := labelled(icon, show.Linked(show.Suite(s.SuiteID), w.Links.File(w.Links.HeadSHA, s.Path, max(s.Line, 1))))
	name += below(icon, state, s.SuiteSummary)
	return w.scoreCells(name, s.SuiteSummary)
}

func (w *writer) runCells() []string {
	icon, state := w.RunState()
	cells := w.scoreCells(labelled(icon, "**All**")+below(icon, state, w.Run()), w.Run())
	for i := 1; i < len(cells); i++ {
		cells[i] = show.Bold(cells[i])
	}
	return cells
}

// below sets below the name how many cases are right, or passed where nothing judged some, and the words of a state where they say more than
// the sign and the figures: columns of their own would be cut off on a telephone.
func below(icon, state string, s report.SuiteSummary) string {
	n := s.Unverified - s.KeptByHand
	right := "<br><sub>" + show.Grouped(s.Passed) + " of " + show.Count(s.Cases, "case") + show.If(n > 0, " passed", " right")
	if n > 0 && !strings.Contains(state, "unverified") {
		right += ", " + show.Grouped(n) + " unverified"
	}
	if state == "" || state == "meets its bar" || state == "below its bar" || icon == "✅" && (state == "all pass" || state == "nothing broke") {
		return right + "</sub>"
	}
	return right + "; " + strings.TrimPrefix(state, "below its bar, ") + "</sub>"
}

func (w *writer) scoreCells(name string, s report.SuiteSummary) []string {
	score := show.If(w.Withheld(s.Unscored), show.Absent, show.Against(s.Score, s.MinScore, w.Report.Scoring.MinRunScore))
	return []string{name, show.When(w.Compared, show.PercentOr(s.BaseScore)+" →"+show.Hard) + score, show.Bar(s.MinScore)}
}

func labelled(icon, name string) string {
	if icon == "" {
		return name
	}
	return icon + show.Hard + name
}

// foldTargets sets the targets of the suites that name several side by side: their scores, and the cases of which one is right and
// another wrong.
func (w *writer) foldTargets() {
	t := w.Targets()
	if t == nil {
		return
	}
	w.fold("Targets side by side"+show.When(len(t.Cases) > 0, ", different on "+show.Count(len(t.Cases), "case")), func() {
		names := t.Names[:min(len(t.Names), targetColumns)]
		header := []string{"Suite"}
		for _, name := range names {
			header = append(header, show.Barred(show.NameCode(name)))
		}
		tableOf(w, "lr", header, t.Suites, w.suiteRows, "suite", func(s view.TargetScores) []string {
			row := []string{show.Linked(s.Name, w.Links.File(w.Links.HeadSHA, s.Path, max(s.Line, 1)))}
			for _, cell := range s.Cells[:len(names)] {
				if cell == nil {
					row = append(row, show.Absent)
				} else {
					row = append(row, w.scoreCells("", *cell)[1])
				}
			}
			return row
		})
		header[0] = "Case"
		tableOf(w, "lr", header, t.Cases, w.otherRows, "case", func(c view.TargetCase) []string { return w.targetCells(c, len(names), len(t.Suites) > 1) })
		w.more(len(t.Names)-len(names), "target")
	})
}

func (w *writer) targetCells(c view.TargetCase, columns int, named bool) []string {
	first := c.First()
	name := show.Linked(c.ID, w.Links.File(w.ShaOf(first), first.Path, first.Line))
	row := []string{name + show.When(named, "<br><sub>"+show.NameCode(c.Suite)+"</sub>")}
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
	before := show.Outcome(c.Base, false)
	return show.When(w.Compared && c.Base != nil && before != show.Outcome(c.Head, false), before+" → ") + show.Outcome(c.Head, true)
}

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
		now := show.PercentOr(m.Value) + show.When(m.Degraded > 0, "*")
		rows = append(rows, withBase(w.Compared, 2, show.PercentOr(m.BaseValue),
			show.Barred(show.CodeOf(m.Name, show.QuoteRunes)), text.Decimal(m.Weight), now, show.Grouped(m.Answers)))
	}
	if w.Report.OverallScore != nil {
		rows = append(rows, withBase(w.Compared, 2, show.PercentOr(w.Report.BaseOverall), "**overall score**", "", show.Bold(show.Percent(*w.Report.OverallScore)), ""))
	}
	w.table("lr", withBase(w.Compared, 2, "Before", "Metric", "Weight", "Now", "Answers"), rows)
	if n := w.Degraded(); n > 0 {
		w.para("\\* " + show.Count(n, "answer") + " compared by words, not by meaning: there is no embedding of them.")
	}
}

func (w *writer) suiteMetrics() {
	measured := show.Those(w.Suites, view.Row.IsMeasured)
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

func (w *writer) riskFigures() {
	base, compared := w.BaseRisk()
	var rows [][]string
	for _, x := range view.RiskMeasures {
		rows = append(rows, withBase(compared, 1, show.Decimals(x.Of(base)), x.Name, show.Decimals(x.Of(w.Report.Risk))))
	}
	w.table("lr", withBase(compared, 1, "Before", "", "Now"), rows)
}

func (w *writer) riskCategories() {
	base, compared := w.BaseRisk()
	header := withBase(compared, 5, "Base", "Category", "Answers", "Passed", "Mean risk", "Weighted")
	tableOf(w, "lr", header, w.Report.Risk.Ranking, categoryRows, "row", func(c risk.RankedCategory) []string {
		f := w.Report.Risk.ByCategory[c.Category]
		return withBase(compared, 5, show.Decimals(base.ByCategory[c.Category].MeanWeighted),
			show.Barred(show.NameCode(c.Category)), show.Grouped(c.N), show.PercentOr(f.PassRate), show.Decimals(f.MeanRisk), show.Decimals(f.MeanWeighted))
	})
}

func (w *writer) riskWorst() {
	worst := w.Report.Risk.WorstCases
	codes := func(names []string) string { return show.Barred(show.Some(names, 4, " ", " and ", show.NameCode)) }
	tableOf(w, "llrll", []string{"Worst answers", "Severity", "Weighted risk", "Rules", "Failure modes"}, worst[:min(len(worst), worstRows)], worstRows, "", func(c risk.WorstCase) []string {
		return []string{show.Barred(show.NameCode(show.Suite(c.SuiteID))) + " " + show.Barred(show.NameCode(c.CaseID)), show.SeverityWord(c.Severity),
			show.Decimals(&c.WeightedRisk), codes(c.Unsafe), codes(c.Modes)}
	})
}
