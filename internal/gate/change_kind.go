package gate

import (
	"slices"

	"github.com/failproof/failproof/internal/report"
)

// groupRules lists the rules that find cases worse as a group, without telling which case.
var groupRules = []string{Drop.Code, PossibleDrop.Code, Pooled.Code}

// SetChangeKinds sets the kind of every change in rep. The reasons in rep must be complete before.
func SetChangeKinds(rep *report.Report) {
	isOfGroup := func(r report.Reason) bool { return slices.Contains(groupRules, r.Code) }
	suiteDropped, candidates := rep.HasBase() && slices.ContainsFunc(rep.Reasons, isOfGroup), rep.Candidates()
	for i, c := range rep.Changes {
		rep.Changes[i].Kind = kindOfChange(rep, c, candidates[c.Name()], suiteDropped)
	}
}

// kindOfChange returns the kind of the change c. s is what reruns show of its case; the zero value if they show
// nothing. suiteDropped is true if a reason is a proven or possible drop of a whole suite.
func kindOfChange(rep *report.Report, c report.Change, s report.Candidate, suiteDropped bool) report.Kind {
	switch {
	case c.Quarantined:
		return report.KindFlaky
	case rep.HasBase() && c.Change == report.Regressed:
		return report.KindRegressed
	case mayHide(c):
		return report.KindMayHide
	case suiteDropped && mayHaveDropped(rep, c, s):
		return report.KindFell
	case isFailing(c, s):
		return report.KindFailing
	case c.Head == nil:
		return report.KindRemoved
	case lacksAnswer(c):
		return report.KindMissing
	case c.Change == report.StillPassing && report.GotWorse(c.Base.Overall(), c.Head.Overall()):
		return report.KindWorse
	case needsReview(c):
		return report.KindReview
	}
	if k := report.Kind(c.Change); rep.HasBase() && slices.Contains(harmlessKinds, k) {
		return k
	}
	return report.KindPassing
}

// isFailing reports whether a case has a wrong answer. A flaky case counts only if it must pass and was not cleared.
func isFailing(c report.Change, s report.Candidate) bool {
	return c.Head.Wrong() && (c.Change != report.Flaky || c.MustPass && s.State != report.CandidateCleared)
}

// lacksAnswer reports whether an answer of the head is missing. Of a flaky case that does not matter.
func lacksAnswer(c report.Change) bool { return c.Head.Unscored > 0 && c.Change != report.Flaky }

// mayHide reports whether the change c may hide a worse answer. It may if a passing case was removed, if the
// expectation was weakened, or if the input changed.
func mayHide(c report.Change) bool {
	return c.Change == report.Removed && c.Base.Right() || c.OldInputUntested() ||
		c.Change == report.Redefined && c.Head.Right() && c.FailsOldExpectation()
}

// needsReview reports whether a person should read the passing answer of c. A person should if the answer is newly
// unverified or newly truncated, or if its recording is unchanged although the request changed.
func needsReview(c report.Change) bool {
	switch {
	case !c.Head.Right():
		return false
	case c.KeptByHand, c.Truncated:
		return true
	case !c.Head.Details.Unjudged():
		return false
	}
	return !c.Base.Right() || !c.Base.Details.Unjudged() || c.Base.Excerpt != c.Head.Excerpt
}

// harmlessKinds lists the kinds of change that need no attention. Each has the name of a status.
var harmlessKinds = []report.Kind{report.KindFlaky, report.KindFixed, report.KindRedefined, report.KindNew}

// mayHaveDropped reports whether case c may have contributed to a drop of its suite, or of the cases that were tested
// together. It may have if it did not regress by itself, and a smaller share of its answers is right than on the base.
// Of a case that was tested together with others, only the reruns count.
func mayHaveDropped(rep *report.Report, c report.Change, s report.Candidate) bool {
	if s.Rounds > 0 && c.Change == report.Flaky && gotWorseTogether(rep) {
		return s.HeadPasses < s.BasePasses
	}
	switch c.Change {
	case report.Flaky, report.StillPassing, report.StillFailing:
		return !c.MustPass && c.Base != nil && c.Head != nil && c.Head.Share() < c.Base.Share()
	}
	return false
}

// gotWorseTogether reports whether the reruns of several cases prove together that they got worse.
func gotWorseTogether(rep *report.Report) bool {
	n := rep.Statistics.Noise
	return n != nil && n.Confirm != nil && n.Confirm.Pooled != nil && n.Confirm.Pooled.Proven
}
