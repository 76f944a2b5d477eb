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
	if !v.Compared {
		base = nil
	}
	p := &riskPart{Lead: v.RiskLine(), HasBase: base != nil, Figures: riskFigures(head, base), Modes: riskModesOf(head, base)}
	for _, c := range head.Ranking[:min(len(head.Ranking), riskCategories)] {
		p.Categories = append(p.Categories, riskCategoryOf(c.Category, head, base))
	}
	p.Left = len(head.Ranking) - len(p.Categories)
	for _, s := range slices.Backward(show.Severities) {
		if t, ok := head.BySeverity[s]; ok && t.Passed+t.Failed > 0 {
			p.Severities = append(p.Severities, riskTier{s, show.Grouped(t.Passed), show.Grouped(t.Failed), show.PercentOr(t.PassRate), show.PercentOr(tierOf(base, s).PassRate)})
		}
	}
	p.Worst = v.riskAnswers(head.WorstCases)
	return p
}

func tierOf(a *risk.Aggregates, severity string) risk.TierFigures {
	if a == nil {
		return risk.TierFigures{}
	}
	return a.BySeverity[severity]
}

func riskFigures(head, base *risk.Aggregates) (out []riskRow) {
	for _, x := range view.RiskMeasures {
		row := riskRow{Name: x.Name, Head: show.Decimals(x.Of(head))}
		if base != nil {
			row.Base = show.Decimals(x.Of(base))
		}
		out = append(out, row)
	}
	return out
}

func riskCategoryOf(name string, head, base *risk.Aggregates) riskCategory {
	f := head.ByCategory[name]
	c := riskCategory{Name: show.Named(show.Ends(name, show.NameRunes)), Answers: show.Grouped(f.N), Passed: show.PercentOr(f.PassRate), Mean: show.Decimals(f.MeanRisk),
		Weighted: show.Decimals(f.MeanWeighted), Critical: show.Grouped(f.CriticalFailures), Bar: newScoreBar(f.MeanWeighted, nil, nil)}
	if base != nil {
		was := base.ByCategory[name].MeanWeighted
		c.Base, c.Bar = show.Decimals(was), newScoreBar(f.MeanWeighted, was, nil)
	}
	return c
}

// riskModesOf counts the answers of each failure mode, the most frequent first.
func riskModesOf(head, base *risk.Aggregates) (out []riskRow) {
	counts := func(a *risk.Aggregates, mode string) int {
		if a == nil {
			return 0
		}
		return a.Histogram[mode]
	}
	modes := slices.Sorted(maps.Keys(head.Histogram))
	if base != nil {
		modes = slices.Compact(slices.Sorted(slices.Values(append(modes, slices.Collect(maps.Keys(base.Histogram))...))))
	}
	slices.SortStableFunc(modes, func(a, b string) int { return cmp.Compare(counts(head, b), counts(head, a)) })
	for _, m := range modes[:min(len(modes), riskModes)] {
		out = append(out, riskRow{show.Named(show.Ends(m, show.NameRunes)), show.Grouped(counts(base, m)), show.Grouped(counts(head, m))})
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
