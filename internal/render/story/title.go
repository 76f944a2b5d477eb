package story

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
)

// TitleRunes is GitHub's limit, in characters, for the description of a commit status. Titles of check runs keep to it.
const TitleRunes = 140

// Title returns the verdict and its cause as one sentence of at most TitleRunes characters. The sentence has only words
// and numbers of this program, and paths of the base. Mail and telephones show the first 80 characters, so the cause
// comes first.
func Title(v *Story) string {
	var lead string
	var parts []string
	switch v.Report.Verdict {
	case report.Passed:
		lead, parts = passedTitle(v)
	case report.Failed:
		lead, parts = failedTitle(v)
	case report.Undecided:
		lead, parts = "No verdict", undecidedTitle(v)
	case report.Invalid:
		lead, parts = "Nothing was run", []string{invalidTitle(v)}
	default:
		return "No verdict"
	}
	title, glue := lead+show.When(v.Report.ReportOnly(), " (report only)"), ": "
	if v.Report.Verdict == report.Failed && lead != failedLead {
		glue = "; " // the lead is a cause itself
	}
	add := func(part string) {
		if part != "" && utf8.RuneCountInString(title+glue+part) <= TitleRunes {
			title, glue = title+glue+part, "; "
		}
	}
	for _, part := range parts {
		add(part)
	}
	if glue = "; "; v.Report.Verdict == report.Failed && !v.Has(gate.NeedsRun.Code, report.LevelError) {
		add(criteriaNotJudged(v)) // it is no cause of the failure
	}
	return title
}

func invalidTitle(v *Story) string {
	if onlyUnmerged(v) {
		return "the live targets of this configuration are called after the merge"
	}
	files := map[string]bool{}
	all := FileErrors(v)
	for _, d := range all {
		files[d.Path] = true
	}
	return show.Count(len(all), "error") + " in " + show.Count(len(files), "file")
}

// failedLead begins the title of a failed run in which neither a single answer nor all together are proven worse.
const failedLead = "Failed"

func failedTitle(v *Story) (lead string, parts []string) {
	begins, parts := cmp.Or(brokenTitle(v), jointDropTitle(v)), causes(v)
	switch {
	case scoreInTitle(v):
		parts = append(parts, scorePart(v).Plain(0))
	case begins != "":
		parts = append(parts, judgeStanding(v))
	}
	return cmp.Or(begins, failedLead), append(parts, show.When(v.NothingInScope(), "nothing was run"))
}

// scoreInTitle reports whether the title gives the score as a cause of the failure, so that the summary leaves it out.
func scoreInTitle(v *Story) bool {
	if brokenTitle(v)+jointDropTitle(v) != "" {
		return meetsOnlyWithNew(v) // the score alone would look fine
	}
	return v.Report.Verdict == report.Failed && v.Has(gate.RunScore.Code, report.LevelError) && !v.suspends(gate.RunScore)
}

// brokenTitle returns in words how many answers the change broke: "2 of 12 answers broke, one that must never break".
// It returns "" if none broke. The second number is that of answeredCases: the cases that could have broken.
func brokenTitle(v *Story) string {
	n := len(v.Regressed)
	if n == 0 || !v.Compared {
		return ""
	}
	noun := show.If(slices.ContainsFunc(v.Regressed, func(c report.Change) bool {
		return !HasOneTrial(c.Head)
	}), "case", "answer")
	text := show.Count(n, noun) + " broke"
	if answered := answeredCases(v); answered >= n {
		text = show.WithCommas(n) + " of " + show.Count(answered, noun) + " broke"
	}
	if must := show.CountFunc(v.Regressed, func(c report.Change) bool { return c.MustPass }); must > 0 {
		return text + ", " + show.If(must == 1, "one", show.WithCommas(must)) + " that must never break"
	}
	if critical := show.CountFunc(v.Regressed, func(c report.Change) bool {
		return c.Severity == risk.Critical
	}); critical > 0 {
		return text + ", " + show.If(critical == 1, "one", show.WithCommas(critical)) + " critical"
	}
	return text
}

// failedPooledTest returns the test over all flipped cases together if it failed the run. It returns nil if it did not,
// or if a single case is proven broken.
func failedPooledTest(v *Story) *report.PooledTest {
	n := noise(v)
	if n == nil || n.Confirm == nil || len(v.Regressed) > 0 || !v.Has(gate.Pooled.Code, report.LevelError) {
		return nil
	}
	return n.Confirm.Pooled
}

// jointDropTitle returns in words how the answers got worse together, or "" if a single case is proven broken.
func jointDropTitle(v *Story) string {
	if test := failedPooledTest(v); test != nil {
		worse := show.CountFunc(candidates(v), func(s report.Candidate) bool { return s.HeadPasses < s.BasePasses })
		answers := show.If(worse < test.Cases, show.WithCommas(worse)+" of "+show.Count(test.Cases, "flipped answer"),
			show.Count(test.Cases, "answer"))
		return fmt.Sprintf("%s got worse together: asked again, right %s before, %s now", answers,
			fraction(test.BasePasses, test.Cases*test.Rounds), fraction(test.HeadPasses, test.Cases*test.Rounds))
	}
	n := noise(v)
	if n == nil || n.Overall == nil || len(v.Regressed) > 0 || !v.Has(gate.Drop.Code, report.LevelError) {
		return ""
	}
	all := decidingScope(v)
	asked := show.When(n.Recheck != nil && n.Recheck.Triggered && n.Recheck.Complete, "asked again, ")
	return fmt.Sprintf("The answers got worse as a whole: %s%s of %s%s worse, %s better", asked,
		show.WithCommas(all.Worse),
		show.Count(all.Cases, "case"), ofSuite(all), countOrNone(all.Better))
}

// causes returns in words why the run failed. It leaves out the score, and what another part of the title says or
// implies: broken answers lower the scores.
func causes(v *Story) []string {
	texts := mustPassParts(v)
	saysWorse := brokenTitle(v)+jointDropTitle(v) != ""
	for _, rule := range gate.Rules {
		switch {
		case rule.Code == gate.SuiteScore.Code && (saysWorse || scoreInTitle(v)),
			(rule.Code == gate.Drop.Code || rule.Code == gate.Pooled.Code) && saysWorse,
			rule.Code == gate.Removed.Code && onlyMustPassRemoved(v):
		default:
			texts = append(texts, titleOf(v, rule, report.LevelError))
		}
	}
	return append(texts, newFailures(v))
}

// onlyMustPassRemoved reports whether all removed cases are must-pass cases, which another part of the title names.
func onlyMustPassRemoved(v *Story) bool {
	return v.Has(gate.MustPassChange.Code, report.LevelError) && !slices.ContainsFunc(v.Report.Changes, func(c report.Change) bool {
		return c.Change == report.Removed && !c.MustPass
	})
}

// titleOf returns the words of the rule for the title. It returns "" if the rule gave no reason at the given level, or
// if the rule has no words for the title.
func titleOf(v *Story, rule gate.Rule, level report.Level) string {
	n := v.CountReasons(rule.Code, level)
	if n == 0 || rule.Title == nil {
		return ""
	}
	return rule.Title(gate.TitleInput{Count: n, Report: v.Report})
}

// newFailures returns in words how many answers are wrong that a comparison does not show: those to new cases, and
// those to redefined cases that were right.
func newFailures(v *Story) string {
	of := func(change report.Status) int {
		return show.CountFunc(v.Failing, func(c report.Change) bool { return c.Change == change && c.IsNewFailure() })
	}
	fail := func(n int, noun string) string { return countedOf(n, noun, show.Agree(n, " fails", " fail")) }
	return show.When(v.Compared, show.Join(", ", fail(of(report.New), "new case"), fail(of(report.Redefined), "redefined case")))
}

// mustPassParts returns in words how many must-pass cases have wrong answers, and how many have none. It leaves out the
// cases that the title counts as broken.
func mustPassParts(v *Story) []string {
	inTitle := show.CountFunc(v.Regressed, func(c report.Change) bool { return c.MustPass })
	missing := show.CountFunc(v.Report.Reasons, func(r report.Reason) bool {
		c, ok := v.Find(r.SuiteID, r.CaseID)
		return ok && r.Code == gate.MustPass.Code && r.Level == report.LevelError && c.Kind == report.KindMissing
	})
	wrong := v.CountReasons(gate.MustPass.Code, report.LevelError) - inTitle - missing
	part := func(n int, what string) string {
		return show.When(n > 0, show.Count(n, "answer")+" that must never break "+show.Agree(n, "is ", "are ")+what)
	}
	return []string{part(wrong, "wrong"), part(missing, "missing")}
}

// scorePart returns the score and the threshold for the title. If only new cases lift the score over the threshold, it
// returns the score without them.
func scorePart(v *Story) show.Phrase {
	r := v.Report
	if !meetsOnlyWithNew(v) {
		return scoreWords(v)
	}
	return show.Phrasef("score over the base’s %v %v, %v needed", show.Count(r.CasesWithoutNew, "case"),
		show.PercentAgainst(r.RunScoreWithoutNew, r.Scoring.MinRunScore), show.Threshold(r.Scoring.MinRunScore))
}

// comparedCases returns the number of cases that have an answer on both sides, judged by the same expectation. It
// includes the cases of suites without a weight, which are in no delta.
func comparedCases(v *Story) int {
	if s := v.Report.Statistics; s != nil {
		return s.Strict + s.Noisy
	}
	return v.Report.DeltaCases
}

// answeredCases returns the number of cases that have an answer on both sides, even if their input or expectation
// changed. Regressions count even without an answer. Quarantined cases do not count.
func answeredCases(v *Story) (n int) {
	for status, cases := range v.Report.Counts {
		switch status {
		case report.New, report.Removed, report.Errored:
		default:
			n += cases
		}
	}
	return n - show.CountFunc(v.Report.Changes, func(c report.Change) bool {
		return c.Quarantined && c.Base != nil && c.Head != nil && c.Change != report.Errored
	})
}

// baseFault returns in words which file of the base has an error, or that the change fixes it, or "" if none has.
func baseFault(v *Story) string {
	i := slices.IndexFunc(v.Report.Reasons, func(r report.Reason) bool {
		return r.Code == gate.BaseFault.Code && r.Path != ""
	})
	if i < 0 {
		return ""
	}
	r := v.Report.Reasons[i]
	place := "the base’s " + show.Excerpt(r.Path, show.NameRunes) + show.When(r.Line > 0, fmt.Sprintf(":%d", r.Line))
	return show.If(r.Level == report.LevelError, place+" has an error", "fixes "+place)
}

// countedOf returns n, its noun and the words what, such as "1 answer kept by hand". It returns "" for 0.
func countedOf(n int, noun, what string) string { return show.When(n != 0, show.Count(n, noun)+what) }

// counted returns n and the words what, such as "3 fixed". It returns "" for 0.
func counted(n int, what string) string { return show.When(n != 0, show.WithCommas(n)+" "+what) }
