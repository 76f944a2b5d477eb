package gate

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// Cancelled, Budget and Shard suspend the verdict of a run that ended early. No setting accepts the missing answers,
// however few they are.
var (
	Cancelled = Rule{
		Code: model.ReasonCancelled, Level: config.Err, check: endedBy(model.ReasonCancelled),
		Doc: "The run was told to stop. It has no verdict, even if a regression shows already: what would have " +
			"confirmed or cleared it was not asked. " +
			"Run the job again; it goes on from the answers that were kept.",
	}
	Budget = Rule{
		Code: model.ReasonBudget, Level: config.Err, check: endedBy(model.ReasonBudget),
		Doc: "A limit of the run was used up (`limits` of the configuration). A proven regression still fails " +
			"the gate; else there is no verdict.",
	}
	Shard = Rule{
		Code: model.ReasonShard, Level: config.Err, check: endedBy(model.ReasonShard),
		Doc: "A part of the run was asked on another machine, and its answers are missing or are those of " +
			"another run. There is no verdict.",
	}
)

// endedBy returns a check that suspends a run if the run ended early for the given reason.
func endedBy(reason string) func(*Run) []finding {
	return func(r *Run) (found []finding) {
		for _, e := range r.Ended() {
			if e.Reason == reason && !e.AfterAllTrials() {
				found = append(found,
					newFinding(effectSuspends, "%s: %s", e.Why, describeMissing(e, r.Comparison.PlannedTrials())))
			}
		}
		return found
	}
}

// describeMissing describes the missing answers of a run that ended early.
func describeMissing(e report.EarlyEnd, planned int) string {
	switch {
	case e.Trials == 0 && e.Reruns > 0:
		return "cases that flipped were not asked again"
	case e.Trials == 0:
		return "the remaining calls were not made"
	}
	lost := "missing"
	if e.Unjudged {
		lost = "not judged"
	}
	return fmt.Sprintf("%d of %s %s", e.Trials, text.Count(planned, "answer"), lost)
}

// Ended returns why the run ended early. A run that was canceled after its last answer ended early too.
func (r *Run) Ended() []report.EarlyEnd {
	all := report.MergeEarlyEnds(r.Head, r.Base)
	if r.Cancelled != "" && !slices.ContainsFunc(all, isCancellation) {
		all = append(all, report.EarlyEnd{Reason: model.ReasonCancelled, Why: r.Cancelled})
	}
	return all
}

func isCancellation(e report.EarlyEnd) bool { return e.Reason == model.ReasonCancelled }
