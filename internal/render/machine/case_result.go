// Package machine prints a story for other tools: as JUnit, SARIF and annotations. It decides nothing and does no I/O
// except to the writer it is given.
package machine

import (
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
)

// caseResult is the result of a case for tools that know one result per case. From resultRegressed on, it is a wrong or
// missing answer.
type caseResult int

const (
	resultPass      caseResult = iota // passes, moved within noise, or is quarantined
	resultRemoved                     // removed in the head
	resultRegressed                   // passed on the base
	resultWrong                       // another wrong answer
	resultMissing                     // an answer is missing, and none is wrong
)

// caseResultOf returns the same result as the comment's lists, except that it also returns lacking for a flaky case
// with a missing answer.
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
