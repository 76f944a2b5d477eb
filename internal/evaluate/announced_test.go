package evaluate_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
)

func TestAnAnnouncedPolicyJudgesNothingAndSaysWhatItWouldCatch(t *testing.T) {
	policy := expect.CompilePolicy("no-yes", "", []*regexp.Regexp{regexp.MustCompile("yes")})
	base, head := suites(t, 2, 1), suites(t, 2, 1)
	head[0].Cases[1].Policies = []*expect.Policy{policy}
	p := plan(head, say("yes"))
	p.Base = &evaluate.Side{Suites: base, Target: p.Head.Target}
	p.Evaluator.ProposedPolicies = []expect.Proposed{{Policy: policy, ForAll: true}}
	var got []string
	if err := evaluate.Run(t.Context(), p, func(a evaluate.Answer) error {
		at, r := a.Side, a.Result
		got = append(got, fmt.Sprint(at, " ", r.SuiteID, "/", r.CaseID, " ", r.Classification.Primary, " ", r.ProposedPolicies))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"base s0/c0 pass []", "head s0/c0 pass [no-yes]",
		"base s0/c1 pass []", "head s0/c1 policy_violation []", // its case names the policy
		"base s1/c0 pass []", "head s1/c0 pass [no-yes]",
		"base s1/c1 pass []", "head s1/c1 pass [no-yes]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("results:\n%q\nwant:\n%q", got, want)
	}
}

func TestAnAnnouncedPolicyCatchesWhatAToolIsTold(t *testing.T) {
	p := plan(suites(t, 1, 1), answers(func(context.Context, model.Request) (model.Response, error) {
		return model.Response{Text: "done", ToolCalls: []model.ToolCall{{Name: "mail", Arguments: `{"body": "yes"}`}}}, nil
	}))
	p.Evaluator.ProposedPolicies = []expect.Proposed{{Policy: expect.CompilePolicy("no-yes", "", []*regexp.Regexp{regexp.MustCompile("yes")}), ForAll: true}}
	if err := evaluate.Run(t.Context(), p, func(a evaluate.Answer) error {
		r := a.Result
		if !slices.Equal(r.ProposedPolicies, []string{"no-yes"}) {
			t.Errorf("case %s: caught by %q", r.CaseID, r.ProposedPolicies)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
