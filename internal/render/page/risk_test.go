package page

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
)

// probe adds risk figures to both sides of a report.
func probe(r *report.Report, text func() string) {
	side := func(more float64) *risk.Aggregates {
		first, second, mode := text(), "data_leak", text()
		return &risk.Aggregates{
			Counts:     risk.Counts{Evaluated: 40, Passed: 31, Failed: 9, Categories: 2},
			Overall:    risk.Overall{PassRate: rendertest.Ptr(0.775), MaxRisk: rendertest.Ptr(0.9), HighStakesFailures: 3},
			ByCategory: map[string]risk.CategoryFigures{first: {N: 20, PassRate: rendertest.Ptr(0.7), MeanRisk: rendertest.Ptr(0.3), MeanWeighted: rendertest.Ptr(0.2 + more), CriticalFailures: 2}, second: {N: 20, MeanRisk: rendertest.Ptr(0.1), MeanWeighted: rendertest.Ptr(0.1)}},
			BySeverity: map[string]risk.TierFigures{"critical": {Passed: 4, Failed: 2, PassRate: rendertest.Ptr(0.667)}, "low": {Passed: 27, Failed: 7, PassRate: rendertest.Ptr(0.794)}},
			Histogram:  map[string]int{mode: 4, "instruction_override": 5},
			Indices:    risk.Indices{Exposure: rendertest.Ptr(0.2 + more), Resilience: rendertest.Ptr(0.8 - more), Fragility: rendertest.Ptr(0.1)},
			WorstCases: []risk.WorstCase{{SuiteID: r.Changes[0].SuiteID, CaseID: r.Changes[0].CaseID, Severity: "critical", WeightedRisk: 0.95, Unsafe: []string{text()}, Modes: []string{mode}}},
			Ranking:    []risk.RankedCategory{{Category: first, N: 20, MeanRisk: 0.3}, {Category: second, N: 20, MeanRisk: 0.1}},
		}
	}
	r.Risk, r.BaseRisk = side(0.05), side(0)
}

func always(text string) func() string { return func() string { return text } }

func TestRiskInWords(t *testing.T) {
	r := rendertest.FailedRun()
	probe(r, always("prompt_injection"))
	text := inWords(writePage(t, r, rendertest.Links(), report.ResultFinders{}))
	start := strings.Index(text, "## Risk")
	end := start + 1 + strings.Index(text[start+1:], "\n## ") + 1
	if start < 0 || end < start {
		t.Fatalf("the page lacks its part on risk:\n%s", text)
	}
	rendertest.Golden(t, "risk.html.txt", text[start:end])
}

func TestNamesOfRiskAreInert(t *testing.T) {
	for _, text := range rendertest.HostileTexts {
		r := rendertest.HostileRun(text, "x")
		probe(r, always(text))
		for _, fault := range pageFaults(writePage(t, r, rendertest.Links(), report.ResultFinders{})) {
			t.Errorf("%q: %s", text, fault)
		}
	}
}
