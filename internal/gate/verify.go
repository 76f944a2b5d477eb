package gate

import (
	"fmt"
	"math"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// Verified counts the recorded cases that were called live to verify their recordings.
type Verified struct {
	Wanted   int    // planned cases
	Answered int    // cases with a result
	Why      string // why other planned cases have no result; "" if all have one
}

// Verify reports recorded cases with only wrong live answers, and cases that could not be verified.
var Verify = Rule{
	Code: "verify", Level: config.Warn,
	Doc: "A sample of the recorded cases was asked live (`recordings.verify`). The model no longer says what is " +
		"recorded, or some could not be asked.",
	check: func(r *Run) (found []finding) {
		var wrong names
		least, most := math.MaxInt, 0 // calls of one case: answers may be missing
		for p := range r.Comparison.All() {
			if p.Head == nil {
				continue
			}
			asked, right := verifications(p.Head)
			if asked > 1 && right == 0 { // rerun because the first answer was wrong
				wrong.add(p.SuiteID(), p.ID(), "")
				least, most = min(least, asked), max(most, asked)
			}
		}
		if v := r.Verified; v.Answered < v.Wanted {
			found = append(found, newFinding(effectWarns, "%d of %s could be verified: %s", v.Answered,
				text.Count(v.Wanted, "recorded case"), v.Why))
		}
		return append(found, wrong.asFindings(effectWarns, "the model no longer says what is recorded, asked "+describeCalls(least, most))...)
	},
}

// verifications returns the number of verifying answers of a case, and how many of them are right.
func verifications(c *report.Case) (asked, right int) {
	for _, t := range c.Reruns {
		if t.RerunReason != report.RerunVerify {
			continue
		}
		if asked++; t.Passed {
			right++
		}
	}
	return asked, right
}

// describeCalls describes how often each of several cases was called.
func describeCalls(least, most int) string {
	if least < most {
		return fmt.Sprintf("%d to %d times", least, most)
	}
	return text.Count(most, "time")
}
