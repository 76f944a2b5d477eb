// Package expect is what a case expects of an answer: match modes, formats, assertions and policies, compiled once when
// the suite is loaded and then checked against answers. It does no I/O and decides no category.
package expect

// Expectation is what one case demands, compiled. The zero value demands nothing.
// It is read-only once made, so many answers can be checked against it at once.
type Expectation struct {
	Format     *Format      // nil: any
	Criteria   []*Match     // expected_response, and the string evaluators of *.prompt.yml
	Assertions []*Assertion // in the order of the file
}

// Unmet is a success criterion that an answer missed.
type Unmet struct {
	Criterion string `json:"criterion"` // expected_response, assert, overall_score, …
	Expected  string `json:"expected"`  // what was asked, cut to 300 runes
	Actual    string `json:"actual,omitempty"`
	Reason    string `json:"reason,omitempty"`   // why it could not be evaluated, or where it differs; of a rubric, what the judge says
	Severity  string `json:"severity,omitempty"` // of a rubric's criterion
}

// FormatFault says why an answer is not of the expected format.
type FormatFault struct {
	Message string // for JSON in the form: Unexpected token 'T' in JSON at position 0
}

// Empty reports that nothing is demanded.
func (e *Expectation) Empty() bool {
	return e == nil || e.Format == nil && len(e.Criteria) == 0 && len(e.Assertions) == 0
}

// Check judges an answer against all that is demanded of it. format is nil if the format is met or none is expected;
// unmet holds the missed criteria in the order of the file; repairs names the JSON heuristics that reading the answer took.
func (e *Expectation) Check(a *Answer, vars map[string]string) (format *FormatFault, unmet []Unmet, repairs []string) {
	if e.Empty() {
		return nil, nil, nil
	}
	if e.Format != nil {
		format = e.Format.check(a)
	}
	for _, m := range e.Criteria {
		if u := m.check(a); u != nil {
			unmet = append(unmet, *u)
		}
	}
	for _, as := range e.Assertions {
		if u := as.check(a, vars); u != nil {
			unmet = append(unmet, *u)
		}
	}
	return format, unmet, a.repairs()
}
