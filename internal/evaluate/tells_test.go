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
		return &expect.Expectation{Criteria: []*expect.Criterion{m}}
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
		if got := j.TextLeaksAnswer(context.Background(), &suite.Case{Body: &c.body}, c.text, "x", "How many days?"); got != c.want {
			t.Errorf("%s: %v, want %v", c.rule, got, c.want)
		}
	}
}

func TestAHeadThatAcceptsAnythingLoosensItsCase(t *testing.T) {
	one := func(key byte, text string, change func(*suite.Case)) *suite.Suite {
		s := side(t, 1, "a=x")
		s.Cases[0].Expect, s.Cases[0].Body.Keys.ExpectationKey = expecting(t, text), suite.Key{key}
		change(s.Cases[0])
		return s
	}
	same, j := func(*suite.Case) {}, judge(nil)
	for _, c := range []struct {
		rule       string
		key        byte // of the head; the base's is 1
		base, head string
		change     func(*suite.Case) // of the head
		want       bool
	}{
		{"it does", 2, "yes", "", same, true},
		{"not if it still expects something", 2, "yes", "no", same, false},
		{"nor if the base expected nothing", 2, "", "", same, false},
		{"nor if it is not redefined", 1, "yes", "", same, false},
		{"nor if a judge grades it", 2, "yes", "", func(c *suite.Case) { c.Rubric = &suite.Rubric{} }, false},
		{"nor if it is a probe", 2, "yes", "", func(c *suite.Case) { c.Probe = &risk.Probe{} }, false},
		{"nor if its meaning is compared", 2, "yes", "", func(c *suite.Case) { c.Measured = measured(t, "B7", nil, nil)[0].Cases[0].Measured }, false},
	} {
		base, head := one(1, c.base, same), one(c.key, c.head, c.change)
		added := suite.Pair{HeadSuite: head, Head: head.Cases[0]}
		if got := j.Loosens(suite.Pair{BaseSuite: base, Base: base.Cases[0], HeadSuite: head, Head: head.Cases[0]}); got != c.want || j.Loosens(added) {
			t.Errorf("%s: %v, want %v", c.rule, got, c.want)
		}
	}
}
