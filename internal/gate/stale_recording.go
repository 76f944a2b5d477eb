package gate

import (
	"fmt"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/text"
)

// StaleRecording reports stale recordings: answers to another request than the current one. Depending on
// `recordings.stale`, the case was called live or the answer counts.
var StaleRecording = Rule{
	Code: model.ReasonStale, Level: config.Warn,
	Doc: "A recorded answer was made for another request than the one of today. With `recordings.stale: ask` the " +
		"case was asked live in its place; with `warn` the answer counts as it is.",
	check: func(r *Run) (found []finding) {
		stale := func(live bool) names {
			return namesOf(r.Comparison, func(p *compare.Case) bool {
				return p.Head != nil && p.Head.Stale && p.Head.Live == live && !p.Quarantined
			})
		}
		if asked := stale(true); asked.n > 0 {
			found = append(found, asked.withCases(newFinding(effectWarns,
				"%s run live because the recording is stale: %s; %s", text.Count(asked.n, "case was", "cases were"),
				asked.text(), patchMessage(r.PatchedCases, asked.n))))
		}
		kept := stale(false)
		return append(found, kept.asFindings(effectWarns, text.Count(kept.n, "recording is stale, and counted as it "+
			"is", "recordings are stale, and counted as they are"))...)
	},
}

// patchMessage returns a message about the patch of new recordings. asked is the number of cases that were called live,
// and n is the number of those that have a new recording.
func patchMessage(n, asked int) string {
	switch {
	case n == 0:
		return "their new answers did not all come, so no recordings.patch was written"
	case n < asked:
		return fmt.Sprintf("the new answers to %d of them are in recordings.patch, to be committed; those to the "+
			"others did not all come", n)
	}
	return "the new answers are in recordings.patch, to be committed"
}
