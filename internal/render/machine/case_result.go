// Package machine prints a story for other tools: as JUnit, SARIF and annotations. It decides nothing and does no I/O
// except to the writer it is given.
package machine

import (
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
)

// standing is the result of a case for tools that know one result per case.
type standing int

const (
	stands    standing = iota // passes, moved within noise, or is quarantined
	gone                      // removed in the head
	regresses                 // passed on the base
	wrong                     // another wrong answer
	lacking                   // an answer is missing, and none is wrong
)

// standingOf returns the same result as the comment's lists, except that it also returns lacking for a flaky case
// with a missing answer.
func standingOf(c report.Change) standing {
	switch {
	case c.Head == nil:
		return gone
	case c.Quarantined:
		return stands
	case c.Kind == report.KindRegressed:
		return regresses
	case c.Kind == report.KindFailing, c.Kind == report.KindFell && c.Change != report.Flaky && c.Head.Wrong():
		return wrong
	case c.Head.Unscored > 0:
		return lacking
	}
	return stands
}

// account returns one line about a case: its outcomes on both sides, and the reason.
func account(v *story.Story, c report.Change) string {
	return show.Why(show.Lead(v.PlainOutcomes(c), 200), v.Explained(c).Plain(show.QuoteRunes)) +
		show.When(v.AlsoOnBase(c), " (wrong before as well)")
}

// block returns the first runes of a text on its own lines, without line ends around it.
func block(text string, runes int) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return show.Visible(strings.Trim(show.CutEnd(text, runes), "\n"))
}
