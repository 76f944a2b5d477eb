package show

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suiteid"
)

type wording struct {
	reason      func(classify.Details) Phrase // why an answer has the category
	missed      func(classify.Details) Phrase // the same for use beside the answer; nil: as happened
	label       string                        // heading above that; "" without a score
	sharedCause string                        // shared cause of several such failures
}

// categories has the words for each category of an answer. For a trial without an answer, see unanswered.
var categories = map[classify.Category]wording{
	classify.Pass: {reason: passPhrase},
	classify.Fail: {reason: failPhrase, label: "Expected"},
	classify.Refusal: {reason: refusalPhrase, missed: func(d classify.Details) Phrase {
		return refusalPhraseAs(cmp.Or(refusalKind(d.Kind), "declined"), d)
	}, label: "Refused", sharedCause: "refuse"},
	classify.WrongFormat: {reason: func(d classify.Details) Phrase {
		return messageOr(d.ErrorMessage, "not of the expected format")
	}, label: "Format", sharedCause: "are not of the expected format"},
	classify.PolicyViolation: {reason: func(d classify.Details) Phrase { return policyPhrase(d, " matched ") },
		missed: func(d classify.Details) Phrase {
			return policyPhrase(d, " forbids ")
		}, label: "Rule broken", sharedCause: "break a policy"},
}

func policyPhrase(d classify.Details, does string) Phrase {
	return appendIf(Phrase{Literal("policy "), Quote(d.PolicyName)}, d.Evidence != "", Literal(does), Quote(d.Evidence))
}

// LabelOf returns the heading above what an answer of a category misses.
func LabelOf(c classify.Category) string { return cmp.Or(categories[c].label, "No score") }

// SharedCause returns the shared cause of several failures of a category.
func SharedCause(c classify.Category) string { return cmp.Or(categories[c].sharedCause, "look alike") }

// Severity returns a severity, emphasized if it is high.
func Severity(s string) Part {
	switch s {
	case "critical", "high":
		return Strong(s)
	case "medium", "low":
		return Literal(s)
	}
	return Quote(s) // of an edited report
}

// PlainOutcome returns one side of a case as plain text: its result, and how many of several trials passed.
func PlainOutcome(o *report.Outcome) string {
	if o == nil {
		return Absent
	}
	return ShortName(o.CategoryWord(), NameRunes) +
		When(o.Trials > 1, fmt.Sprintf(" (right %d of %d)", o.Passed, o.Trials))
}

// Suite returns the name of a suite: its id, with the target if the suite has several. The result is still untrusted.
func Suite(id string) string { return withTarget(suiteid.Split(id)) }

// Case returns the name of a case without its suite: its id, with the target if the suite has several. The result is
// still untrusted.
func Case(suiteID, caseID string) string {
	_, target := suiteid.Split(suiteID)
	return withTarget(caseID, target)
}

func withTarget(name, target string) string {
	return name + When(name != "" && target != "", " · "+target)
}

// IsCategory reports whether a word is a category. An edited report may have others.
func IsCategory(c classify.Category) bool { return slices.Contains(classify.Categories[:], c) }
