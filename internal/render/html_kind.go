package render

import (
	"strings"

	"github.com/failproof/failproof/internal/report"
)

// kind of a case on the page: what a reader looks for, by which cases are listed, drawn and filtered. It agrees with the
// lists of the comment.
type caseKind string

const (
	kindRegressed caseKind = "regressed"
	kindFell      caseKind = "fell"   // it has a part in a score that fell as a whole
	kindHidden    caseKind = "hidden" // redefined or removed, and would have failed
	kindFailing   caseKind = "failing"
	kindMissing   caseKind = "missing"
	kindFlaky     caseKind = "flaky"
	kindFixed     caseKind = "fixed"
	kindRedefined caseKind = "redefined"
	kindNew       caseKind = "new"
	kindRemoved   caseKind = "removed"
	kindPassing   caseKind = "passing"
)

// caseKinds lists every kind in the order in which the page shows them.
var caseKinds = [...]caseKind{kindRegressed, kindFell, kindHidden, kindFailing, kindMissing, kindFlaky, kindFixed, kindRedefined, kindNew, kindRemoved, kindPassing}

// label is the kind in words.
func (k caseKind) label() string {
	switch k {
	case kindHidden:
		return "hides a failure"
	case kindMissing:
		return "no answer"
	}
	return string(k)
}

func (v *view) kindOf(c report.Change) caseKind {
	switch {
	case c.Quarantined:
		return kindFlaky
	case v.compared && c.Change == report.Regressed:
		return kindRegressed
	case c.Change == report.Removed && passes(c.Base), c.Change == report.Redefined && disguised(c):
		return kindHidden
	case v.hasFallen(c):
		return kindFell
	case v.isWrong(c):
		return kindFailing
	case c.Head != nil && c.Head.Unscored > 0 && c.Change != report.Flaky:
		return kindMissing
	case c.Head == nil:
		return kindRemoved
	}
	return v.quietKind(c)
}

// quietKind is the kind of a case with nothing to worry about.
func (v *view) quietKind(c report.Change) caseKind {
	switch {
	case !v.compared:
		return kindPassing
	case c.Change == report.Flaky:
		return kindFlaky
	case c.Change == report.Fixed:
		return kindFixed
	case c.Change == report.Redefined:
		return kindRedefined
	case c.Change == report.New:
		return kindNew
	}
	return kindPassing
}

// statusWords is a change in words; what is none, in a report that somebody wrote by hand, is shown as it is.
func statusWords(s report.Status) string {
	return lead(strings.ReplaceAll(string(s), "_", " "), nameRunes)
}
