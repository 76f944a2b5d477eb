package page

import (
	"cmp"
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/risk"
)

// riskPart is what the probes come to: the run's figures, then by category, severity and failure mode, and the answers of the highest risk.
type riskPart struct {
	printer
	Head, Base *risk.Aggregates
	HasBase    bool
	Severities []string // of which there are answers, the highest first
	Modes      []string // of failure, the most frequent first
	Categories []risk.RankedCategory
	Left       int // categories
	Worst      []risk.WorstCase
}

// How many lines the tables of risk hold.
const riskCategories, riskModes = 50, 30

// riskPart is nil where nothing was probed.
func (v printer) riskPart() *riskPart {
	head, base := v.Report.Risk, v.Report.BaseRisk
	if head == nil {
		return nil
	}
	p := &riskPart{printer: v, Head: head, Base: base, HasBase: base != nil && v.Compared, Categories: head.Ranking[:min(len(head.Ranking), riskCategories)],
		Worst: head.WorstCases[:min(len(head.WorstCases), worstCases)]}
	if !p.HasBase {
		p.Base = &risk.Aggregates{} // of which nothing is shown
	}
	p.Left = len(head.Ranking) - len(p.Categories)
	for _, s := range slices.Backward(show.Severities) {
		if t := head.BySeverity[s]; t.Passed+t.Failed > 0 {
			p.Severities = append(p.Severities, s)
		}
	}
	p.Modes = slices.Compact(slices.Sorted(slices.Values(slices.AppendSeq(slices.Collect(maps.Keys(head.Histogram)), maps.Keys(p.Base.Histogram)))))
	slices.SortStableFunc(p.Modes, func(a, b string) int { return cmp.Compare(head.Histogram[b], head.Histogram[a]) })
	p.Modes = p.Modes[:min(len(p.Modes), riskModes)]
	return p
}

// CaseLink leads to the row of a case in the table of all cases, where it has one.
func (v printer) CaseLink(suiteID, caseID string) caseLink {
	link := caseLink{Name: name(caseID)}
	if c, ok := v.Find(suiteID, caseID); ok {
		link.Href = v.rowLink(c)
	}
	return link
}
