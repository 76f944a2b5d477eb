package evaluate_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// unreadable is an expectation that no suite file can make: judging by it panics.
var unreadable = &expect.Expectation{Criteria: []*expect.Match{nil}}

func TestATrialThatFailproofBreaksOnIsAnErrorOfItsOwn(t *testing.T) {
	asking := answers(func(_ context.Context, r model.Request) (model.Response, error) {
		if r.CaseID == "c1" {
			panic("what it was asked: a secret")
		}
		return model.Response{Text: "yes"}, nil
	})
	for _, c := range []struct {
		rule   string
		plan   evaluate.Plan
		change func(*evaluate.Plan)
		doing  string
	}{
		{"while it asks", plan(suites(t, 3, 1), asking), func(*evaluate.Plan) {}, "asking for an answer"},
		{"while it judges", plan(suites(t, 3, 1), say("yes")), func(p *evaluate.Plan) {
			for _, s := range p.Head.Suites {
				s.Cases[1].Expect = unreadable
			}
		}, "judging an answer"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var bugs []*fault.Bug
			c.change(&c.plan)
			c.plan.OnBug = func(b *fault.Bug) { bugs = append(bugs, b) }
			results := run(t, c.plan)
			if len(results) != 9 || len(bugs) != 3 {
				t.Fatalf("%d results and %d bugs, want 9 and 3", len(results), len(bugs))
			}
			for _, r := range results {
				k := r.Classification
				broken := k.Primary == classify.Error && k.Details.Reason == model.ReasonInternal && k.Unscored() && r.Error != nil
				if broken != (r.CaseID == "c1") || !broken && k.Primary != classify.Pass {
					t.Errorf("case %s is %+v", r.CaseID, k)
				}
			}
			b := bugs[0]
			if b.SuiteID != "s0" || b.CaseID != "c1" || b.Activity != c.doing || len(b.Stack) == 0 || !strings.Contains(b.Place, ".go:") {
				t.Errorf("the bug is %+v", b)
			}
			if strings.Contains(b.Error(), "secret") {
				t.Errorf("its message quotes what was judged: %v", b)
			}
		})
	}
}

func TestABugUnderTheBasesExpectationLeavesTheHeadsJudgement(t *testing.T) {
	head, base := suites(t, 1, 1), suites(t, 1, 1)
	head[0].Cases[0].Body.Keys.ExpectationKey, base[0].Cases[0].Body.Keys.ExpectationKey = suite.Key{'n'}, suite.Key{'o'}
	p := plan(head, say("yes"))
	p.Base = &evaluate.Side{Suites: base, Target: p.Head.Target}
	base[0].Cases[0].Expect = unreadable
	var got []report.Result
	err := evaluate.Run(t.Context(), p, func(a evaluate.Answer) error {
		at, r := a.Side, a.Result
		if at == suite.Head {
			got = append(got, r)
		}
		return nil
	})
	if err != nil || len(got) != 1 || got[0].Classification.Primary != classify.Pass ||
		got[0].UnderBase == nil || got[0].UnderBase.Details.Reason != model.ReasonInternal {
		t.Errorf("Run = %v, %+v; want a pass and an internal error under the base", err, got)
	}
}

func TestABugBesideTheTrialsIsAnError(t *testing.T) {
	p := plan(suites(t, 2, 1), say("yes"))
	p.Now = func() time.Time { panic("no clock") } // so that not even the error of a trial can be made
	err := evaluate.Run(t.Context(), p, func(evaluate.Answer) error { return nil })
	var bug *fault.Bug
	if !errors.As(err, &bug) || bug.Activity != "judging an answer" {
		t.Errorf("Run = %v, want a bug", err)
	}
}
