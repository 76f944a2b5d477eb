package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/together"
)

// cell is one situation that is run many times.
type cell struct {
	n, k, suites int
	flake        string
	drop         drop
	recheck      int
	confirm      int     // fresh rounds of a suspect; 0: as many as the gate has
	alone        bool    // cases that flipped are not tested together
	server       string  // one of servers; "": steady
	lost         float64 // share of the head's answers that do not come
	mode         string  // strict or noisy
	target       string  // provider of the suites
	settled      bool    // recorded cases that flip have fresh answers
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

// tally counts what runs of a cell came to.
type tally struct {
	runs, blocked, undecided, amber int
	calls, plain                    int     // answers asked for; those that one run without further looks takes
	squares                         float64 // of the answers asked for in each run, summed
	// two runs of the same probabilities, and those that were not both blocked or both not
	pairs, disagree int
}

// add counts two runs of the same probabilities, each of which takes so many calls at least.
func (t *tally) add(pair [2]outcome, plain int) {
	for _, o := range pair {
		t.runs++
		t.plain += plain
		t.calls += o.calls
		t.squares += float64(o.calls) * float64(o.calls)
		switch {
		case o.verdict == report.Failed:
			t.blocked++
		case o.verdict == report.Undecided:
			t.undecided++
		case o.amber:
			t.amber++
		}
	}
	t.pairs++
	if (pair[0].verdict == report.Failed) != (pair[1].verdict == report.Failed) {
		t.disagree++
	}
}

// cost is how many times the calls of a plain run a run takes, and the standard error of that: few runs take a second
// look, and those take many calls.
func (t tally) cost() (mean, deviation float64) {
	runs, plain := float64(t.runs), float64(t.plain)
	mean = float64(t.calls) / runs
	variance := max(t.squares/runs-mean*mean, 0)
	return mean * runs / plain, math.Sqrt(variance/max(runs-1, 1)) * runs / plain
}

// freshRounds is how many fresh answers a side failproof record --base writes.
const freshRounds = 8

// outcome is what one run came to.
type outcome struct {
	verdict report.Verdict
	amber   bool // a drop is suspected and not proven
	calls   int
	rep     *report.Report
}

// gate is the gate that cells are held to: no bar, so that only the comparison decides.
func (c cell) gate() config.Gate {
	g := config.Default().Gate
	g.Settings[config.MinRunScore].Level = config.Off
	g.Mode, g.Trials, g.Recheck = c.mode, c.k, &c.recheck
	g.Confirm = cmp.Or(c.confirm, g.Confirm)
	if c.alone {
		g.Pooled = config.PooledOff
	}
	return g
}

// once runs the gate once, through the packages that a real run goes through.
func (c cell) once(ctx context.Context, plan evaluate.Plan) (outcome, error) {
	var out outcome
	builders := map[suite.Side]*report.Builder{suite.Base: {}, suite.Head: {}}
	take := func(look report.Look) evaluate.Sink {
		return func(at suite.Side, r report.Result) error {
			out.calls++
			r.Look = look
			return builders[at].Add(r, report.Ref{})
		}
	}
	if err := evaluate.Run(ctx, plan, take("")); err != nil {
		return out, err
	}
	again := func(wants []report.Want) error {
		return evaluate.Rerun(ctx, plan, wants, take(wants[0].Look))
	}
	base, head := builders[suite.Base].Side(), builders[suite.Head].Side()
	policy := c.gate()
	in, sides := gate.Run{Head: head, BaseState: report.BaseCompared}, compare.Sides{Head: head, Base: base}
	if c.settled {
		sides.Redrawn = func(string, string) (int, string) { return freshRounds, "recordings" }
	}
	comparison, err := compare.RerunAndCompare(policy, sides, compare.Asker{Again: again, Failed: in.Fails(policy)})
	if err != nil {
		return out, err
	}
	in.Comparison = comparison
	out.rep = &report.Report{SchemaVersion: report.SchemaVersion}
	comparison.Fill(out.rep, base, head)
	out.verdict, out.rep.Reasons = gate.Decide(policy, in)
	out.rep.Verdict = out.verdict
	for _, r := range out.rep.Reasons {
		out.amber = out.amber || r.Code == gate.Inconclusive.Code
	}
	return out, nil
}

// run runs a cell so many times, on all processors. Runs come in pairs of the same probabilities and another seed; each
// is decided by the cell's seed and its own number, so that the count is the same on any machine.
func (c cell) run(ctx context.Context, runs int) (tally, error) {
	draw, err := parseFlake(c.flake)
	if err != nil {
		return tally{}, err
	}
	s, err := newStage(c)
	if err != nil {
		return tally{}, err
	}
	var sum tally
	var first error
	var mu sync.Mutex
	var taken atomic.Int64
	worker := func() {
		for number := taken.Add(1); number <= int64(runs+1)/2; number = taken.Add(1) {
			outcomes, err := c.pair(ctx, s, draw, uint64(number-1))
			mu.Lock()
			sum.add(outcomes, 2*c.n*c.k)
			first = cmp.Or(first, err)
			mu.Unlock()
		}
	}
	together.Do(slices.Repeat([]func(){worker}, runtime.GOMAXPROCS(0))...)
	return sum, first
}

func (c cell) pair(ctx context.Context, s *stage, draw flake, number uint64) (out [2]outcome, err error) {
	r := rand.New(rand.NewPCG(c.seed, number))
	base := make(chances, c.n)
	for i := range base {
		base[i] = draw(r)
	}
	head := c.drop.of(base, r)
	for i := range out {
		if out[i], err = c.once(ctx, s.plan(r.Uint64(), base, head, c.lost)); err != nil {
			return out, fmt.Errorf("run %d of %s: %w", number, c, err)
		}
	}
	return out, nil
}
