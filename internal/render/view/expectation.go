package view

import (
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// Expectation says what the answer misses, all of it, under a word for what that is; nothing where there is no answer.
func Expectation(c report.Change) (label string, p show.Phrase) {
	o := c.Head
	if o == nil {
		return "", nil
	}
	if c.Kind == report.KindWorse || c.Kind == report.KindReview {
		return "", nil
	}
	label, p = show.LabelOf(o.Primary), show.Missed(o)
	if at := slices.IndexFunc(c.Expected, isFormat); at >= 0 && o.Primary == classify.WrongFormat {
		p = append(show.Phrase{show.Quote(c.Expected[at].Expected), show.Say(" is expected: ")}, p...)
	}
	if c.Change == report.Regressed && o.UnderBase != nil {
		p = append(p, show.Say("; the expectation was edited, and the answer meets neither the new one nor the old"))
	}
	return label, p
}

func isFormat(d expect.Demand) bool { return d.Criterion == "expected_format" }
