package evaluate

import (
	"context"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/suite"
)

// LeaksAnswer reports whether a text passes a case if it is given as the answer, and none of the other texts does. If a
// case is graded by a model or compared by meaning, only a text equal to the expected answer passes. LeaksAnswer
// returns false for probes.
func (j *Judge) LeaksAnswer(ctx context.Context, s *suite.Suite, c *suite.Case, text string, others ...string) bool {
	if c.Probe != nil {
		return false
	}
	if c.Semantic() || c.Graded() {
		return c.Measured != nil && same(text, c.Measured.Reference) || c.Rubric != nil &&
			same(text, c.Rubric.Reference)
	}
	return !c.Unheld() && j.PassesAs(ctx, s, c, text) &&
		!slices.ContainsFunc(others, func(other string) bool { return j.PassesAs(ctx, s, c, other) })
}

// PassesAs reports whether a text passes a case if it is given as the answer; false if judging it panics.
func (j *Judge) PassesAs(ctx context.Context, s *suite.Suite, c *suite.Case, text string) (passes bool) {
	err := Guarded("judging a text that no model gave", func() error {
		got, err := j.Judge(ctx, s, c, model.Response{Text: model.Untrusted(text)}, Grades{})
		passes = got.Classification.Primary == classify.Pass
		return err
	})
	return err == nil && passes
}

func same(a, b string) bool {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	return a != "" && strings.EqualFold(a, b)
}
