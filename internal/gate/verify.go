package gate

import (
	"fmt"
	"math"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/text"
)

// Verified says which recorded cases were to be called live, to verify their recordings.
type Verified struct {
	Wanted int    // planned cases
	Why    string // why some of them have no result; "" if all have one
}

// Verify reports recorded cases with only wrong live answers, and cases that could not be verified.
var Verify = Rule{
	Code: "verify", Level: config.Warn,
	Doc: "A sample of the recorded cases was asked live (`recordings.verify`). The model no longer says what is " +
		"recorded, or some could not be asked.",
	check: func(r *Run) (found []finding) {
		var wrong names
		answered := 0
		least, most := math.MaxInt, 0 // calls of one case: answers may be missing
		for p := range r.Comparison.All() {
			if p.Head == nil {
				continue
			}
			asked, right := p.Head.Verifications()
			if asked > 1 || right > 0 { // one wrong answer is no result
				answered++
			}
			if asked > 1 && right == 0 {
				wrong.add(p.SuiteID(), p.ID(), "")
				least, most = min(least, asked), max(most, asked)
			}
		}
		if v := r.Verified; answered < v.Wanted {
			found = append(found, newFinding(effectWarns, "%d of %s could be verified: %s", answered,
				text.Count(v.Wanted, "recorded case"), v.Why))
		}
		return append(found, wrong.asFindings(effectWarns, "the model no longer says what is recorded, asked "+describeCalls(least, most))...)
	},
}

// describeCalls describes how often each of several cases was called.
func describeCalls(least, most int) string {
	if least < most {
		return fmt.Sprintf("%d to %d times", least, most)
	}
	return text.Count(most, "time")
}
