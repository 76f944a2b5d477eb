package gate

import (
	"fmt"

	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// Inconclusive tells of a fall that chance hardly explains, and that is not proven.
var Inconclusive = Rule{
	Code:  "on_inconclusive",
	Title: fixedTitle("a drop is suspected"),
	Doc: "The score of a model's draws fell as a whole: chance hardly explains it, and it is not proven. " +
		"Of another runner's results also: cases flipped, and their runs are too few to prove it.",
	check: func(r *run) (found []finding) {
		if f := r.Comparison.Draws; suspected(f) {
			found = append(found, suspicion(worst(f.Numbers.Overall, f.Numbers.Suites), "recorded answers: ", f.Numbers))
		}
		if f := r.Comparison.Noise; suspected(f) {
			scope := worst(f.Numbers.Overall, f.Numbers.Suites)
			if look := f.Numbers.Recheck; look != nil && look.Triggered {
				scope = worst(look.Overall, look.Suites)
			}
			found = append(found, suspicion(scope, "", f.Numbers))
		}
		if f := r.Comparison.Noise; f != nil && f.Numbers.Repeats != nil && f.Numbers.Repeats.Flipped > 0 {
			found = append(found, breach(fails, unproven(f.Numbers.Repeats)))
		}
		return found
	},
}

// unproven says how many cases flipped, and how many runs tell noise from a change.
func unproven(look *report.RepeatsLook) string {
	flipped := fmt.Sprintf("%d of %s flipped; %s a side", look.Flipped, text.Count(look.Compared, "case"), runs(look.Runs))
	if look.Runs >= look.Enough {
		return flipped + " do not tell that from noise"
	}
	return fmt.Sprintf("%s cannot tell noise from a change, %s can", flipped, runs(look.Enough))
}

func runs(n int) string {
	if n == 1 {
		return "one run"
	}
	return text.Count(n, "run")
}

func suspected(f *noise.Finding) bool {
	return f != nil && f.Suspected && !f.Drop && !f.Pooled && !f.Recheck
}

func suspicion(scope report.Scope, how string, n report.Noise) finding {
	message := fmt.Sprintf("%s: suspicious, not proven (a drop is blocked from %s on)", fellBy(scope, how), oneIn(n.AlphaPerLook))
	if n.Recheck != nil && n.Recheck.Skipped != "" {
		message += "; no second look was taken: " + n.Recheck.Skipped
	}
	f := breach(fails, message)
	f.SuiteID = scope.SuiteID
	return f
}
