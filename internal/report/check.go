package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/failproof/failproof/internal/config"
)

// maxWeight is what the suite schema allows a suite to weigh; the sum of a million of them is finite.
const maxWeight = 1e6

// maxTrials is what the configuration allows of answers to a case.
const maxTrials = 100

// check holds a report that was read against what failproof writes: a stored report can be the base of a comparison, and
// a figure out of range there would move the verdict of a later run, or make a number that no report can hold.
func (r *Report) check() error {
	if !slices.Contains(Verdicts[:], r.Verdict) {
		return fmt.Errorf("unknown verdict %q", r.Verdict)
	}
	scores := map[string]*float64{"run_score": r.RunScore, "held_run_score": r.HeldRunScore, "base_run_score": r.BaseRunScore, "micro_score": r.MicroScore,
		"answered_score": r.AnsweredScore, "overall_score": r.OverallScore, "base_overall_score": r.BaseOverall, "scoring.min_run_score": r.Scoring.MinRunScore}
	counts := map[string]int{"cases": r.Cases, "passed_cases": r.PassedCases, "trials": r.Trials, "unscored": r.Unscored,
		"unverified": r.Unverified, "kept_by_hand": r.KeptByHand, "quarantined": r.Quarantined, "delta_cases": r.DeltaCases, "held_cases": r.HeldCases}
	phase := config.Phase(r.Scoring.Phase)
	if phase != "" && phase != config.Baseline && phase != config.Finetuned && phase != config.Deployment {
		return fmt.Errorf("unknown scoring.phase %q", phase)
	}
	return errors.Join(first(inRange("", scores)), first(notNegative("", counts)), checkDelta("delta", r.Delta), r.checkSuites(), checkGate(r.Gate),
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
	return first(inRange(at+"opt_ins.", map[string]*float64{"penalty_score": o.Penalty, "base_penalty_score": o.BasePenalty,
		"latency_score": o.Latency, "base_latency_score": o.BaseLatency}))
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
		scores := map[string]*float64{"score": s.Score, "held_score": s.HeldScore, "base_score": s.BaseScore, "overall_score": s.OverallScore, "base_overall_score": s.BaseOverall,
			"min_score": s.MinScore}
		counts := map[string]int{"cases": s.Cases, "passed": s.Passed, "unverified": s.Unverified, "kept_by_hand": s.KeptByHand, "quarantined": s.Quarantined, "unscored": s.Unscored, "held_cases": s.HeldCases}
		if err := errors.Join(first(inRange(at, scores)), first(notNegative(at, counts)), checkDelta(at+"delta", s.Delta),
			checkMetrics(at, s.Metrics), s.OptIns.check(at)); err != nil {
			return err
		}
	}
	return nil
}

// checkGate refuses a gate that a configuration could not have set.
func checkGate(g *config.Gate) error {
	if g == nil {
		return nil
	}
	shares := map[string]config.Rule{"min_run_score": g.MinRunScore, "max_drop": g.MaxDrop, "max_unscored": g.MaxUnscored,
		"max_exposure": g.MaxExposure, "min_severity_weighted_pass_rate": g.MinWeighted}
	numbers := map[string]config.Rule{"max_regressions": g.MaxRegressions, "max_unverified": g.MaxUnverified, "min_cases": g.MinCases,
		"max_high_stakes_failures": g.MaxHighStakes}
	levels := map[string]config.Level{"on_removed": g.OnRemoved, "on_redefined": g.OnRedefined, "on_policy_change": g.OnPolicyChange, "on_inconclusive": g.OnInconclusive,
		"on_must_pass_change": g.OnMustPassChange, "on_unasked_prompt": g.OnUnaskedPrompt,
		"on_expectation_removed": g.OnExpectationRemoved}
	var wrong []string
	if g.FailOn != config.FailOnError && g.FailOn != config.FailOnNever {
		wrong = append(wrong, fmt.Sprintf("gate.fail_on is %q; expected error or never", g.FailOn))
	}
	for key, rule := range shares {
		levels[key] = rule.Level
		wrong = append(wrong, inRange("gate.", map[string]*float64{key: &rule.Value})...)
	}
	for key, rule := range numbers {
		levels[key] = rule.Level
		if !(rule.Value >= 0 && rule.Value <= math.MaxInt32) {
			wrong = append(wrong, fmt.Sprintf("gate.%s is %v; expected 0 or more", key, rule.Value))
		}
	}
	for key, level := range levels {
		if level != config.Off && level != config.Warn && level != config.Err {
			wrong = append(wrong, fmt.Sprintf("gate.%s has the level %q; expected off, warn or error", key, level))
		}
	}
	return first(append(wrong, checkNoise(g)...))
}

// checkNoise refuses settings of the statistics that a configuration could not have set.
func checkNoise(g *config.Gate) (wrong []string) {
	counts := map[string]int{"trials": g.Trials, "confirm": g.Confirm}
	if g.Recheck != nil {
		counts["recheck"] = *g.Recheck
	}
	if !(g.Alpha >= 0 && g.Alpha < 1) {
		wrong = append(wrong, fmt.Sprintf("gate.alpha is %v; expected 0.001 to 0.05", g.Alpha))
	}
	for key, n := range counts {
		if n < 0 || n > maxTrials {
			wrong = append(wrong, fmt.Sprintf("gate.%s is out of range", key))
		}
	}
	return wrong
}

// inRange tells which scores are outside of [0, 1].
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

// first is the fault that comes first by its text, so that equal reports have equal faults; nil if there is none.
func first(wrong []string) error {
	if len(wrong) == 0 {
		return nil
	}
	return errors.New(slices.Min(wrong))
}

// explain says what is wrong with a text that is no such document, without the names of our types.
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
