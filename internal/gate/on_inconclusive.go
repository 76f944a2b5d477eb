package gate

import (
	"fmt"

	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
)

// Inconclusive reports a possible drop: unlikely to be noise, but not proven.
var Inconclusive = Rule{
	Code:  "on_inconclusive",
	Title: fixedTitle("a drop is suspected"),
	Doc:   "The score of a model's draws fell as a whole: chance hardly explains it, and it is not proven.",
	check: func(r *run) (found []finding) {
		if f := r.Comparison.Samples; suspected(f) {
			found = append(found, suspicion(worst(f.Numbers.Overall, f.Numbers.Suites), "recorded answers: ", f.Numbers))
		}
		if f := r.Comparison.Noise; suspected(f) {
			scope := worst(f.Numbers.Overall, f.Numbers.Suites)
			if look := f.Numbers.Recheck; look != nil && look.Triggered {
				scope = worst(look.Overall, look.Suites)
			}
			found = append(found, suspicion(scope, "", f.Numbers))
		}
		return found
	},
}

func suspected(f *noise.Finding) bool {
	return f != nil && f.Suspected && !f.Drop && !f.Pooled && !f.Recheck
}

func suspicion(scope report.Scope, how string, n report.Noise) finding {
	text := fmt.Sprintf("%s: a possible drop, not confirmed (a drop blocks the merge from %s on)", fellBy(scope, how), oneIn(n.AlphaPerLook))
	if n.Recheck != nil && n.Recheck.Skipped != "" {
		text += "; the full rerun was skipped: " + n.Recheck.Skipped
	}
	f := breach(fails, text)
	f.SuiteID = scope.SuiteID
	return f
}
