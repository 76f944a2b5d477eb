package page

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/risk"
)

// riskPart is what the probes come to: the run's figures, then by category, severity and failure mode, and the answers of the
// highest risk.
type riskPart struct {
	Lead       string
	HasBase    bool
	Figures    []riskRow
	Categories []riskCategory
	Severities []riskTier
	Modes      []riskRow
	Worst      []riskAnswer
	Left       int // categories
}

// riskRow is one figure of both sides.
type riskRow struct{ Name, Base, Head string }

type riskCategory struct {
	Name, Answers, Passed, Mean, Weighted, Base string
	Critical                                    string // failures of critical severity
	Bar                                         scoreBar
}

type riskTier struct{ Severity, Passed, Failed, Rate, Base string }

type riskAnswer struct {
	Case                                    caseLink
	Suite, Severity, Weighted, Rules, Modes string
}

// How many lines the tables of risk hold.
const riskCategories, riskModes, riskNames = 50, 30, 6

// riskPart is nil where nothing was probed.
func (v printer) riskPart() *riskPart {
	head, base := v.Report.Risk, v.Report.BaseRisk
	if head == nil {
		return nil
	}
	p := &riskPart{Lead: v.RiskLine(), HasBase: base != nil && v.Compared}
	if !p.HasBase {
		base = &risk.Aggregates{} // of which nothing is shown
	}
	p.Modes = riskModesOf(head, base)
	for _, x := range view.RiskMeasures {
		p.Figures = append(p.Figures, riskRow{x.Name, show.Decimals(x.Of(base)), show.Decimals(x.Of(head))})
	}
	for _, c := range head.Ranking[:min(len(head.Ranking), riskCategories)] {
		p.Categories = append(p.Categories, riskCategoryOf(c.Category, head, base))
	}
	p.Left = len(head.Ranking) - len(p.Categories)
	for _, s := range slices.Backward(show.Severities) {
		if t, ok := head.BySeverity[s]; ok && t.Passed+t.Failed > 0 {
			p.Severities = append(p.Severities, riskTier{s, show.Grouped(t.Passed), show.Grouped(t.Failed), show.PercentOr(t.PassRate), show.PercentOr(base.BySeverity[s].PassRate)})
		}
	}
	p.Worst = v.riskAnswers(head.WorstCases)
	return p
}

func riskCategoryOf(name string, head, base *risk.Aggregates) riskCategory {
	f, was := head.ByCategory[name], base.ByCategory[name].MeanWeighted
	return riskCategory{Name: show.Named(show.Ends(name, show.NameRunes)), Answers: show.Grouped(f.N), Passed: show.PercentOr(f.PassRate), Mean: show.Decimals(f.MeanRisk),
		Weighted: show.Decimals(f.MeanWeighted), Critical: show.Grouped(f.CriticalFailures), Base: show.Decimals(was), Bar: newScoreBar(f.MeanWeighted, was, nil)}
}

// riskModesOf counts the answers of each failure mode, the most frequent first.
func riskModesOf(head, base *risk.Aggregates) (out []riskRow) {
	modes := slices.Compact(slices.Sorted(slices.Values(append(slices.Collect(maps.Keys(head.Histogram)), slices.Collect(maps.Keys(base.Histogram))...))))
	slices.SortStableFunc(modes, func(a, b string) int { return cmp.Compare(head.Histogram[b], head.Histogram[a]) })
	for _, m := range modes[:min(len(modes), riskModes)] {
		out = append(out, riskRow{show.Named(show.Ends(m, show.NameRunes)), show.Grouped(base.Histogram[m]), show.Grouped(head.Histogram[m])})
	}
	return out
}

func (v printer) riskAnswers(worst []risk.WorstCase) (out []riskAnswer) {
	for _, c := range worst[:min(len(worst), worstCases)] {
		out = append(out, riskAnswer{Case: caseLink{show.Named(show.Ends(c.CaseID, show.NameRunes)), v.rowOf(c.SuiteID, c.CaseID)}, Suite: show.Ends(show.Suite(c.SuiteID), show.NameRunes),
			Severity: show.Lead(c.Severity, show.NameRunes), Weighted: show.Decimals(&c.WeightedRisk), Rules: namesOf(c.Unsafe), Modes: namesOf(c.Modes)})
	}
	return out
}

// rowOf leads to the row of a case in the table of all cases; "" where it has none.
func (v printer) rowOf(suiteID, caseID string) string {
	for _, c := range v.Report.Changes.All() {
		if c.SuiteID == suiteID && c.CaseID == caseID && v.inTable(c) {
			return "#" + rowAnchor(c)
		}
	}
	return ""
}

// namesOf writes a few names one after another.
func namesOf(names []string) string {
	var parts []string
	for _, n := range names[:min(len(names), riskNames)] {
		parts = append(parts, show.Ends(n, show.NameRunes))
	}
	if left := len(names) - len(parts); left > 0 {
		parts = append(parts, "and "+show.Grouped(left)+" more")
	}
	return strings.Join(parts, ", ")
}
