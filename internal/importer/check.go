package importer

import (
	"cmp"
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
	equal   int
	unequal map[string][]string // by reason: the cases whose verdicts are not equal
}

// Reasons why verdicts are not equal.
const (
	refused     = "a refusal passes only with `expected_classification: refusal`"
	unread      = "not judged without a model: a criterion of a judge, or similarity in meaning"
	left        = "an assertion was not converted"
	unexplained = "not explained"
)

// Check compares results of the converted suites, in the form of results.jsonl, with promptfoo's verdicts.
func (i Result) Check(results io.Reader) (c Check, err error) {
	c.unequal = map[string][]string{}
	err = report.Results(results, func(r report.Result, _ report.Ref) error {
		theirs, known := i.answers[trial{r.SuiteID, r.CaseID, r.Trial}]
		if !known {
			return nil
		}
		category := r.Classification.Primary
		why := unexplained
		switch {
		case r.Classification.Unscored(): // no verdict, so none that is equal
			why = unread
		case theirs.Passed == (category == classify.Pass):
			c.equal++
			return nil
		case theirs.Passed && category == classify.Refusal:
			why = refused
		case theirs.Left:
			why = left
		}
		c.unequal[why] = append(c.unequal[why], fmt.Sprintf("%s/%s (%s there, %s here)", r.SuiteID, r.CaseID,
			passed(theirs.Passed), category))
		return nil
	})
	return c, err
}

func passed(yes bool) string {
	if yes {
		return "passed"
	}
	return "failed"
}

// Explains reports whether each difference has a known reason.
func (c Check) Explains() bool { return len(c.unequal[unexplained]) == 0 }

// String returns a table with a line for each reason and its first cases.
func (c Check) String() string {
	all := c.equal
	for _, cases := range c.unequal {
		all += len(cases)
	}
	var b strings.Builder
	unjudged := len(c.unequal[unread])
	fmt.Fprintf(&b, "%s: %d equal, %d differ, %d not judged here\n", text.Count(all, "stored answer"), c.equal,
		all-c.equal-unjudged, unjudged)
	const named = 3
	for _, why := range []string{refused, unread, left, unexplained} { // in the order of printing
		cases := c.unequal[why]
		if len(cases) == 0 {
			continue
		}
		slices.SortStableFunc(cases, cmp.Compare[string])
		fmt.Fprintf(&b, "%6d  %s\n        %s", len(cases), why, strings.Join(cases[:min(len(cases), named)], ", "))
		if more := len(cases) - named; more > 0 {
			fmt.Fprintf(&b, " and %d more", more)
		}
		b.WriteString("\n")
	}
	return b.String()
}
