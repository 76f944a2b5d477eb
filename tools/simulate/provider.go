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
	at     suite.Side
	cases  map[string]int
	passes chances
	lost   float64 // share of answers that fail, as in an outage
	wrong  bool    // every first answer is wrong
	server *server
}

// server makes a model's answers depend on the order of calls. Both sides call one server.
type server struct {
	kind  string // one of servers
	first int    // calls of the first answers
	asked int
}

// servers are the kinds: a steady server, two replicas in turn of which one is worse, one that becomes worse with
// every call, and one that changes its model halfway through the first answers.
var servers = []string{"steady", "replicas", "drift", "swap"}

// chance returns the probability that case i passes at the next call.
func (s *server) chance(passes chances, i int) float64 {
	s.asked++
	switch s.kind {
	case "replicas":
		return passes[i] * (1 - 0.3*float64(s.asked%2))
	case "drift":
		return passes[i] * (1 - 0.3*min(1, float64(s.asked)/float64(s.first)))
	case "swap":
		if 2*s.asked > s.first {
			return passes[len(passes)-1-i]
		}
	}
	return passes[i]
}

func (p provider) Answer(_ context.Context, r model.Request) (model.Response, error) {
	i := p.cases[r.SuiteID+"/"+r.CaseID]
	side := uint64(1)
	if p.at == suite.Head {
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
	case p.wrong && r.Fresh == 0:
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

// stage has what all runs of a cell share: the suites of both sides, whose requests differ, and a judge.
type stage struct {
	base, head []*suite.Suite
	cases      map[string]int
	judge      *evaluate.Judge
	server     string // one of servers
	first      int    // calls of the first answers
}

func newStage(c cell) (*stage, error) {
	yes, err := expect.CompileMatch("yes", "exact")
	if err != nil {
		return nil, fmt.Errorf("compile the expectation: %w", err)
	}
	s := &stage{cases: map[string]int{}, server: c.server, first: 2 * c.n * c.k,
		judge: &evaluate.Judge{Classifier: classify.New(refusal.New(nil)), Phase: config.Deployment}}
	for i := range c.suites {
		id := fmt.Sprintf("s%d", i)
		base := &suite.Suite{ID: id, Path: id + ".yaml", Target: "model", Trials: c.k, Weight: 1}
		head := *base
		for j := i; j < c.n; j += c.suites {
			caseID := fmt.Sprintf("c%03d", j)
			s.cases[id+"/"+caseID] = j
			asking := func(request byte) suite.Case {
				return suite.Case{ID: caseID, Severity: "medium", Trials: c.k, Body: &suite.Body{
					Keys:    suite.Keys{RequestKey: suite.Key{request}, ExpectationKey: suite.Key{'e'}},
					Prompt:  model.Request{SuiteID: id, CaseID: caseID, Provider: c.target, Model: "coins"},
					Judging: suite.Judging{Expect: &expect.Expectation{Criteria: []*expect.Match{yes}}}}}
			}
			base.Cases.Add(asking('b'))
			head.Cases.Add(asking('a'))
		}
		s.base, s.head = append(s.base, base), append(s.head, &head)
	}
	return s, nil
}

// plan returns one run of the stage with the probabilities of base and head.
func (s *stage) plan(seed uint64, base, head chances, c cell) evaluate.Plan {
	one := &server{kind: s.server, first: s.first}
	side := func(at suite.Side, suites []*suite.Suite, passes chances, lost float64, wrong bool) evaluate.Side {
		client := provider{seed: seed, at: at, cases: s.cases, passes: passes, lost: lost, wrong: wrong, server: one}
		return evaluate.Side{Suites: suites, Target: func(string) evaluate.Target {
			return evaluate.Target{Client: client, Width: 1, Live: true, Where: "here"}
		}}
	}
	before := side(suite.Base, s.base, base, 0, c.unlucky)
	return evaluate.Plan{
		Head: side(suite.Head, s.head, head, c.lost, false), Base: &before, Judge: s.judge, RunID: "simulated", Judges: 1,
		Now: func() time.Time { return time.Unix(0, 0) },
	}
}
