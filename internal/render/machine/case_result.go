// Package machine prints a view for other tools: JUnit, SARIF and annotations. It decides nothing and does no I/O but
// to the writer it is given.
package machine

import (
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
)

type printer struct{ *story.Story }

// standing is what a case comes to for tools that know one result a case.
type standing int

const (
	stands    standing = iota // passes, or moved within noise
	gone                      // not at the head
	regresses                 // passed on the base
	wrong                     // another wrong answer
	lacking                   // an answer is missing, and none is wrong
)

// standingOf agrees with the comment's lists, but also reports an answer missing from a flaky case.
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

// account says on one line what became of a case: both sides, and why.
func (v printer) account(c report.Change) string {
	return show.Why(show.Lead(v.PlainOutcomes(c), 200), v.Explained(c).Plain(show.QuoteRunes)) +
		show.When(v.AlsoOnBase(c), " (wrong before as well)")
}

// block shows the first runes of text on its own lines, without those at its ends.
func block(text string, runes int) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return show.Visible(strings.Trim(show.CutEnd(text, runes), "\n"))
}
