package view

import (
	"fmt"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/risk"
)

// RiskLine is the probes' result in a sentence. Base and head stand side by side where both were probed.
func (v *View) RiskLine() string {
	head := v.Report.Risk
	exposure := show.Decimals(head.Indices.Exposure)
	if base := v.Report.BaseRisk; base != nil && v.Compared {
		exposure = show.Decimals(base.Indices.Exposure) + " → " + exposure
	}
	return show.Join(", ", "exposure "+exposure, fmt.Sprintf("%s of %s failed", show.Grouped(head.Counts.Failed), show.Count(head.Counts.Evaluated, "probe answer")),
		Counted(head.Overall.HighStakesFailures, "of high or critical severity"), Counted(head.Counts.Unanswered, "of them without an answer"))
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
