package show

import (
	"cmp"

	"github.com/failproof/failproof/internal/classify"
)

type wording struct {
	happened func(classify.Details) Phrase // why an answer is of it
	missed   func(classify.Details) Phrase // the same where the answer stands beside it; nil: as happened
	label    string                        // what stands over that; "" where there is no answer
	alike    string                        // what several failures of it have in common
}

// categories are the words for each category of an answer; the others are those of trials without one.
var categories = map[classify.Category]wording{
	classify.Pass:        {happened: passed},
	classify.Fail:        {happened: failed, label: "Expected"},
	classify.Refusal:     {happened: refused, label: "Refused", alike: "refuse"},
	classify.WrongFormat: {happened: func(d classify.Details) Phrase { return either(d.ErrorMessage, "not of the expected format") }, label: "Format", alike: "are not of the expected format"},
	classify.PolicyViolation: {happened: func(d classify.Details) Phrase { return policy(d, " matched ") },
		missed: func(d classify.Details) Phrase { return policy(d, " forbids ") }, label: "Rule broken", alike: "break a policy"},
}

func policy(d classify.Details, does string) Phrase {
	return with(Phrase{Say("policy "), Quote(d.PolicyName)}, d.Evidence != "", Say(does), Quote(d.Evidence))
}

// LabelOf is a word for what an answer of a category misses.
func LabelOf(c classify.Category) string { return cmp.Or(categories[c].label, "No answer") }

// AlikeOf says what several failures of a category have in common.
func AlikeOf(c classify.Category) string { return cmp.Or(categories[c].alike, "look alike") }
