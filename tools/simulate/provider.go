package main

import (
	"context"
	"fmt"
	"time"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/refusal"
	"github.com/failproof/failproof/internal/suite"
)

// provider is a model that passes case i with the probability of case i. A trial's random number depends only on the
// seed, the side, the case and the trial, so that the order of calls does not matter. The probability may depend on
// the order, as in its server.
type provider struct {
	seed   uint64
	side   suite.Side
	cases  map[string]int
	passes chances
	lost   float64 // share of answers that fail, as in an outage
	wrong  bool    // every first answer is wrong
	server *server
}

// server makes a model's answers depend on the order of calls. Both sides call one server.
type server struct {
	kind       string // one of servers
	firstCalls int    // calls of the first answers
	calls      int
}

// servers are the kinds: a steady server, two replicas in turn of which one is worse, one that becomes worse with
// every call, and one that changes its model halfway through the first answers.
var servers = []string{"steady", "replicas", "drift", "swap"}

// chance returns the probability that case i passes at the next call.
func (s *server) chance(passes chances, i int) float64 {
	s.calls++
	switch s.kind {
	case "replicas":
		return passes[i] * (1 - 0.3*float64(s.calls%2))
	case "drift":
		return passes[i] * (1 - 0.3*min(1, float64(s.calls)/float64(s.firstCalls)))
	case "swap":
		if 2*s.calls > s.firstCalls {
			return passes[len(passes)-1-i]
		}
	}
	return passes[i]
}

func (p provider) Answer(_ context.Context, r model.Request) (model.Response, error) {
	i := p.cases[r.SuiteID+"/"+r.CaseID]
	side := uint64(1)
	if p.side == suite.Head {
		side = 2
	}
	chance := p.server.chance(p.passes, i)
	coin := func(what uint64) float64 {
		return uniform(p.seed, side, uint64(i), uint64(r.Trial), what)
	}
	switch {
	case coin(1) < p.lost:
		return model.Response{Failure: &model.Failure{Message: "HTTP 429: rate limit reached",
			Reason: model.ReasonRateLimit}}, nil
	case p.wrong && r.Rerun == 0:
	case coin(2) < chance:
		return model.Response{Text: "yes"}, nil
	}
	return model.Response{Text: "no"}, nil
}

// earlierReruns returns the reruns of a case that were recorded before the change.
func (p provider) earlierReruns(suiteID, caseID string) (out []model.Response) {
	i := p.cases[suiteID+"/"+caseID]
	for round := range uint64(earlierRounds) {
		one := model.Response{Text: "no"}
		if uniform(p.seed, 3, uint64(i), round) < p.passes[i] {
			one.Text = "yes"
		}
		out = append(out, one)
	}
	return out
}

// uniform returns a number in [0, 1) that depends only on its arguments (splitmix64, Steele and others 2014).
func uniform(parts ...uint64) float64 {
	var x uint64
	for _, p := range parts {
		x += p + 0x9e3779b97f4a7c15
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		x ^= x >> 31
	}
	return float64(x>>11) / (1 << 53)
}

// setup has what all runs of a cell share: the suites of both sides, whose requests differ, and a judge.
type setup struct {
	base, head []*suite.Suite
	cases      map[string]int
	judge      *evaluate.Evaluator
	server     string // one of servers
	firstCalls int    // calls of the first answers
}

func newSetup(c cell) (*setup, error) {
	yes, err := expect.CompileMatch("yes", "exact")
	if err != nil {
		return nil, fmt.Errorf("compile the expectation: %w", err)
	}
	s := &setup{cases: map[string]int{}, server: c.server, firstCalls: 2 * c.n * c.k,
		judge: &evaluate.Evaluator{Classifier: classify.New(refusal.New(nil)), Phase: config.Deployment}}
	for i := range c.suites {
		id := fmt.Sprintf("s%d", i)
		base := &suite.Suite{ID: id, Path: id + ".yaml", Target: "model", Trials: c.k, Weight: 1}
		head := *base
		for j := i; j < c.n; j += c.suites {
			caseID := fmt.Sprintf("c%03d", j)
			s.cases[id+"/"+caseID] = j
			newCase := func(request byte) suite.Case {
				return suite.Case{ID: caseID, Severity: "medium", Trials: c.k, Body: &suite.Body{
					Keys:    suite.Keys{RequestKey: suite.Key{request}, ExpectationKey: suite.Key{'e'}},
					Prompt:  model.Request{SuiteID: id, CaseID: caseID, Provider: c.target, Model: "coins"},
					Judging: suite.Judging{Expect: &expect.Expectation{Criteria: []*expect.Criterion{yes}}}}}
			}
			base.Cases.Add(newCase('b'))
			head.Cases.Add(newCase('a'))
		}
		s.base, s.head = append(s.base, base), append(s.head, &head)
	}
	return s, nil
}

// plan returns one run of the stage with the probabilities of base and head.
func (s *setup) plan(seed uint64, base, head chances, c cell) evaluate.Plan {
	shared := &server{kind: s.server, firstCalls: s.firstCalls}
	side := func(at suite.Side, suites []*suite.Suite, passes chances, lost float64, wrong bool) evaluate.Side {
		client := provider{seed: seed, side: at, cases: s.cases, passes: passes, lost: lost, wrong: wrong,
			server: shared}
		return evaluate.Side{Suites: suites, Target: func(string) evaluate.Target {
			return evaluate.Target{Client: client, Concurrency: 1, Live: true, Address: "here"}
		}}
	}
	baseSide := side(suite.Base, s.base, base, 0, c.unlucky)
	return evaluate.Plan{
		Head: side(suite.Head, s.head, head, c.lost, false), Base: &baseSide, Evaluator: s.judge, RunID: "simulated", EvaluationConcurrency: 1,
		Now: func() time.Time { return time.Unix(0, 0) },
	}
}
