package render

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
)

// listedCase is a case that the page shows with its answers.
type listedCase struct {
	report.Change
	at   int // in the report's changes
	kind caseKind
}

// listedCases bounds how many there are.
const listedCases = 600

// listed returns the cases that the page shows with their answers: those to worry about first, then those that moved, the
// most severe of each kind first.
func (v *view) listed() []listedCase {
	var out []listedCase
	for i, c := range v.r.Changes {
		if k := v.kindOf(c); k != kindPassing {
			out = append(out, listedCase{c, i, k})
		}
	}
	slices.SortStableFunc(out, func(a, b listedCase) int {
		return cmp.Or(cmp.Compare(slices.Index(caseKinds[:], a.kind), slices.Index(caseKinds[:], b.kind)), bySeverity(a.Change, b.Change))
	})
	return out[:min(len(out), listedCases)]
}

// caseGroup is a section of cases of one kind or several.
type caseGroup struct {
	ID, Nav, Heading, Lead string
	First, More            []caseBlock // More is folded
	MoreText               string
	Left                   string // how many are in the table only; "" for none
}

// caseBlock is one case with what both sides answered.
type caseBlock struct {
	Anchor, Name, Suite string
	Kind                caseKind
	Label, Severity     string
	MustPass            bool
	Place               place
	Base, Head          sideWords // Base is empty without a base
	Why                 []textSpan
	Unmet               [][]textSpan // what else was not met
	Open                bool
	Answers             []answerBlock
	Note                string // on the comparison of the answers
}

// sideWords is one side of a case in a few words.
type sideWords struct {
	Category string
	Trials   string // 4/5; "" where there is one
	Class    string // of the colour: pass, bad, wait, none
}

func (v *view) wordsOf(o *report.Outcome) sideWords {
	if o == nil {
		return sideWords{Category: "absent", Class: "none"}
	}
	s := sideWords{Category: lead(wordOf(o), nameRunes), Class: "bad"}
	if o.Trials > 1 {
		s.Trials = fmt.Sprintf("%d/%d", o.Passed, o.Trials)
	}
	switch o.Primary {
	case classify.Pass:
		s.Class = "pass"
	case classify.Error, classify.Timeout, classify.Crash:
		if o.Details == nil || !o.Details.CandidateOwn {
			s.Class = "wait"
		}
	}
	return s
}

// openCases are shown unfolded at the head of the page.
const openCases = 5

func (v *view) block(i int, c listedCase, found whole) caseBlock {
	b := caseBlock{Anchor: anchor("d", c.at), Name: caseName(c.Change), Kind: c.kind, Label: v.labelOf(c.Change, c.kind),
		Severity: lead(c.Severity, nameRunes), MustPass: c.MustPass, Place: v.placeOf(v.shaOf(c.Change), c.Path, c.Line, 0),
		Head: v.wordsOf(c.Head), Why: v.why(c.Change, sentenceRunes), Unmet: furtherUnmet(c.Head)}
	if len(v.r.Suites) > 1 {
		b.Suite = ends(c.SuiteID, nameRunes)
	}
	if v.compared {
		b.Base = v.wordsOf(c.Base)
	}
	b.Answers, b.Note = v.answerBlocks(c.Change, found.base[i], found.head[i])
	worry := c.kind == kindRegressed || c.kind == kindHidden || c.kind == kindFailing
	b.Open = worry && i < openCases && len(b.Answers) > 0
	return b
}

// anchor names a place of the page by the number of a change.
func anchor(prefix string, i int) string { return fmt.Sprintf("%s%d", prefix, i) }

func caseName(c report.Change) string { return named(ends(c.CaseID, nameRunes)) }

// labelOf says what became of a case; a hidden failure says how it is hidden.
func (v *view) labelOf(c report.Change, k caseKind) string {
	switch {
	case k == kindHidden:
		return statusWords(c.Change)
	case k == kindFailing && v.alsoOnBase(c):
		return "still failing"
	case k == kindFailing && v.compared && c.Change == report.New:
		return "new, failing"
	}
	return k.label()
}

// why says in one phrase what happened.
func (v *view) why(c report.Change, runes int) []textSpan {
	switch {
	case c.Change == report.Removed && passes(c.Base):
		return []textSpan{{"passed on the base, and was removed", false}}
	case c.Change == report.Redefined && disguised(c):
		return []textSpan{{"passes the new expectation, fails the old one (", false}, {lead(string(*c.Head.UnderBase), nameRunes), true}, {")", false}}
	}
	if c.Quarantined {
		return append([]textSpan{{"in quarantine; ", false}}, v.explained(c).spans(runes)...)
	}
	return v.explained(c).spans(runes)
}

// unmetRows bounds the criteria that are listed for a case.
const unmetRows = 8

// furtherUnmet lists the criteria after the first, which stands in why.
func furtherUnmet(o *report.Outcome) (out [][]textSpan) {
	if o == nil || o.Details == nil || o.Primary != classify.Fail || len(o.Details.Unmet) < 2 {
		return nil
	}
	for _, u := range o.Details.Unmet[1:min(len(o.Details.Unmet), unmetRows)] {
		out = append(out, unmet(u).spans(quoteRunes*2))
	}
	return out
}
