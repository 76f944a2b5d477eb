package promptfoo

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/document"
)

// addCriterion adds a criterion that the judge decides. If the assertion is negative, it adds the opposite.
func (a *assertion) addCriterion(criterion string) error {
	if a.negative {
		criterion = "This is not so: " + criterion
	}
	if utf8.RuneCountInString(criterion) > 4000 || strings.Contains(criterion, "{{") {
		return because("a criterion has 4000 characters at most, and no `{{`", "several criteria")
	}
	if !a.threshold.isMissing() {
		addFinding(Changed, a.threshold, "`threshold` of `"+a.kind+"`",
			"the judge says met or not met, and gives no score")
	}
	if a.transform.code != "" {
		a.addDifference("the judge sees the whole answer, not the transform's result")
	}
	a.im.hasRubric = true
	if !slices.ContainsFunc(a.expect.rubric, func(old *value) bool { return old.text == criterion }) {
		a.expect.rubric = append(a.expect.rubric, str(criterion))
	}
	return nil
}

// convertRubric adds a criterion for the value of the assertion, or for each item of a list.
func convertRubric(a *assertion) error {
	if a.value.isMissing() {
		return because("it has no value", "a criterion: a sentence that is true of a good answer")
	}
	for _, item := range a.value.items() {
		a.value = item
		want, err := a.scalar()
		if err == nil {
			err = a.addCriterion(strings.TrimSpace(want))
		}
		a.reportError(err)
		a.threshold = node{}
	}
	if a.kind == "g-eval" {
		a.addDifference("the judge's question has no reasoning steps")
	}
	return nil
}

// convertFactuality adds the criterion that the answer does not contradict the value. The value becomes the reference
// of the case, if the case has none.
func convertFactuality(a *assertion, want *value) error {
	e, text := a.expect, want.text
	if e.reference == "" && e.defaults.reference == "" && len(text) <= 200_000 {
		e.reference = text
	}
	if e.reference != text { // the reference is another text
		return a.addCriterion("Contradicts nothing of this: " + quotation(strings.TrimSpace(text)))
	}
	return a.addCriterion("Contradicts nothing that the reference says")
}

// convertSimilar adds a criterion in place of a comparison by the similarity of embeddings.
func convertSimilar(a *assertion, want *value) error {
	a.addDifference("the judge says whether the answer means the same, instead of a similarity of embeddings of at " +
		"least " + cmp.Or(a.threshold.text(), "0.75"))
	a.threshold = node{}
	return a.addCriterion("Says in substance: " + quotation(strings.TrimSpace(want.text)))
}

// convertTo returns a function that converts an assertion to a criterion with the given words.
func convertTo(words string) func(a *assertion) error {
	return func(a *assertion) error {
		a.addDifference("the judge decides whether this is true: " + document.Quote(words))
		return a.addCriterion(words)
	}
}

func convertFaithfulness(a *assertion) error {
	if a.expect.vars != nil && a.expect.vars["context"] == "" {
		return because("the judge needs a variable `context`, and there is none", "the context as a variable")
	}
	return convertTo("States nothing that does not follow from the variable `context`")(a)
}
