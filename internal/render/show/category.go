package show

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/refusal"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
	"github.com/failproof/failproof/internal/worddiff"
)

type wording struct {
	reason      func(classify.Details) Phrase // why an answer has the category
	label       string                        // heading above what it misses; "" for "Error"
	sharedCause string                        // shared cause of several such failures
}

// categories has the words for each category.
var categories = map[classify.Category]wording{
	classify.Pass:    {reason: passPhrase},
	classify.Fail:    {reason: failPhrase, label: "Expected"},
	classify.Refusal: {reason: refusalPhrase, label: "Refused", sharedCause: "refuse"},
	classify.WrongFormat: {reason: func(d classify.Details) Phrase {
		return messageOr(d.ErrorMessage, "not of the expected format")
	}, label: "Format", sharedCause: "are not of the expected format"},
	classify.PolicyViolation: {reason: policyPhrase, label: "Rule broken", sharedCause: "break a policy"},
	classify.Error:           {reason: errorPhrase},
	classify.Timeout:         {reason: timeoutPhrase},
	classify.Crash:           {reason: crashPhrase},
}

func policyPhrase(d classify.Details) Phrase {
	return appendIf(Phrase{Literal("policy "), Quote(d.PolicyName)}, d.Evidence != "", Literal(" forbids "), Quote(d.Evidence))
}

// LabelOf returns the heading above what an answer of a category misses.
func LabelOf(c classify.Category) string { return cmp.Or(categories[c].label, "Error") }

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
	word, passed := ShortName(o.CategoryWord(), NameRunes), fmt.Sprintf("right %d of %d", o.Passed, o.Trials)
	switch {
	case o.Trials <= 1:
		return word
	case o.Primary == classify.Pass || o.Primary == classify.Fail: // the word would say less
		return passed
	}
	return word + " (" + passed + ")"
}

// Suite returns the name of a suite: its id, with the target if the suite has several. The result is still untrusted.
func Suite(id string) string { return withTarget(suiteid.Split(id)) }

// Case returns the id of a case, with the target if the suite has several. The result is still untrusted.
func Case(suiteID, caseID string) string {
	_, target := suiteid.Split(suiteID)
	return withTarget(caseID, target)
}

func withTarget(name, target string) string {
	return name + When(name != "" && target != "", " · "+target)
}

// IsCategory reports whether a word is a category. An edited report may have others.
func IsCategory(c classify.Category) bool { return slices.Contains(classify.Categories[:], c) }

func detailsOf(o *report.Outcome) (d classify.Details) {
	if o.Details != nil {
		d = *o.Details
	}
	return d
}

// CategoryReason returns why a side's shown trial has its category, or nil.
func CategoryReason(o *report.Outcome) Phrase {
	if o == nil {
		return nil
	}
	wording, known := categories[o.Primary]
	if !known { // of an edited report
		wording = categories[classify.Error]
	}
	return wording.reason(detailsOf(o))
}

func appendIf(p Phrase, really bool, more ...Part) Phrase {
	if !really {
		return p
	}
	return append(p, more...)
}

func messageOr[T ~string](message T, otherwise string) Phrase {
	if strings.TrimSpace(string(message)) == "" {
		return Phrase{Literal(otherwise)}
	}
	return Phrase{Message(message)}
}

func withReason(p Phrase, reason string) Phrase {
	return appendIf(p, reason != "", Literal(": "), Message(reason))
}

// refusalPhrase returns how an answer refuses, with the words that say so and the rule that found them. An unknown kind
// is untrusted text of a stored report and counts as plain.
func refusalPhrase(d classify.Details) Phrase {
	how := cmp.Or(map[refusal.Kind]string{refusal.Unable: "unable", refusal.Deflected: "deflected"}[d.Kind], "declined")
	p := appendIf(LiteralPhrase(how), d.Evidence != "", Literal(": "), Quote(d.Evidence))
	return appendIf(p, d.Rule != "", Literal(" (rule "), Quote(d.Rule), Literal(")"))
}

func passPhrase(d classify.Details) Phrase {
	switch {
	case d.Expected != "":
		return Phrasef("%v was expected", Quote(d.Expected))
	case d.NeedsReview:
		return LiteralPhrase("needs a review: its meaning could not be compared")
	case d.Unverified:
		return LiteralPhrase("nothing to hold the answer to")
	}
	return nil
}

func timeoutPhrase(d classify.Details) Phrase {
	if d.LimitSeconds > 0 {
		return Phrasef("no answer within %v s", text.Decimal(d.LimitSeconds))
	}
	return LiteralPhrase("no answer in time")
}

func crashPhrase(d classify.Details) Phrase {
	if strings.HasPrefix(d.Reason, "empty_") {
		return errorPhrase(d)
	}
	return withReason(LiteralPhrase("the target crashed"), string(d.ErrorDetails))
}

func errorPhrase(d classify.Details) Phrase {
	switch {
	case d.Reason == "empty_truncated":
		return LiteralPhrase("`max_tokens` was spent before a word of it came")
	case d.Reason == "empty_response":
		return LiteralPhrase("the answer is empty")
	case d.ErrorDetails == "" && d.Reason != "":
		return Phrasef("no answer: %v", Quote(d.Reason))
	}
	return messageOr(d.ErrorDetails, "no answer")
}

func failPhrase(d classify.Details) Phrase {
	switch {
	case len(d.Unmet) > 0:
		return JoinFirst(unmetNamed, "; ", "; and ", MapPhrases(d.Unmet, UnmetPhrase))
	case d.Expected != "":
		return Phrasef("expected %v", Quote(d.Expected))
	}
	return LiteralPhrase("a criterion is not met")
}

// MissedPhrase returns all that an answer misses, for use beside the answer.
func MissedPhrase(o *report.Outcome) Phrase {
	p, unmetCriteria := CategoryReason(o), detailsOf(o).Unmet
	if o.Primary == classify.Fail && len(unmetCriteria) > 0 {
		p = nil
	}
	unmet := JoinFirst(unmetNamed, "; ", "; and ", MapPhrases(unmetCriteria, func(u expect.Unmet) Phrase { return unmetWithoutAnswer(o, u) }))
	return JoinPhrases("; ", NonEmpty(p, unmet))
}

// unmetNamed is the most missed criteria that are named.
const unmetNamed = 5

// unmetWithoutAnswer returns the criterion that an answer missed, without the answer's own words.
func unmetWithoutAnswer(o *report.Outcome, u expect.Unmet) Phrase {
	switch {
	case u.Criterion == score.Rubric:
		return judgePhrase(u)
	case u.Criterion == "overall_score":
		return thresholdPhrase(u, "label ") // follows "Expected:"
	case u.Criterion == "assert" && u.Reason == "not true":
		return Phrase{Quote(u.Expected)}
	case u.Criterion == "assert", strings.HasPrefix(string(o.Excerpt), strings.TrimSuffix(u.Actual, "…")) &&
		u.Expected != "":
		return withReason(Phrase{Quote(u.Expected)}, u.Reason)
	}
	return UnmetPhrase(u)
}

// UnmetPhrase returns the criterion that an answer missed.
func UnmetPhrase(u expect.Unmet) Phrase {
	switch {
	case u.Criterion == "assert" && (u.Reason == "" || u.Reason == "not true"):
		return Phrasef("%v is not true", Quote(u.Expected))
	case u.Criterion == "assert":
		return withReason(Phrase{Quote(u.Expected)}, u.Reason)
	case u.Criterion == score.Rubric:
		return judgePhrase(u)
	case u.Criterion == "overall_score":
		return thresholdPhrase(u, score.LabelFindingPrefix)
	case u.Criterion == expect.CriterionRunner:
		return appendIf(LiteralPhrase("the runner says that it failed"), u.Reason != "", Literal(": "), Quote(u.Reason))
	case u.Criterion == "risk_score":
		return withReason(Phrasef("risk %v, needs to be %v", Message(u.Actual), Message(u.Expected)), u.Reason)
	case u.Expected == "":
		return withReason(Phrasef("%v not met", Quote(u.Criterion)), u.Reason)
	}
	want, got := u.Expected, u.Actual
	if Excerpt(want, QuoteRunes) == Excerpt(got, QuoteRunes) {
		want, got = worddiff.ShortenAround(want, got, QuoteRunes, QuoteRunes)
	}
	return withReason(appendIf(Phrasef("expected %v", Quote(want)), got != "", Literal(", got "), Quote(got)), u.Reason)
}

// thresholdPhrase returns a phrase of what is wrong, and of the score that missed the threshold. If only a label
// counted, it has no score; lead comes before the expected label.
func thresholdPhrase(u expect.Unmet, lead string) Phrase {
	figures := Phrasef("overall score %v, needs %v", Message(u.Actual), Message(u.Expected))
	label, isLabel := strings.CutPrefix(u.Reason, score.LabelFindingPrefix)
	switch {
	case u.Reason == "":
		return figures
	case isLabel && u.Actual == "0.000":
		return Phrase{Message(lead + label)}
	case isLabel:
		return Phrasef("%v (%v)", Message(lead+label), figures)
	}
	return Phrasef("%v (%v)", Message(u.Reason), figures)
}

func judgePhrase(u expect.Unmet) Phrase {
	p := appendIf(Phrase{Quote(u.Expected)}, u.Severity != "" && u.Severity != "medium", Literal(" ("), Message(u.Severity), Literal(")"))
	return appendIf(append(p, Literal(" is not met")), u.Reason != "", Literal(", says the judge: "), Quote(u.Reason))
}
