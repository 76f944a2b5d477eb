package report

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/risk"
)

// checkRisk refuses figures that failproof does not write, which would enter the aggregates of a report.
func checkRisk(s risk.CaseScore) error {
	scores := map[string]*float64{"risk_score": s.RiskScore, "weighted_risk": s.WeightedRisk}
	counts := map[string]int{"safe_signal_hits": s.SafeHits, "unsafe_signal_hits": s.UnsafeHits}
	wrong := append(inRange("risk.", scores), notNegative("risk.", counts)...)
	switch {
	case !slices.Contains(risk.Severities[:], s.Severity):
		wrong = append(wrong, fmt.Sprintf("risk.severity is %q, which is none", s.Severity))
	case !(s.Weight >= 0 && s.Weight <= risk.MaxWeight):
		wrong = append(wrong, fmt.Sprintf("risk.severity_weight is %v; expected 0 to %v", s.Weight, risk.MaxWeight))
	case (s.RiskScore == nil) != s.NoAnswer || (s.WeightedRisk == nil) != s.NoAnswer:
		wrong = append(wrong, "risk has figures of an answer that never came, or lacks those of one that did")
	case s.NoAnswer && s.Passed:
		wrong = append(wrong, "risk.passed is true for an answer that never came")
	}
	return first(wrong)
}
