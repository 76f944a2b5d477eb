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
	Equal   int
	unequal map[Reason][]string // the cases whose verdicts are not equal
}

// Reason is the reason why verdicts are not equal.
type Reason int

// The reasons, in the order in which they are tried.
const (
	Refused Reason = iota // failproof fails a refusal that the case does not expect
	Unread                // the answer needs a judge or a model
	Left                  // an assertion of the case was not converted
	Unknown               // nothing explains it
)

var reasons = [...]string{
	Refused: "a refusal passes only with `expected_classification: refusal`",
	Unread:  "not judged without a model: a criterion of a judge, or similarity in meaning",
	Left:    "an assertion was not converted",
	Unknown: "not explained",
}

// Check compares results of the converted suites, in the form of results.jsonl, with promptfoo's verdicts on the same
// answers.
func (i Result) Check(results io.Reader) (c Check, err error) {
	c.unequal = map[Reason][]string{}
	err = report.Results(results, func(r report.Result, _ report.Ref) error {
		theirs, known := i.answers[trial{r.SuiteID, r.CaseID, r.Trial}]
		if !known {
			return nil
		}
		category := r.Classification.Primary
		why := Unknown
		switch {
		case r.Classification.Unscored(): // there is no verdict to compare
			why = Unread
		case theirs.Passed == (category == classify.Pass):
			c.Equal++
			return nil
		case theirs.Passed && category == classify.Refusal:
			why = Refused
		case theirs.Left:
			why = Left
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

// Of returns the number of verdicts that differ for a reason.
func (c Check) Of(why Reason) int { return len(c.unequal[why]) }

// String returns a table with a line for each reason and its first cases.
func (c Check) String() string {
	all := c.Equal
	for _, cases := range c.unequal {
		all += len(cases)
	}
	var b strings.Builder
	unread := c.Of(Unread)
	fmt.Fprintf(&b, "%s: %d equal, %d differ, %d not judged here\n", text.Count(all, "stored answer"), c.Equal,
		all-c.Equal-unread, unread)
	const named = 3
	for why, says := range reasons {
		cases := c.unequal[Reason(why)]
		if len(cases) == 0 {
			continue
		}
		slices.SortStableFunc(cases, cmp.Compare[string])
		fmt.Fprintf(&b, "%6d  %s\n        %s", len(cases), says, strings.Join(cases[:min(len(cases), named)], ", "))
		if more := len(cases) - named; more > 0 {
			fmt.Fprintf(&b, " and %d more", more)
		}
		b.WriteString("\n")
	}
	return b.String()
}
