package compare

import (
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
)

// Sort sets the kind of every change of a report. The caller sets fell if the gate found a proven or possible drop of a
// whole suite.
func Sort(rep *report.Report, fell bool) {
	fell = fell && rep.HasBase()
	for i, c := range rep.Changes {
		rep.Changes[i].Kind = kindOfChange(rep, c, fell)
	}
}

func kindOfChange(rep *report.Report, c report.Change, fell bool) report.Kind {
	switch {
	case c.Quarantined:
		return report.KindFlaky
	case rep.HasBase() && c.Change == report.Regressed:
		return report.KindRegressed
	case mayHide(c):
		return report.KindMayHide
	case fell && hasFallen(c):
		return report.KindFell
	case isFailing(rep, c):
		return report.KindFailing
	case c.Head == nil:
		return report.KindRemoved
	case c.Head.Unscored > 0 && c.Change != report.Flaky:
		return report.KindMissing
	case c.Change == report.StillPassing && report.GotWorse(c.Base.Overall(), c.Head.Overall()):
		return report.KindWorse
	case unjudged(c):
		return report.KindReview
	case !rep.HasBase():
		return report.KindPassing
	}
	if k := report.Kind(c.Change); slices.Contains(harmless, k) {
		return k
	}
	return report.KindPassing
}

// isFailing reports whether a case has a wrong answer. A flaky case counts only if it must pass and was not cleared.
func isFailing(rep *report.Report, c report.Change) bool {
	return c.Head.Wrong() && (c.Change != report.Flaky || c.MustPass && !cleared(rep, c))
}

// mayHide reports whether a change to the case may hide a worse answer: it passed and was removed, it was weakened, or
// its input changed.
func mayHide(c report.Change) bool {
	return c.Change == report.Removed && c.Base.Right() || c.Change == report.Redefined && isWeakened(c) || c.AsksElse()
}

// unjudged reports whether a person should read a passing answer. This is so if the answer is newly unverified or newly
// truncated, or if its recording is unchanged although the request changed.
func unjudged(c report.Change) bool {
	switch {
	case !c.Head.Right():
		return false
	case c.KeptByHand, c.Cut:
		return true
	case !c.Head.Details.Unjudged():
		return false
	}
	return !c.Base.Right() || !c.Base.Details.Unjudged() || c.Base.Excerpt != c.Head.Excerpt
}

// harmless lists the kinds that need no attention. Each has the name of its status.
var harmless = []report.Kind{report.KindFlaky, report.KindFixed, report.KindRedefined, report.KindNew}

// isWeakened reports whether the answer of a redefined case passes and the base's expectation would fail it.
func isWeakened(c report.Change) bool {
	return c.Head.Right() && c.Head.UnderBase != nil && *c.Head.UnderBase != classify.Pass
}

// hasFallen reports whether a case may have contributed to a drop of its suite. This is so if the case did not regress
// by itself and a smaller share of its answers is right than on the base.
func hasFallen(c report.Change) bool {
	switch c.Change {
	case report.Flaky, report.StillPassing, report.StillFailing:
		return !c.MustPass && c.Base != nil && c.Head != nil && c.Head.Share() < c.Base.Share()
	}
	return false
}

// cleared reports whether reruns cleared the case.
func cleared(rep *report.Report, c report.Change) bool {
	s, ok := rep.Candidate(c.SuiteID, c.CaseID)
	return ok && s.State == report.CandidateCleared
}
