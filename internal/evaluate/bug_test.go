package evaluate_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// unreadable is an expectation that no suite file can make: judging by it panics.
var unreadable = &expect.Expectation{Criteria: []*expect.Criterion{nil}}

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

// brokenJournal is a journal that breaks.
type brokenJournal struct{ *memory }

func (brokenJournal) Store(model.JournalKey, model.Request, model.Response) { panic("full") }

func TestWhereABugShows(t *testing.T) {
	lost := answers(func(context.Context, model.Request) (model.Response, error) {
		return model.Response{}, errors.New("gone")
	})
	target := func(does answers) func(string) evaluate.Target {
		return func(string) evaluate.Target { return evaluate.Target{Client: does} }
	}
	setLostEmbedder := func(p *evaluate.Plan, base, head []*suite.Suite) {
		base[0].Cases[0].Body.Keys.ExpectationKey = suite.Key{1}
		p.Base = &evaluate.Side{Suites: base, Target: recordings(model.Response{Failure: &model.Failure{}})}
		p.Head.Suites, p.Head.Target, p.Evaluator.Semantic.OnUnavailable = head, recordings(model.Response{Text: "yes"}), config.Fail
		p.Evaluator.Similarity = evaluate.NewSimilarity(&breaking{Embedder: tiny(t)})
	}
	setJudge := func(p *evaluate.Plan, g *grader) {
		p.Head.Suites, p.Evaluator.Panel = []*suite.Suite{suiteOf(t, "x", criteria("a"))}, panelOf(g, 1)
	}
	for _, c := range []struct {
		rule   string
		change func(p *evaluate.Plan)
		says   string
		fatal  bool
	}{
		{"a plan that breaks ends the run", func(p *evaluate.Plan) { p.InShard = func(int) bool { panic("") } }, "a bug of failproof while preparing the request, at internal/evaluate", true},
		{"so does an error of a target", func(p *evaluate.Plan) { p.Head.Target = target(lost) }, "ask target fast for case a of suite s0: gone", true},
		{"and its bug without an evaluation", func(p *evaluate.Plan) { p.Evaluator, p.Head.Target = nil, target(answers(nil)) }, "a bug of failproof while asking for an answer of case a of suite s0, at internal/", true},
		{"an embedder that a case needs", func(p *evaluate.Plan) { setLostEmbedder(p, p.Head.Suites, compared(t, "vendor")) }, "judge case c0 of suite s0: ", true},
		{"or its form on the base", func(p *evaluate.Plan) { setLostEmbedder(p, compared(t, "vendor"), suites(t, 1, 1)) }, "judge case c0 of suite s0 by the base's expectation: ", true},
		{"a clock, so that not even the error of a trial can be made", func(p *evaluate.Plan) { p.Now = func() time.Time { panic("secret") } }, "judging an answer", true},
		{"a cache that breaks is a bug of the answer", func(p *evaluate.Plan) { p.Journal = brokenJournal{newMemory()} }, "caching an answer", false},
		{"a judge that breaks", func(p *evaluate.Plan) { setJudge(p, &grader{reply: func(int) string { panic("") }}) }, "asking the judge", false},
		{"an error of the judge ends the run", func(p *evaluate.Plan) { setJudge(p, &grader{reply: always(clientError)}) }, "ask the judge: the disk is full", true},
		{"to a control question too", func(p *evaluate.Plan) { setJudge(p, &grader{control: always(clientError)}) }, "ask the judge: the disk is full", true},
		{"the expectation of the base", func(p *evaluate.Plan) {
			base := side(t, 1, "a=x")
			base.Cases[0].MustPass, base.Cases[0].Expect = true, unreadable
			p.Base = &evaluate.Side{Suites: []*suite.Suite{base}, Target: p.Head.Target}
		}, "judging an answer by the base's expectation", false},
	} {
		p, _ := both(nil, []*suite.Suite{side(t, 1, "a=x")})
		c.change(&p)
		n, noted := 0, ""
		p.OnBug = func(b *fault.Bug) { noted = b.Error() }
		err := evaluate.Run(t.Context(), p, func(a evaluate.Answer) error {
			n += map[suite.Side]int{suite.Head: 1}[a.Side]
			return nil
		})
		if says := fmt.Sprint(err, noted); !strings.Contains(says, c.says) || strings.Contains(says, "secret") || (err != nil) != c.fatal || c.fatal != (n == 0) {
			t.Errorf("%s: %d answers, %s", c.rule, n, says)
		}
		p.OnBug = nil
		if err := evaluate.Run(t.Context(), p, func(evaluate.Answer) error { return nil }); (err != nil) != c.fatal {
			t.Errorf("%s, and nobody is told: %v", c.rule, err)
		}
	}
}
