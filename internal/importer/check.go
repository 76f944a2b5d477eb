package importer

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// Check is a comparison of promptfoo's verdicts with those of the converted suites on the same answers.
type Check struct {
	equalCount   int
	unequalCases map[string][]string // by reason: the cases whose verdicts are not equal
}

// Reasons why verdicts are not equal.
const (
	reasonRefusal     = "a refusal passes only with `expected_classification: refusal`"
	reasonUnscored    = "not judged without a model: a criterion of a judge, or similarity in meaning"
	reasonUnconverted = "an assertion was not converted"
	reasonUnknown     = "not explained"
)

// Check compares results of the converted suites, in the form of results.jsonl, with promptfoo's verdicts.
func (i Result) Check(results io.Reader) (c Check, err error) {
	c.unequalCases = map[string][]string{}
	err = report.ReadResults(results, func(r report.Result, _ report.Ref) error {
		stored, known := i.byTrial[trial{r.SuiteID, r.CaseID, r.Trial}]
		if !known {
			return nil
		}
		category := r.Classification.Primary
		why := reasonUnknown
		switch {
		case r.Classification.Unscored(): // no verdict, so none that is equal
			why = reasonUnscored
		case stored.Passed == (category == classify.Pass):
			c.equalCount++
			return nil
		case stored.Passed && category == classify.Refusal:
			why = reasonRefusal
		case stored.Unconverted:
			why = reasonUnconverted
		}
		c.unequalCases[why] = append(c.unequalCases[why], fmt.Sprintf("%s/%s (%s there, %s here)", r.SuiteID, r.CaseID,
			map[bool]string{true: "passed", false: "failed"}[stored.Passed], category))
		return nil
	})
	return c, err
}

// AllExplained reports whether each difference has a known reason.
func (c Check) AllExplained() bool { return len(c.unequalCases[reasonUnknown]) == 0 }

// String returns a table with a line for each reason and its first cases.
func (c Check) String() string {
	total := c.equalCount
	for _, cases := range c.unequalCases {
		total += len(cases)
	}
	var b strings.Builder
	unjudged := len(c.unequalCases[reasonUnscored])
	fmt.Fprintf(&b, "%s: %d equal, %d differ, %d not judged here\n", text.Count(total, "stored answer"), c.equalCount,
		total-c.equalCount-unjudged, unjudged)
	const named = 3
	// in the order of printing
	for _, why := range []string{reasonRefusal, reasonUnscored, reasonUnconverted, reasonUnknown} {
		cases := c.unequalCases[why]
		if len(cases) == 0 {
			continue
		}
		slices.Sort(cases)
		fmt.Fprintf(&b, "%6d  %s\n        %s", len(cases), why, strings.Join(cases[:min(len(cases), named)], ", "))
		if more := len(cases) - named; more > 0 {
			fmt.Fprintf(&b, " and %d more", more)
		}
		b.WriteString("\n")
	}
	return b.String()
}
