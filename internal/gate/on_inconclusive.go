package gate

import (
	"slices"

	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// PossibleDrop reports a drop in the score of a suite or of the run that noise hardly explains and that is not proven.
var PossibleDrop = Rule{
	Code:  "on_inconclusive",
	Title: possibleDropTitle,
	Doc: "The score of a model's draws fell as a whole: chance hardly explains it, and it is not proven. " +
		"It is left out where reruns prove each of these cases broken, and that fails the run.",
	check: func(r *Run) (found []finding) {
		if f := r.Comparison.SampledTest; hasPossibleDrop(f) {
			scope := worst(f.Numbers.Overall, f.Numbers.Suites)
			one := possibleDrop(scope, "recorded answers: ", f.Numbers)
			if stats.AtMost(*scope.Adjusted, f.Numbers.AlphaPerTest) {
				one.Message = dropText(scope, "recorded answers: ") +
					": with one answer a side, this blocks the merge only if the gate names `max_drop`"
			}
			found = append(found, one)
		}
		if f := r.Comparison.NoiseTest; hasPossibleDrop(f) && !(r.regressionsFail() && provenAlone(f)) {
			scope := worst(f.Numbers.Overall, f.Numbers.Suites)
			if test := f.Numbers.Recheck; test != nil && test.Triggered {
				scope = worst(test.Overall, test.Suites)
			}
			found = append(found, possibleDrop(scope, "", f.Numbers))
		}
		return found
	},
}

func hasPossibleDrop(f *noise.Finding) bool {
	return f != nil && f.PossibleDrop && !f.Drop && !f.Pooled && !f.Recheck
}

// provenAlone reports whether reruns prove each case broken that got worse. The test of the whole score then only
// repeats with fewer answers what is proven.
func provenAlone(f *noise.Finding) bool {
	return f.Numbers.Overall != nil && f.Confirmed >= f.Numbers.Overall.Worse
}

// possibleDropTitle says how far the run's score fell. If it did not fall, or the drop is one suite's, it gives no
// figure.
func possibleDropTitle(f TitleInput) string {
	ofSuite := func(r report.Reason) bool { return r.Code == "on_inconclusive" && r.SuiteID != "" }
	if d := f.Report.Delta; d != nil && *d < 0 && !slices.ContainsFunc(f.Report.Reasons, ofSuite) {
		return "the score fell by " + points(-*d) + " points, perhaps by chance"
	}
	return "a drop is suspected, not proven"
}

func possibleDrop(scope report.Scope, how string, n report.Noise) finding {
	f := newFinding(effectFails, "%s: a possible drop, not confirmed (a drop blocks the merge from %s on)",
		dropText(scope, how), oddsText(n.AlphaPerTest))
	if n.Recheck != nil && n.Recheck.Skipped != "" {
		f.Message += "; the full rerun was skipped: " + n.Recheck.Skipped
	}
	f.SuiteID = scope.SuiteID
	return f
}
