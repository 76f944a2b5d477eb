package render

import (
	"cmp"
	"maps"
	"slices"
	"strings"

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
func (v *view) riskPart() *riskPart {
	head, base := v.r.Risk, v.r.BaseRisk
	if head == nil {
		return nil
	}
	if !v.compared {
		base = nil
	}
	p := &riskPart{Lead: v.riskLine(), HasBase: base != nil, Figures: riskFigures(head, base), Modes: riskModesOf(head, base)}
	for _, c := range head.Ranking[:min(len(head.Ranking), riskCategories)] {
		p.Categories = append(p.Categories, riskCategoryOf(c.Category, head, base))
	}
	p.Left = len(head.Ranking) - len(p.Categories)
	for _, s := range slices.Backward(severities) {
		if t, ok := head.BySeverity[s]; ok && t.Passed+t.Failed > 0 {
			p.Severities = append(p.Severities, riskTier{s, grouped(t.Passed), grouped(t.Failed), percentOr(t.PassRate), percentOr(tierOf(base, s).PassRate)})
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
	for _, x := range riskMeasures {
		row := riskRow{Name: x.name, Head: decimals(x.of(head))}
		if base != nil {
			row.Base = decimals(x.of(base))
		}
		out = append(out, row)
	}
	return out
}

func riskCategoryOf(name string, head, base *risk.Aggregates) riskCategory {
	f := head.ByCategory[name]
	c := riskCategory{Name: named(ends(name, nameRunes)), Answers: grouped(f.N), Passed: percentOr(f.PassRate), Mean: decimals(f.MeanRisk),
		Weighted: decimals(f.MeanWeighted), Critical: grouped(f.CriticalFailures), Bar: newScoreBar(f.MeanWeighted, nil, nil)}
	if base != nil {
		was := base.ByCategory[name].MeanWeighted
		c.Base, c.Bar = decimals(was), newScoreBar(f.MeanWeighted, was, nil)
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
		out = append(out, riskRow{named(ends(m, nameRunes)), grouped(counts(base, m)), grouped(counts(head, m))})
	}
	return out
}

func (v *view) riskAnswers(worst []risk.WorstCase) (out []riskAnswer) {
	for _, c := range worst[:min(len(worst), worstCases)] {
		out = append(out, riskAnswer{Case: caseLink{named(ends(c.CaseID, nameRunes)), v.rowOf(c.SuiteID, c.CaseID)}, Suite: ends(c.SuiteID, nameRunes),
			Severity: lead(c.Severity, nameRunes), Weighted: decimals(&c.WeightedRisk), Rules: namesOf(c.Unsafe), Modes: namesOf(c.Modes)})
	}
	return out
}

// rowOf leads to the row of a case in the table of all cases; "" where it has none.
func (v *view) rowOf(suiteID, caseID string) string {
	for i, c := range v.r.Changes {
		if c.SuiteID == suiteID && c.CaseID == caseID && v.inTable(c) {
			return "#" + anchor("c", i)
		}
	}
	return ""
}

// namesOf writes a few names one after another.
func namesOf(names []string) string {
	var parts []string
	for _, n := range names[:min(len(names), riskNames)] {
		parts = append(parts, ends(n, nameRunes))
	}
	if left := len(names) - len(parts); left > 0 {
		parts = append(parts, "and "+grouped(left)+" more")
	}
	return strings.Join(parts, ", ")
}
