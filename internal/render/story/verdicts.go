package story

import (
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// recordVerdicts returns the step after the merge of a change that makes recorded verdicts stale, or nil.
func recordVerdicts(v *Story) []string {
	n := verdictsOf(v, func(c config.Change) int { return c.StaleVerdicts })
	if n == 0 {
		return nil
	}
	return []string{"The new judge makes " + show.Count(n, "recorded verdict") + " stale. After the merge, record " +
		show.Agree(n, "it", "them") + " with `failproof record`, in a pull request of its own."}
}

// earlyVerdicts returns the step of a change that brings a new judge together with its verdicts, or "".
func earlyVerdicts(v *Story) string {
	n := verdictsOf(v, func(c config.Change) int { return c.EarlyVerdicts })
	if n == 0 {
		return ""
	}
	return show.Count(n, "recorded verdict") + show.Agree(n, " is", " are") +
		" of the judge that this change proposes, and the base’s judge grades it. Record them with that judge here: " +
		"`failproof record --base REVISION`. After the merge, record them with the new judge: " +
		"`failproof record`, in a pull request of its own."
}

func verdictsOf(v *Story, count func(config.Change) int) (n int) {
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
