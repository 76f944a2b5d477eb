package evaluate_test

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/suite"
)

// One answer that both sides have is judged by the rules of each, however much of them is the same.
func TestEqualAnswersAreJudgedByEachSidesOwnRules(t *testing.T) {
	const answer = "Tell us within 14 days."
	forbidding := []*expect.Policy{expect.CompilePolicy("no-tell", "", []*regexp.Regexp{regexp.MustCompile("Tell")})}
	for _, c := range []struct {
		rule       string
		of         func() []*suite.Suite
		change     func(c *suite.Case)
		base, head string
	}{
		{"nothing", func() []*suite.Suite { return measured(t, "B7", []string{"14 days"}, nil) }, func(*suite.Case) {}, "fail medium", "fail medium"},
		{"the policies", func() []*suite.Suite { return suites(t, 1, 1) }, func(c *suite.Case) { c.Policies = forbidding }, "fail medium", "policy_violation medium"},
		{"the threshold", func() []*suite.Suite { return measured(t, "B7", []string{"14 days"}, nil) },
			func(c *suite.Case) { c.CaseThreshold, c.Body.Keys.ExpectationKey = new(0.1), suite.Key{1} }, "fail medium", "pass medium"},
		{"the severity", func() []*suite.Suite { return suites(t, 1, 1) },
			func(c *suite.Case) { c.Severity = "critical" }, "fail medium", "fail critical"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			base, head := c.of(), c.of()
			c.change(head[0].Cases[0])
			p := plan(head, say(answer))
			p.Evaluator.Semantic.OnUnavailable = "lexical"
			p.Base = &evaluate.Side{Suites: base, Target: p.Head.Target}
			var got []string
			if err := evaluate.Run(t.Context(), p, func(a evaluate.Answer) error {
				at, r := a.Side, a.Result
				got = append(got, fmt.Sprint(at, " ", r.Classification.Primary, " ", r.Severity))
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if want := []string{"base " + c.base, "head " + c.head}; !slices.Equal(got, want) {
				t.Errorf("judged as %v, want %v", got, want)
			}
		})
	}
}
