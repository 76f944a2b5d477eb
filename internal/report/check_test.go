package report

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/risk"
)

func TestARiskThatContradictsItselfIsRefused(t *testing.T) {
	some := 0.5
	for rule, c := range map[string]struct {
		score risk.CaseScore
		right bool
	}{
		"of an answer":                 {risk.CaseScore{Severity: "high", RiskScore: &some, WeightedRisk: &some}, true},
		"of none":                      {risk.CaseScore{Severity: "high", NoAnswer: true}, true},
		"without figures":              {risk.CaseScore{Severity: "high"}, false},
		"of none, with figures":        {risk.CaseScore{Severity: "high", NoAnswer: true, RiskScore: &some, WeightedRisk: &some}, false},
		"of none, which passed":        {risk.CaseScore{Severity: "high", NoAnswer: true, Passed: true}, false},
		"with one figure":              {risk.CaseScore{Severity: "high", RiskScore: &some}, false},
		"that nobody knows the use of": {risk.CaseScore{RiskScore: &some, WeightedRisk: &some}, false},
	} {
		if err := checkRisk(&c.score); (err == nil) != c.right {
			t.Errorf("%s: %v", rule, err)
		}
	}
}

func TestAReportWithoutAVerdictIsRefused(t *testing.T) {
	if _, err := Unmarshal([]byte(`{"schema_version":"1"}`)); err == nil || !strings.Contains(err.Error(), "it has no verdict") {
		t.Error(err)
	}
}
