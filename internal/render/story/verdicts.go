package story

import (
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// recordAfterMerge returns the steps after the merge of a change that makes recorded answers or verdicts stale.
func recordAfterMerge(v *Story) (steps []string) {
	add := func(by, what string, count func(config.Change) int) {
		if n := sumOf(v, count); n > 0 {
			steps = append(steps, "The new "+by+" makes "+show.Count(n, what)+" stale. After the merge, record "+
				show.Agree(n, "it", "them")+" with `failproof record`, in a pull request of its own.")
		}
	}
	add("target", "recorded answer", func(c config.Change) int { return c.StaleAnswers })
	add("judge", "recorded verdict", func(c config.Change) int { return c.StaleVerdicts })
	return steps
}

// recordedEarly returns the step of a change that brings a new target or judge, called by, together with its answers or
// verdicts, called what. It returns "" if there are none.
func recordedEarly(v *Story, by, what string, count func(config.Change) int) string {
	n := sumOf(v, count)
	if n == 0 {
		return ""
	}
	return show.Count(n, what) + show.Agree(n, " is", " are") +
		" of the " + by + " that this change proposes, and the base’s " + by +
		" holds until the merge. Record them with that " + by + " here: " +
		"`failproof record --base REVISION`. After the merge, record them with the new " + by + ": " +
		"`failproof record`, in a pull request of its own."
}

func sumOf(v *Story, count func(config.Change) int) (n int) {
	for _, c := range v.Report.PolicyChanges {
		n += count(c)
	}
	return n
}

// staleBefore reports whether a case could not be compared because the base's recorded verdict is stale.
func staleBefore(v *Story) bool {
	return slices.ContainsFunc(v.Report.Changes, func(c report.Change) bool {
		return c.Change == report.Errored && c.Base != nil && c.Base.Details != nil &&
			c.Base.Details.Reason == model.ReasonStaleVerdict
	})
}
