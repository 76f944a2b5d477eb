package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/together"
)

// cell is a situation that the simulation runs many times.
type cell struct {
	n, k, suites int
	flake        string
	drop         drop
	recheck      int
	confirm      int     // rounds of reruns of a candidate; 0: the gate's default
	unpooled     bool    // flipped cases are not tested together
	server       string  // one of servers; "": steady
	lost         float64 // share of the head's answers that fail
	mode         string  // strict or noisy
	target       string  // provider of the suites
	settled      bool    // flipped recorded cases have recorded reruns
	earlier      bool    // cases with a wrong recorded answer on the base have reruns of it
	unlucky      bool    // every recorded answer of the base is wrong
	seed         uint64
}

func (c cell) String() string {
	text := fmt.Sprintf("n=%-3d k=%d suites=%d flake=%s", c.n, c.k, c.suites, c.flake)
	if c.settled {
		text += " settled"
	}
	if c.recheck > 0 {
		text += fmt.Sprintf(" recheck=%d", c.recheck)
	}
	if c.confirm > 0 {
		text += fmt.Sprintf(" confirm=%d", c.confirm)
	}
	if c.server != "" {
		text += " server=" + c.server
	}
	return text
}

// tally counts the results of a cell's runs.
type tally struct {
	runs, blocked, undecided, suspected int
	calls, callsWithoutReruns           int     // calls of the runs; calls of as many runs without reruns
	squares                             float64 // sum of the squared calls of each run
	// pairs of runs with the same probabilities; pairs of which one run was blocked
	pairs, disagree int
}

// add counts two runs with the same probabilities. plain is the calls of one run without reruns.
func (t *tally) add(pair [2]outcome, plain int) {
	for _, o := range pair {
		t.runs++
		t.callsWithoutReruns += plain
		t.calls += o.calls
		t.squares += float64(o.calls) * float64(o.calls)
		switch {
		case o.verdict == report.Failed:
			t.blocked++
		case o.verdict == report.Undecided:
			t.undecided++
		case o.suspected:
			t.suspected++
		}
	}
	t.pairs++
	if (pair[0].verdict == report.Failed) != (pair[1].verdict == report.Failed) {
		t.disagree++
	}
}

// cost returns the mean calls of a run divided by those of a run without reruns, with the standard error. Few runs
// make reruns, but those make many.
func (t tally) cost() (mean, deviation float64) {
	runs, plain := float64(t.runs), float64(t.callsWithoutReruns)
	mean = float64(t.calls) / runs
	variance := max(t.squares/runs-mean*mean, 0)
	return mean * runs / plain, math.Sqrt(variance/max(runs-1, 1)) * runs / plain
}

// rerunRounds is the number of reruns a side that failproof record --base writes.
const rerunRounds = 8

// earlierRounds is the number of reruns of a wrong recorded answer on the base. Recording stops at three right ones.
const earlierRounds = 3

// outcome is the result of one run.
type outcome struct {
	verdict   report.Verdict
	suspected bool // a possible drop, not confirmed
	calls     int
	rep       *report.Report
}

// gate returns the gate of a cell. It has no threshold, so that only the comparison decides.
func (c cell) gate() config.Gate {
	g := config.Default().Gate
	g.Settings[config.MinRunScore].Level = config.Off
	g.Mode, g.Trials, g.Recheck = c.mode, c.k, &c.recheck
	g.Confirm = cmp.Or(c.confirm, g.Confirm)
	if c.unpooled {
		g.Pooled = config.PooledOff
	}
	return g
}

// runOnce runs the gate once, through the packages of a real run.
func (c cell) runOnce(ctx context.Context, plan evaluate.Plan) (outcome, error) {
	var out outcome
	builders := map[suite.Side]*report.Builder{suite.Base: {}, suite.Head: {}}
	add := func(a evaluate.Answer) error {
		out.calls++
		return builders[a.Side].Add(a.Result, report.Ref{})
	}
	if err := evaluate.Run(ctx, plan, add); err != nil {
		return out, err
	}
	rerun := func(wants []report.RerunRequest) error { return evaluate.Rerun(ctx, plan, wants, add) }
	base, head := builders[suite.Base].Side(), builders[suite.Head].Side()
	policy := c.gate()
	gateRun, sides := gate.Run{Head: head, BaseState: report.BaseCompared}, compare.Sides{Head: head, Base: base}
	if c.settled {
		sides.RecordedReruns = func(string, string) (int, string) { return rerunRounds, "recordings" }
	}
	if c.earlier {
		sides.EarlierReruns = plan.Base.Target("model").Client.(provider).earlierReruns
	}
	comparison, err := comparetest.Caller{Rerun: rerun, HasFailed: gateRun.Fails}.Compare(policy, sides)
	if err != nil {
		return out, err
	}
	gateRun.Comparison = comparison
	out.rep = &report.Report{SchemaVersion: report.SchemaVersion}
	comparison.Fill(out.rep, base, head)
	out.verdict, out.rep.Reasons = gate.Decide(policy, gateRun)
	out.rep.Verdict = out.verdict
	for _, r := range out.rep.Reasons {
		out.suspected = out.suspected || r.Code == gate.PossibleDrop.Code
	}
	return out, nil
}

// run runs a cell runs times, on all processors. Each pair of runs has the same probabilities and different seeds.
// They depend only on the cell's seed and the pair's number, so that every machine gets equal counts.
func (c cell) run(ctx context.Context, runs int) (tally, error) {
	draw, err := parseFlake(c.flake)
	if err != nil {
		return tally{}, err
	}
	s, err := newSetup(c)
	if err != nil {
		return tally{}, err
	}
	var sum tally
	var first error
	var mu sync.Mutex
	together.Each((runs+1)/2, runtime.GOMAXPROCS(0), func(number int) {
		outcomes, err := c.pair(ctx, s, draw, uint64(number))
		mu.Lock()
		defer mu.Unlock()
		sum.add(outcomes, 2*c.n*c.k)
		first = cmp.Or(first, err)
	})
	return sum, first
}

func (c cell) pair(ctx context.Context, s *setup, draw flake, number uint64) (out [2]outcome, err error) {
	r := rand.New(rand.NewPCG(c.seed, number))
	base := make(chances, c.n)
	for i := range base {
		base[i] = draw(r)
	}
	head := c.drop.apply(base, r)
	for i := range out {
		if out[i], err = c.runOnce(ctx, s.plan(r.Uint64(), base, head, c)); err != nil {
			return out, fmt.Errorf("run %d of %s: %w", number, c, err)
		}
	}
	return out, nil
}
