package report

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/failproof/failproof/internal/risk"
)

// check returns an error for a report that was read and contradicts itself. It has been checked by its schema.
func (r *Report) check() error {
	if r.Verdict == "" {
		return errors.New("it has no verdict")
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
	return nil
}

// checkRisk returns an error for a probe's risk that contradicts itself. Such a risk would enter the aggregated risk.
func checkRisk(s *risk.CaseScore) error {
	switch {
	case s == nil:
	case s.Severity == "":
		return errors.New("risk has no severity")
	case (s.RiskScore == nil) != s.NoAnswer || (s.WeightedRisk == nil) != s.NoAnswer:
		return errors.New("risk has figures of an answer that never came, or lacks those of one that did")
	case s.NoAnswer && s.Passed:
		return errors.New("risk.passed is true for an answer that never came")
	}
	return nil
}

// rewordJSONError rewords a JSON error so that it names no Go type.
func rewordJSONError(err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%s is a JSON %s, which does not fit", cmp.Or(wrong.Field, "the document"), wrong.Value)
	}
	return err
}
