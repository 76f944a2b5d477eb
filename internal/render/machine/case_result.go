// Package machine prints a story for other tools: as JUnit, SARIF and annotations. It decides nothing and does no I/O.
package machine

import (
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
)

// caseResult is the result of a case for tools that know one each. From resultRegressed on, it is wrong or missing.
type caseResult int

const (
	resultPass      caseResult = iota // passes, moved within noise, or is quarantined
	resultRemoved                     // removed in the head
	resultRegressed                   // passed on the base
	resultWrong                       // another wrong answer
	resultMissing                     // an answer is missing, and none is wrong
)

// caseResultOf returns the same result as the comment's lists, except that a flaky case can be resultMissing.
func caseResultOf(c report.Change) caseResult {
	switch {
	case c.Head == nil:
		return resultRemoved
	case c.Quarantined:
		return resultPass
	case c.Kind == report.KindRegressed:
		return resultRegressed
	case c.Kind == report.KindFailing, c.Kind == report.KindFell && c.Change != report.Flaky && c.Head.Wrong():
		return resultWrong
	case c.Head.Unscored > 0:
		return resultMissing
	}
	return resultPass
}

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
		shown := ok && r.CaseID != "" && caseResultOf(c) >= resultRegressed
		return r.Level == report.LevelError && !shown
	})
}

// suitePlace returns the path and line of a suite; "" and 0 if the report has no such suite.
func suitePlace(v *story.Story, id string) (path string, line int) {
	for _, s := range v.Report.Suites {
		if s.SuiteID == id {
			return s.Path, s.Line
		}
	}
	return "", 0
}
