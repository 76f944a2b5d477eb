// Package expect is what a case expects of an answer: match modes, formats, assertions and policies, compiled once when
// the suite is loaded and then checked against answers. It does no I/O and decides no category.
package expect

// Expectation is what one case demands, compiled. The zero value demands nothing.
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
	Reason    string `json:"reason,omitempty"` // why it could not be evaluated, or where it differs
}
