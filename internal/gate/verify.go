package gate

import (
	"fmt"
	"math"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// Verified counts the recorded cases that were asked live, to see whether the model still answers as recorded.
type Verified struct {
	Wanted   int    // cases that were to be asked
	Answered int    // of them, those that it is known of
	Why      string // the others are not; "" if there are none
}

// Verify names the recorded cases that the model was asked, and got wrong every time.
var Verify = Rule{
	Code: "verify", Level: config.Warn,
	Doc: "A sample of the recorded cases was asked live (`recordings.verify`). The model no longer says what is " +
		"recorded, or some could not be asked.",
	check: func(r *run) (found []finding) {
		var wrong names
		least, most := math.MaxInt, 0 // times that one of them was asked: an answer may have been lost
		for p := range r.Comparison.All() {
			if p.Head == nil {
				continue
			}
			asked, right := verifications(p.Head)
			if asked > 1 && right == 0 { // asked again, since the first answer was wrong
				wrong.add(p.SuiteID(), p.ID(), "")
				least, most = min(least, asked), max(most, asked)
			}
		}
		if v := r.Verified; v.Answered < v.Wanted {
			found = append(found, breach(warns, fmt.Sprintf("%d of %s could be verified: %s", v.Answered, text.Count(v.Wanted, "recorded case"), v.Why)))
		}
		return append(found, wrong.asFindings(warns, "the model no longer says what is recorded, asked "+times(least, most))...)
	},
}

// verifications counts the fresh answers that verify a recorded case, and the right ones.
func verifications(c *report.Case) (asked, right int) {
	for _, t := range c.Fresh {
		if t.Look != report.LookVerify {
			continue
		}
		if asked++; t.Passed {
			right++
		}
	}
	return asked, right
}

// times says how often each of several was asked.
func times(least, most int) string {
	if least < most {
		return fmt.Sprintf("%d to %d times", least, most)
	}
	return text.Count(most, "time")
}
