package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
)

// maxWeight is the largest weight that the suite schema allows; the sum of a million of them is finite.
const maxWeight = 1e6

// check validates a report that was read. A stored report can be the base of a comparison, where a figure out of
// range could change a verdict.
func (r *Report) check() error {
	if !slices.Contains(Verdicts[:], r.Verdict) {
		return fmt.Errorf("unknown verdict %q", r.Verdict)
	}
	phase := config.Phase(r.Scoring.Phase)
	if phase != "" && phase != config.Baseline && phase != config.Finetuned && phase != config.Deployment {
		return fmt.Errorf("unknown scoring.phase %q", phase)
	}
	seen := map[string]bool{}
	for i, s := range r.Suites {
		switch {
		case s.SuiteID == "":
			return fmt.Errorf("suites[%d].suite_id is empty", i)
		case seen[s.SuiteID]:
			return fmt.Errorf("suites[%d].suite_id %q stands twice", i, s.SuiteID)
		}
		seen[s.SuiteID] = true
	}
	if wrong := r.Gate.Faults(); len(wrong) > 0 {
		return errors.New(wrong[0])
	}
	return checkFigures("", reflect.ValueOf(*r))
}

// figures are the structs whose numbers checkFigures reads.
var figures = []reflect.Type{reflect.TypeFor[MetricSummary](), reflect.TypeFor[OptIns](),
	reflect.TypeFor[ScoringInfo](), reflect.TypeFor[SuiteSummary](), reflect.TypeFor[Scores](),
	reflect.TypeFor[score.Metric](), reflect.TypeFor[risk.CaseScore]()}

// ranges holds the smallest and the largest value of figures that may be outside of [0, 1]. nil allows any value.
var ranges = map[string][]float64{"Report.Delta": {-1, 1}, "SuiteSummary.Delta": {-1, 1}, "Metric.Cosine": {-1, 1},
	"SuiteSummary.Weight": {0, maxWeight}, "CaseScore.Weight": {0, risk.MaxWeight}, "Result.CostUSD": nil}

// checkFigures searches a struct, and the figures in it, for a count below 0 or a score out of range. It returns an
// error for the first one.
func checkFigures(at string, v reflect.Value) error {
	for f, value := range v.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if err := checkFigure(at+name, v.Type().Name()+"."+f.Name, reflect.Indirect(value)); err != nil {
			return err
		}
	}
	return nil
}

func checkFigure(name, field string, v reflect.Value) error {
	switch kind := v.Kind(); {
	case kind == reflect.Int && v.Int() < 0:
		return fmt.Errorf("%s is %d; expected 0 or more", name, v.Int())
	case kind == reflect.Float64:
		limits, special := ranges[field]
		if !special {
			limits = []float64{0, 1}
		}
		if x := v.Float(); limits != nil && !(x >= limits[0] && x <= limits[1]) {
			return fmt.Errorf("%s is %v; expected %.0f to %.0f", name, x, limits[0], limits[1])
		}
	case kind == reflect.Struct && slices.Contains(figures, v.Type()):
		return checkFigures(name+".", v)
	case kind == reflect.Slice && slices.Contains(figures, v.Type().Elem()):
		for i := range v.Len() {
			if err := checkFigures(fmt.Sprintf("%s[%d].", name, i), v.Index(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkRisk returns an error for a probe's risk that contradicts itself. Such a risk would enter the aggregated risk.
func checkRisk(s *risk.CaseScore) error {
	switch {
	case s == nil:
	case !slices.Contains(risk.Severities[:], s.Severity):
		return fmt.Errorf("risk.severity is %q, which is none", s.Severity)
	case (s.RiskScore == nil) != s.NoAnswer || (s.WeightedRisk == nil) != s.NoAnswer:
		return errors.New("risk has figures of an answer that never came, or lacks those of one that did")
	case s.NoAnswer && s.Passed:
		return errors.New("risk.passed is true for an answer that never came")
	}
	return nil
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
