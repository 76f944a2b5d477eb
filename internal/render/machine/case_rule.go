// Package machine prints a story for other tools: as JUnit, SARIF and annotations. It decides nothing and does no I/O.
package machine

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
)

// caseRule returns the SARIF rule of a case, or "" if there is nothing to say. The cases of the rules wrongAnswer and
// of ruleNoAnswer are those of the comment's lists, except that a flaky case can lack an answer.
func caseRule(c report.Change) string {
	switch {
	case c.Head == nil:
		return ruleRemoved
	case c.Quarantined:
	case c.Kind == report.KindRegressed:
		return ruleRegressed
	case c.Kind == report.KindFailing, c.Kind == report.KindFell && c.Change != report.Flaky && c.Head.Wrong():
		return show.If(c.MustPass, ruleMustPass, ruleFailing)
	case c.Head.Unscored > 0:
		return ruleNoAnswer
	}
	switch {
	case c.Change == report.Redefined:
		return ruleRedefined
	case c.Change == report.Flaky:
		return show.If(c.Kind == report.KindFell, ruleFell, ruleFlaky)
	}
	return ""
}

// wrongAnswer has the rules of cases with a wrong answer.
var wrongAnswer = []string{ruleRegressed, ruleMustPass, ruleFailing}

// caseSummary returns one line about a case: its outcomes on both sides, and the reason.
func caseSummary(v *story.Story, c report.Change) string {
	return show.Why(show.Excerpt(v.PlainOutcomes(c), 200), v.ResultReason(c).Plain(show.QuoteRunes)) +
		show.When(v.WrongOnBoth(c), " (wrong before as well)")
}

// excerptLines returns the first runes of a text on its own lines, without line ends around it.
func excerptLines(text string, runes int) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return show.Visible(strings.Trim(show.CutEnd(text, runes), "\n"))
}

// decidingReasons returns the reasons that decided the verdict, without those that a wrong or missing answer shows.
func decidingReasons(v *story.Story) []report.Reason {
	return show.Filter(v.Report.Reasons, func(r report.Reason) bool {
		c, ok := v.Find(r.SuiteID, r.CaseID)
		rule := show.When(ok && r.CaseID != "", caseRule(c))
		return r.Level == report.LevelError && rule != ruleNoAnswer && !slices.Contains(wrongAnswer, rule)
	})
}

// suitePlace returns the path and line of a suite, or of the first suite of the head if id is "". It returns "" and 0
// if the report has no such suite.
func suitePlace(v *story.Story, id string) (path string, line int) {
	for _, s := range v.Report.Suites {
		if s.SuiteID == id || id == "" && s.Cases > 0 && s.Path != "" {
			return s.Path, s.Line
		}
	}
	return "", 0
}
