package show

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suiteid"
)

type wording struct {
	happened func(classify.Details) Phrase // why an answer is of it
	missed   func(classify.Details) Phrase // the same where the answer stands beside it; nil: as happened
	label    string                        // what stands over that; "" where there is no answer
	alike    string                        // what several failures of it have in common
}

// categories are the words for each category of an answer; the last ones are of trials without one.
var categories = map[classify.Category]wording{
	classify.Pass:    {happened: passed},
	classify.Fail:    {happened: failed, label: "Expected"},
	classify.Refusal: {happened: refused, label: "Refused", alike: "refuse"},
	classify.WrongFormat: {happened: func(d classify.Details) Phrase {
		return either(d.ErrorMessage, "not of the expected format")
	}, label: "Format", alike: "are not of the expected format"},
	classify.PolicyViolation: {happened: func(d classify.Details) Phrase { return policy(d, " matched ") },
		missed: func(d classify.Details) Phrase {
			return policy(d, " forbids ")
		}, label: "Rule broken", alike: "break a policy"},
}

func policy(d classify.Details, does string) Phrase {
	return with(Phrase{Say("policy "), Quote(d.PolicyName)}, d.Evidence != "", Say(does), Quote(d.Evidence))
}

// LabelOf is a word for what an answer of a category misses.
func LabelOf(c classify.Category) string { return cmp.Or(categories[c].label, "No answer") }

// AlikeOf says what several failures of a category have in common.
func AlikeOf(c classify.Category) string { return cmp.Or(categories[c].alike, "look alike") }

// SeverityWord shows a severity in Markdown. An unknown one, in a report written by hand, is code.
func SeverityWord(s string) string {
	switch s {
	case "critical", "high":
		return Bold(s)
	case "medium", "low":
		return s
	}
	return NameCode(s)
}

// Outcome shows one side of a case: its category, and how many of several trials passed.
func Outcome(o *report.Outcome, strong bool) string {
	if o == nil {
		return Absent
	}
	return Category(o, strong) + When(o.Trials > 1, fmt.Sprintf(" (right %d of %d)", o.Passed, o.Trials))
}

// Category shows an outcome's category. An unknown one, in a report written by hand, is code.
func Category(o *report.Outcome, strong bool) string {
	switch {
	case !IsCategory(o.Primary):
		return NameCode(string(o.Primary))
	case strong && o.Primary != classify.Pass:
		return Bold(WordOf(o))
	}
	return WordOf(o)
}

// Bold sets a figure or words of ours in bold type.
func Bold(text string) string {
	if text == Absent || text == "" {
		return text
	}
	return "**" + text + "**"
}

// PlainOutcome is one side of a case, as plain text.
func PlainOutcome(o *report.Outcome) string { return strings.ReplaceAll(Outcome(o, false), "`", "") }

// Suite names a suite: its id and, if it has several targets, the one that answers. The text is still untrusted.
func Suite(id string) string { return answered(suiteid.Split(id)) }

// Case names a case apart from its suite: its id and, if its suite has several targets, the one that answers. The text
// is still untrusted.
func Case(suiteID, caseID string) string {
	_, target := suiteid.Split(suiteID)
	return answered(caseID, target)
}

func answered(name, target string) string {
	return name + When(name != "" && target != "", " · "+target)
}

// IsCategory reports whether a word is a category. A report written by hand may hold others.
func IsCategory(c classify.Category) bool { return slices.Contains(classify.Categories[:], c) }
