package compare

import (
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
)

// Sort sets the kind of every change of a report that has its verdict. fell reports whether the gate found the answers
// as a whole worse, or suspects it.
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
	case isHidden(c):
		return report.KindHidden
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

// isFailing reports a wrong answer; of a case that is only flaky, one that must pass and that fresh answers did not
// clear.
func isFailing(rep *report.Report, c report.Change) bool {
	return c.Head.Wrong() && (c.Change != report.Flaky || c.MustPass && !cleared(rep, c))
}

// isHidden reports a case whose change may hide a worse answer: it passed and is gone, it passes by a new expectation
// alone, or it asks something else.
func isHidden(c report.Change) bool {
	return c.Change == report.Removed && c.Base.Right() || c.Change == report.Redefined && disguised(c) || c.AsksElse()
}

// unjudged reports whether a passing answer needs to be read: nothing judged its words and nobody has seen it before,
// it was kept by hand although its request changed, or it is cut and was whole.
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

// harmless are the kinds of changes that are no cause for worry. Each is called as its status.
var harmless = []report.Kind{report.KindFlaky, report.KindFixed, report.KindRedefined, report.KindNew}

// disguised reports a redefined case whose answer passes, and would have failed the base's expectation.
func disguised(c report.Change) bool {
	return c.Head.Right() && c.Head.UnderBase != nil && *c.Head.UnderBase != classify.Pass
}

// hasFallen reports whether a case may be part of a fall of the whole: it is no regression by itself, and fewer of its
// answers are right than on the base.
func hasFallen(c report.Change) bool {
	switch c.Change {
	case report.Flaky, report.StillPassing, report.StillFailing:
		return !c.MustPass && c.Base != nil && c.Head != nil && c.Head.Share() < c.Base.Share()
	}
	return false
}

// cleared reports a case whose wrong answer fresh runs did not confirm.
func cleared(rep *report.Report, c report.Change) bool {
	s, ok := rep.Suspect(c.SuiteID, c.CaseID)
	return ok && s.State == report.SuspectCleared
}
