package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/risk"
)

// maxWeight is the largest weight that the suite schema allows; the sum of a million of them is finite.
const maxWeight = 1e6

// check validates a report that was read. A stored report can be the base of a comparison, where a figure out of
// range could change a verdict.
func (r *Report) check() error {
	if !slices.Contains(Verdicts[:], r.Verdict) {
		return fmt.Errorf("unknown verdict %q", r.Verdict)
	}
	scores := map[string]*float64{"run_score": r.RunScore, "run_score_without_new": r.HeldRunScore,
		"base_run_score": r.BaseRunScore, "micro_score": r.MicroScore,
		"answered_score": r.AnsweredScore, "overall_score": r.OverallScore, "base_overall_score": r.BaseOverall,
		"scoring.min_run_score": r.Scoring.MinRunScore}
	counts := map[string]int{"cases": r.Cases, "passed_cases": r.PassedCases, "trials": r.Trials,
		"unscored":   r.Unscored,
		"unverified": r.Unverified, "kept_by_hand": r.KeptByHand, "quarantined": r.Quarantined,
		"delta_cases": r.DeltaCases, "cases_without_new": r.HeldCases}
	phase := config.Phase(r.Scoring.Phase)
	if phase != "" && phase != config.Baseline && phase != config.Finetuned && phase != config.Deployment {
		return fmt.Errorf("unknown scoring.phase %q", phase)
	}
	return errors.Join(first(inRange("", scores)), first(notNegative("", counts)), checkDelta("delta", r.Delta),
		r.checkSuites(), first(r.Gate.Faults()),
		checkMetrics("", r.Metrics), r.OptIns.check(""))
}

func checkMetrics(at string, metrics []MetricSummary) error {
	for i, m := range metrics {
		at := fmt.Sprintf("%smetrics[%d].", at, i)
		scores := map[string]*float64{"weight": &m.Weight, "value": m.Value, "base_value": m.BaseValue}
		counts := map[string]int{"answers": m.Answers, "degraded": m.Degraded}
		if err := errors.Join(first(inRange(at, scores)), first(notNegative(at, counts))); err != nil {
			return err
		}
	}
	return nil
}

func (o OptIns) check(at string) error {
	return first(inRange(at+"opt_ins.", map[string]*float64{"penalty_score": o.Penalty,
		"base_penalty_score": o.BasePenalty,
		"latency_score":      o.Latency, "base_latency_score": o.BaseLatency}))
}

func (r *Report) checkSuites() error {
	seen := map[string]bool{}
	for i, s := range r.Suites {
		at := fmt.Sprintf("suites[%d].", i)
		switch {
		case s.SuiteID == "":
			return fmt.Errorf("%ssuite_id is empty", at)
		case seen[s.SuiteID]:
			return fmt.Errorf("%ssuite_id %q stands twice", at, s.SuiteID)
		case !(s.Weight >= 0 && s.Weight <= maxWeight):
			return fmt.Errorf("%sweight is %v; expected 0 to %d", at, s.Weight, int(maxWeight))
		}
		seen[s.SuiteID] = true
		scores := map[string]*float64{"score": s.Score, "score_without_new": s.HeldScore, "base_score": s.BaseScore,
			"overall_score": s.OverallScore, "base_overall_score": s.BaseOverall,
			"min_score": s.MinScore}
		counts := map[string]int{"cases": s.Cases, "passed": s.Passed, "unverified": s.Unverified,
			"kept_by_hand": s.KeptByHand, "quarantined": s.Quarantined, "unscored": s.Unscored,
			"cases_without_new": s.HeldCases}
		if err := errors.Join(first(inRange(at, scores)), first(notNegative(at, counts)),
			checkDelta(at+"delta", s.Delta),
			checkMetrics(at, s.Metrics), s.OptIns.check(at)); err != nil {
			return err
		}
	}
	return nil
}

// checkRisk returns an error for figures out of range, because they would enter the aggregated risk.
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

// inRange returns an error text for each score outside of [0, 1].
func inRange(at string, scores map[string]*float64) (wrong []string) {
	for key, v := range scores {
		if v != nil && !(*v >= 0 && *v <= 1) {
			wrong = append(wrong, fmt.Sprintf("%s%s is %v; expected 0 to 1", at, key, *v))
		}
	}
	return wrong
}

func notNegative(at string, counts map[string]int) (wrong []string) {
	for key, n := range counts {
		if n < 0 {
			wrong = append(wrong, fmt.Sprintf("%s%s is %d; expected 0 or more", at, key, n))
		}
	}
	return wrong
}

func checkDelta(key string, v *float64) error {
	if v != nil && !(*v >= -1 && *v <= 1) {
		return fmt.Errorf("%s is %v; expected -1 to 1", key, *v)
	}
	return nil
}

// first returns the text that sorts first as an error, because map order is random; nil if there is none.
func first(wrong []string) error {
	if len(wrong) == 0 {
		return nil
	}
	return errors.New(slices.Min(wrong))
}

// explain rewords a JSON error so that it names no Go type.
func explain(err error) error {
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return errors.New("the JSON value is cut off")
	case errors.As(err, &wrong) && wrong.Field == "":
		return fmt.Errorf("the document is a JSON %s; expected an object", wrong.Value)
	case errors.As(err, &wrong):
		return fmt.Errorf("%s is a JSON %s, which does not fit", wrong.Field, wrong.Value)
	}
	return err
}
