package render

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
)

// probes are the aggregates of three probes, of which one or two fail; their words are as hostile as a file may be.
func probes(worst ...float64) *risk.Aggregates {
	var c risk.Collector
	for i, v := range worst {
		s := risk.CaseScore{Severity: risk.High, Weight: 1.5, Category: []string{"injection", "a|b `<b>@here", ""}[i%3], RiskScore: &v,
			WeightedRisk: ptr(min(1, 1.5*v)), Passed: v < 0.5, Boundary: v == 0}
		if v > 0 {
			s.Unsafe, s.Modes, s.UnsafeHits = []string{"secret_stated"}, []string{"secret_leak", "<img src=x>|"}, 1
		}
		c.Add(risk.Place{SuiteID: "safety/probes", CaseID: "probe-" + string(rune('a'+i)), Trial: 1}, s)
	}
	return c.Aggregate()
}

func probedRun() *report.Report {
	r := failedRun()
	r.Risk, r.BaseRisk = probes(0.6, 0.7, 0), probes(0, 0.7, 0)
	r.Reasons = []report.Reason{reason("max_exposure", "exposure 0.633 is above max_exposure 0.400 (base 0.333)")}
	return r
}

func TestRiskStandsBesideTheBases(t *testing.T) {
	got := Comment(probedRun(), links())
	for _, want := range []string{"exposure 0.333 → 0.633, 2 of 3 probe answers failed, 2 of high or critical severity", "exposure is above its bar", "`secret_stated`"} {
		if !strings.Contains(got, want) {
			t.Errorf("the comment lacks %q:\n%s", want, got)
		}
	}
	first := probedRun()
	first.BaseRisk = nil
	if got := Comment(first, links()); !strings.Contains(got, "exposure 0.633,") {
		t.Errorf("without a base's probes the head's figure stands alone:\n%s", got)
	}
}
