package story

import (
	"cmp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// passedTitle returns the beginning of the title of a passed run (lead), and the parts that follow it. The title begins
// with a warning if an answer got worse or if something else has to be checked.
func passedTitle(v *Story) (lead string, parts []string) {
	if v.NothingInScope() {
		untested := cmp.Or(titleOf(v, gate.UntestedPrompt, report.LevelWarn), titleOf(v, gate.UnjudgedFiles, report.LevelWarn))
		return show.If(untested != "" || needsCheck(v), "Passed with warnings", "Nothing to test"),
			[]string{baseFault(v), cmp.Or(untested, show.If(warning(v, report.WarnOtherSuites) != nil,
				"no suite of this run is affected", "no suite is affected"))}
	}
	tail := []string{show.When(!v.Has(gate.NeedsRun.Code, report.LevelWarn), criteriaNotJudged(v)), show.When(v.Report.Judge != nil && v.Report.Judge.Labels == 0,
		"the judge is a model that nobody has checked"), movedPart(v), show.When(v.Report.Quarantined > 0,
		show.Count(v.Report.Quarantined, "case")+" in quarantine"), uncomparedReason(v)}
	switch text := brokenTitle(v); {
	case text != "":
		return "Passed, but " + text, slices.Concat([]string{newFailures(v)}, warnings(v), tail)
	case needsCheck(v):
		return "Passed with warnings", slices.Concat([]string{newFailures(v)}, warnings(v), []string{rightPart(v)}, tail)
	case !v.Compared || allNew(v):
		return show.Capital(rightPart(v)), tail
	case v.Report.PassedCases == v.Report.Cases && v.Report.Counts[report.Fixed] == 0:
		changed := v.Report.Counts[report.New] + v.Report.Counts[report.Flaky] // such a case was not right before
		return eachOf(v) + show.When(changed == 0, " still") + " right", tail
	}
	lessOften := lessOftenRight(v)
	unproven := lessOften != "" || perhapsBrokenCount(v) > 0 || v.Report.Runner != "" && v.Report.Counts[report.Flaky] > 0
	return show.If(unproven, "No answer is proven broken", "No answer broke"), append([]string{rightPart(v), lessOften}, tail...)
}

// lessOftenRight returns in words how many cases of several answers are right less often than before, which may be
// chance.
func lessOftenRight(v *Story) string {
	n := show.CountFunc(v.Failing, func(c report.Change) bool {
		return v.Compared && !c.IsNewFailure() && c.Change != report.Redefined && c.Base != nil && c.Head.Share() < c.Base.Share()
	})
	return countedOf(n, "case", " right less often than before")
}

// criteriaNotJudged returns in words how many criteria need a run and were not judged.
func criteriaNotJudged(v *Story) string {
	n := v.Report.Criteria
	if n == nil {
		return ""
	}
	return show.WithCommas(n.NotJudgedCount()) + show.Agree(n.NotJudgedCount(), " criterion needs a run and was not judged", " criteria need a run and were not judged")
}

// uncomparedReason returns in words why nothing was compared, or "" if something was.
func uncomparedReason(v *Story) string {
	switch v.Report.Run.BaseState {
	case report.BaseFirst:
		return "first run, judged by its own gate"
	case report.BaseMissing:
		return "no base to compare with"
	}
	switch redefined := redefinedAlike(v); {
	case allNew(v):
		return "every case is new"
	case comparedCases(v) == 0 && redefined > 0 && v.Compared:
		return countedOf(redefined, "redefined case", show.Agree(redefined, " passes", " pass")+" the old expectation as well")
	}
	return ""
}

// redefinedAlike returns the number of redefined cases whose answers pass the old expectation as well.
func redefinedAlike(v *Story) int {
	return show.CountFunc(v.Others, func(c report.Change) bool { return c.Kind == report.KindRedefined && c.Head.UnderBase != nil })
}

// allNew reports whether all cases of a comparison are new.
func allNew(v *Story) bool {
	return v.Compared && comparedCases(v)+redefinedAlike(v) == 0 && v.Report.Cases > 0 && !comparedNothing(v)
}

// rightPart returns in words how many answers are right. An answer that nothing judged does not count as right.
func rightPart(v *Story) string {
	r := v.Report
	open := NotJudged(v)
	if r.Cases == 0 {
		return "no case is judged"
	}
	right := show.If(hasSeveralTrials(v), " always right", " right")
	return show.WithCommas(r.PassedCases-open) + " of " + answersNoun(v, r.Cases) + right +
		show.When(open > 0, ", "+show.WithCommas(open)+" not judged")
}

// NotJudged returns the number of cases that pass although nothing judged their answers.
func NotJudged(v *Story) int { return v.Report.Unverified - v.Report.KeptByHand }

// uncountedCases returns the number of cases that count in no score, because they need a run.
func uncountedCases(v *Story) int {
	if v.Report.Criteria == nil {
		return 0
	}
	return v.Report.Criteria.UncountedCases
}

// eachOf begins a sentence about each answer of the report: "All 3 answers are".
func eachOf(v *Story) string {
	switch all := answersNoun(v, v.Report.Cases); v.Report.Cases {
	case 1:
		return "The one answer is"
	case 2:
		return "Both" + strings.TrimPrefix(all, "2") + " are"
	default:
		return "All " + all + " are"
	}
}

// answersNoun returns n with a noun: answers, or cases if some case has several answers.
func answersNoun(v *Story, n int) string {
	return show.Count(n, show.If(hasSeveralTrials(v), "case", "answer"))
}

// hasSeveralTrials reports whether some case has several first answers.
func hasSeveralTrials(v *Story) bool { return v.Report.Trials > v.Report.Cases+v.Report.Quarantined }

// movedPart returns in words how many cases were fixed, or are perhaps broken or fixed.
func movedPart(v *Story) string {
	if !v.Compared {
		return ""
	}
	perhaps := show.CountFunc(v.Others, PerhapsFixed) + show.CountFunc(v.Review, PerhapsFixed)
	return show.Join(", ", counted(perhapsBrokenCount(v), "perhaps broken"),
		counted(v.Report.Counts[report.Fixed]-perhaps, "fixed"), counted(perhaps, "perhaps fixed"))
}

func perhapsBrokenCount(v *Story) int {
	return show.CountFunc(v.Others, func(c report.Change) bool { return perhapsBroken(v, c) })
}

// warnings returns in words what has to be checked in a passed run. The list of reasons has the warnings for which it
// has no words.
func warnings(v *Story) (parts []string) {
	for _, rule := range gate.Rules {
		if v.Has(rule.Code, report.LevelWarn) {
			parts = append(parts, warningTitle(v, rule))
		}
	}
	if slices.ContainsFunc(v.Report.Reasons, func(r report.Reason) bool { return r.AcceptedBy != "" }) {
		parts = append(parts, "accepted by a reviewer")
	}
	likely := len(likelyRegressions(v))
	return append(parts, show.When(comparedNothing(v), "no case could be compared"),
		countedOf(likely, "answer", show.Agree(likely, " looks", " look")+" broken, not proven"),
		countedOf(len(v.Worse), "passing answer", " got worse"))
}

// warningTitle returns the words of a rule that warns for the title, or "" if it has none.
func warningTitle(v *Story, rule gate.Rule) string {
	switch rule.Code {
	case gate.BaseFault.Code:
		return baseFault(v)
	case gate.RunScore.Code:
		return show.When(missWithinNoise(v), "the score is below its threshold, perhaps by noise")
	case gate.MustPass.Code:
		return wrongOnceWords(v.CountReasons(rule.Code, report.LevelWarn))
	}
	return titleOf(v, rule, report.LevelWarn)
}

// wrongOnceWords returns in words that n must-pass cases were answered wrong, and that reruns cleared them.
func wrongOnceWords(n int) string {
	return show.Count(n, "answer") + " that must never break " + show.Agree(n, "was", "were") + " wrong once"
}

// needsCheck reports whether something has to be checked in a passed run.
func needsCheck(v *Story) bool {
	return warningCount(v)+len(v.Worse)+len(v.Review)+len(likelyRegressions(v)) > 0 || comparedNothing(v) || newFailures(v) != ""
}

// warningCount returns the number of warnings to check in a passed run. That there is no base does not count.
func warningCount(v *Story) int {
	return v.CountReasons("", report.LevelWarn) - v.CountReasons(gate.NoBase.Code, report.LevelWarn)
}

// comparedNothing reports whether no case could be compared although not all cases are new. A case is compared if both
// sides have an answer and the expectation of the base judges both.
func comparedNothing(v *Story) bool {
	return v.Compared && comparedCases(v)+redefinedAlike(v) == 0 && v.Report.Cases > 0 && v.Report.Counts[report.New] < v.Report.Cases
}
