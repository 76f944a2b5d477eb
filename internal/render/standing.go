package render

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"

	"github.com/failproof/failproof/internal/report"
)

// standing is what a case comes to for tools that know one result a case.
type standing int

const (
	stands    standing = iota // passes, or moved within noise
	gone                      // not at the head
	regresses                 // passed on the base
	wrong                     // another wrong answer
	lacking                   // an answer is missing, and none is wrong
)

// standingOf agrees with the comment's lists, but that an answer missing from a flaky case is told as well.
func (v *view) standingOf(c report.Change) standing {
	switch {
	case c.Head == nil:
		return gone
	case c.Quarantined:
		return stands
	case v.compared && c.Change == report.Regressed:
		return regresses
	case v.isWrong(c):
		return wrong
	case c.Head.Unscored > 0:
		return lacking
	}
	return stands
}

// account says on one line what became of a case: both sides, and why.
func (v *view) account(c report.Change) string {
	text := lead(v.plainOutcomes(c), 200)
	if what := v.explained(c).plain(quoteRunes); what != "" {
		text += ": " + what
	}
	if v.alsoOnBase(c) {
		text += " (also failing on the base)"
	}
	return text
}

func (v *view) alsoOnBase(c report.Change) bool {
	return v.compared && c.Change != report.Regressed && fails(c.Base) && fails(c.Head)
}

// spelled escapes a bracket after a number sign, by which the runner may begin a command wherever it reads a log, so that
// readers of a document see the same text and the runner sees none. The escape is the document language's, for Sprintf. No
// structure of XML or JSON is such a bracket.
func spelled(text []byte, escape string) []byte {
	if !bytes.ContainsFunc(text, isSign) {
		return text
	}
	var out bytes.Buffer
	out.Grow(len(text))
	sign := false
	for _, r := range string(text) {
		if sign && isBracket(r) {
			fmt.Fprintf(&out, escape, r)
			sign = false
			continue
		}
		out.WriteRune(r)
		if !unicode.Is(unicode.M, r) { // may be passed over
			sign = isSign(r)
		}
	}
	return out.Bytes()
}

// plainOutcome is one side of a case, as plain text.
func plainOutcome(o *report.Outcome) string { return strings.ReplaceAll(outcome(o, false), "`", "") }

// block shows the first runes of text on its own lines, without those at its ends.
func block(text string, runes int) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return visible(strings.Trim(cutEnd(text, runes), "\n"))
}
