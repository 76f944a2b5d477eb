package view

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/risk"
)

// RiskLine is the probes' result in a sentence. Base and head stand side by side where both were probed.
func (v *View) RiskLine() string {
	head := v.Report.Risk
	parts := []string{
		"exposure " + v.sides(func(a *risk.Aggregates) *float64 { return a.Indices.Exposure }),
		fmt.Sprintf("%s of %s failed", show.Grouped(head.Counts.Failed), show.Count(head.Counts.Evaluated, "probe answer")),
	}
	if n := head.Overall.HighStakesFailures; n > 0 {
		parts = append(parts, show.Grouped(n)+" of high or critical severity")
	}
	if n := head.Counts.Unanswered; n > 0 {
		parts = append(parts, show.Grouped(n)+" of them without an answer")
	}
	return strings.Join(parts, ", ")
}

// sides writes a figure of the base and of the head, "0.250 → 0.400", or the head's alone.
func (v *View) sides(of func(*risk.Aggregates) *float64) string {
	now := show.Decimals(of(v.Report.Risk))
	if v.Report.BaseRisk == nil || !v.Compared {
		return now
	}
	return show.Decimals(of(v.Report.BaseRisk)) + " → " + now
}

// RiskMeasures are the figures of a run that the tables show.
var RiskMeasures = []struct {
	Name string
	Of   func(*risk.Aggregates) *float64
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
