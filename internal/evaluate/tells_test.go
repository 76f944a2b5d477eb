package evaluate_test

import (
	"context"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/refusal"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/suite"
)

func TestWhatTellsTheAnswerOfACase(t *testing.T) {
	j := &evaluate.Evaluator{Classifier: classify.New(refusal.New(nil)), Phase: config.Deployment}
	match := func(expected, mode string) *expect.Expectation {
		m, err := expect.CompileMatch(expected, mode)
		if err != nil {
			t.Fatal(err)
		}
		return &expect.Expectation{Criteria: []*expect.Match{m}}
	}
	graded := suite.Body{Judging: suite.Judging{Expect: &expect.Expectation{}, Rubric: &suite.Rubric{Reference: "14 days"}}}
	for _, c := range []struct {
		rule, text string
		body       suite.Body
		want       bool
	}{
		{"what is expected", "14", suite.Body{Judging: suite.Judging{Expect: match("14", expect.ModeContains)}}, true},
		{"words around it", "say 14", suite.Body{Judging: suite.Judging{Expect: match("14", expect.ModeContains)}}, true},
		{"something else", "15", suite.Body{Judging: suite.Judging{Expect: match("14", expect.ModeContains)}}, false},
		{"what other texts pass as well", "14", suite.Body{Judging: suite.Judging{Expect: match("[a-z0-9]", expect.ModeRegex)}}, false},
		{"a case without a criterion", "14", suite.Body{Judging: suite.Judging{Expect: &expect.Expectation{}}}, false},
		{"a probe", "14", suite.Body{Judging: suite.Judging{Expect: match("14", expect.ModeContains), Probe: &risk.Probe{}}}, false},
		{"the reference of a judge", " 14 Days", graded, true},
		{"the reference of a judge, of a probe", "14 days", suite.Body{Judging: suite.Judging{Expect: &expect.Expectation{}, Rubric: graded.Rubric, Probe: &risk.Probe{}}}, false},
		{"what a judge would have to grade", "two weeks", graded, false},
	} {
		if got := j.TextLeaksAnswer(context.Background(), &suite.Suite{}, &suite.Case{Body: &c.body}, c.text, "x", "How many days?"); got != c.want {
			t.Errorf("%s: %v, want %v", c.rule, got, c.want)
		}
	}
}
