package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/report"
)

// A measured share is compared with a limit by its confidence interval. The goal is missed if the interval at level
// sure lies beyond the limit. Several hundred shares are compared, so a lower level would miss some by chance.
const (
	likelyLevel   = 0.95 // with a limit inside this interval, the goal needs more runs
	sureLevel     = 0.9999
	maxDeviations = 4 // the same for a mean: standard errors beyond the limit
)

// scoreboard prints the goals and collects the missed ones.
type scoreboard struct {
	out    io.Writer
	o      options
	missed []string
}

var errMissed = errors.New("goals were missed")

// measureGoals measures the promises of docs/statistics.md.
func measureGoals(ctx context.Context, out io.Writer, o options) error {
	b := &scoreboard{out: out, o: o}
	started := time.Now()
	for _, goal := range []struct {
		name    string
		measure func(context.Context, *scoreboard) error
	}{{"G1", strictGoal}, {"G2", harmlessGoals}, {"G3", concentratedGoal}, {"G3b", brokenGoal}, {"G4", diffuseGoal},
		{"G8", outageGoal}, {"order", orderGoal}} {
		if o.only != "" && o.only != goal.name {
			continue
		}
		if err := goal.measure(ctx, b); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "seed %d, %s\n", o.seed, time.Since(started).Round(time.Second))
	if len(b.missed) > 0 {
		return fmt.Errorf("%w: %s", errMissed, strings.Join(b.missed, "; "))
	}
	return nil
}

// runs scales a number of runs.
func (b *scoreboard) runs(n int) int { return max(2, int(float64(n)*b.o.factor)) }

// checkAtMost returns the mark of a share with an upper limit.
func (b *scoreboard) checkAtMost(goal string, seen, n int, limit float64) string {
	least, _ := clopperPearson(seen, n, sureLevel)
	_, most := clopperPearson(seen, n, likelyLevel)
	return b.markGoal(least > limit, most > limit, goal, share(seen, n)+", above "+percent(limit))
}

// checkAtLeast returns the mark of a share with a lower limit.
func (b *scoreboard) checkAtLeast(goal string, seen, n int, limit float64) string {
	_, most := clopperPearson(seen, n, sureLevel)
	least, _ := clopperPearson(seen, n, likelyLevel)
	return b.markGoal(most < limit, least < limit, goal, share(seen, n)+", below "+percent(limit))
}

// markGoal records a missed goal. It returns "!" for a missed goal, "~" for one that needs more runs, and " "
// otherwise.
func (b *scoreboard) markGoal(missed, open bool, goal, value string) string {
	switch {
	case missed:
		b.missed = append(b.missed, goal+" is "+value)
		return "!"
	case open:
		return "~"
	}
	return " "
}

func (b *scoreboard) heading(text string) { fmt.Fprintf(b.out, "\n%s\n", text) }

var (
	betas  = []string{"low", "med", "high"}
	flakes = append(append([]string{}, betas...), "half", "uniform")
)

// harmlessGoals measures false alarms and cost of a change without effect: G2, G5, G6 and G7.
func harmlessGoals(ctx context.Context, b *scoreboard) error {
	b.heading("G2, G6, G7: a harmless change. Blocked, at most 1 % (~ within error, ! above for sure); suspected, " +
		"at most 5 %; two runs disagree, at most 2 %")
	var worst struct{ blocked, amber, disagree float64 }
	for _, recheck := range []int{0, 5} {
		for _, suites := range []int{1, 5} {
			for _, n := range []int{10, 20, 50, 200} {
				if recheck > 0 && (n < 50 || suites > 1) {
					continue // the recheck is on from 50 cases
				}
				for _, k := range []int{1, 3, 5} {
					row, err := b.harmless(ctx, cell{n: n, k: k, suites: suites, recheck: recheck})
					if err != nil {
						return err
					}
					worst.blocked, worst.amber, worst.disagree = max(worst.blocked, row[0]), max(worst.amber, row[1]),
						max(worst.disagree, row[2])
				}
			}
		}
	}
	fmt.Fprintf(b.out, "most: blocked %s, suspected %s, disagreeing %s\n", percent(worst.blocked),
		percent(worst.amber), percent(worst.disagree))
	return nil
}

// harmless prints one row with a column for each flake. It returns the largest shares of runs that were blocked or
// suspected, and of pairs that disagreed.
func (b *scoreboard) harmless(ctx context.Context, c cell) (most [3]float64, err error) {
	runs := b.runs(1000)
	if c.n >= 200 {
		runs = b.runs(240)
	}
	fmt.Fprintf(b.out, "n=%-3d k=%d suites=%d recheck=%d", c.n, c.k, c.suites, c.recheck)
	for i, flake := range flakes {
		c.flake, c.seed = flake, b.o.seed+uint64(i)
		t, err := c.live().run(ctx, runs)
		if err != nil {
			return most, err
		}
		name := c.live().String()
		mark := b.checkAtMost("G2 blocked, "+name, t.blocked, t.runs, 0.01)
		b.checkAtMost("G6 suspected, "+name, t.suspected, t.runs, 0.05)
		b.checkAtMost("G7 disagreeing, "+name, t.disagree, t.pairs, 0.02)
		calls, deviation := t.cost()
		maxCalls := 1.25
		if c.recheck > 0 {
			maxCalls = 1.4
		}
		if calls-maxDeviations*deviation > maxCalls && c.k == 1 && i < len(betas) {
			b.missed = append(b.missed, fmt.Sprintf("G5 calls are %.2f of a plain run, %s", calls, name))
		}
		for at, v := range []float64{ratio(t.blocked, t.runs), ratio(t.suspected, t.runs), ratio(t.disagree, t.pairs)} {
			most[at] = max(most[at], v)
		}
		fmt.Fprintf(b.out, " | %s %s%s, %s, %.2f×", flake, share(t.blocked, t.runs), mark,
			share(t.suspected, t.runs), calls)
	}
	fmt.Fprintln(b.out)
	return most, nil
}

func ratio(part, whole int) float64 { return float64(part) / float64(max(whole, 1)) }

// detectionGoal is a situation (cell) with a simulated drop, and the share of runs that must find that drop (limit).
type detectionGoal struct {
	cell
	limit float64
}

// measureDetection measures how often drops are found.
func (b *scoreboard) measureDetection(ctx context.Context, goal, heading string, runs int,
	cells []detectionGoal) error {
	b.heading(heading)
	for _, c := range cells {
		c.seed = b.o.seed + 100
		t, err := c.live().run(ctx, b.runs(runs))
		if err != nil {
			return err
		}
		mark := b.checkAtLeast(goal+" found, "+c.live().String(), t.blocked, t.runs, c.limit)
		fmt.Fprintf(b.out, "%s: %s%s (goal %s), suspected %s, %.2f× the calls of a plain run\n", c,
			share(t.blocked, t.runs), mark, percent(c.limit),
			share(t.suspected, t.runs), float64(t.calls)/float64(t.callsWithoutReruns))
	}
	return nil
}

func concentratedGoal(ctx context.Context, b *scoreboard) error {
	limits := map[string]float64{"low": 0.97, "med": 0.96, "high": 0.90}
	var cells []detectionGoal
	for _, n := range []int{20, 50, 200} {
		for _, flake := range betas {
			limit := 0.98
			if n == 20 {
				limit = limits[flake]
			}
			cells = append(cells, detectionGoal{cell{n: n, k: 1, suites: 1, flake: flake,
				drop: drop{kind: "concentrated", amount: 0.1}}, limit})
		}
	}
	return b.measureDetection(ctx, "G3", "G3: 10 points lost by a few broken cases, one trial, confirm 8. Found",
		1000, cells)
}

func diffuseGoal(ctx context.Context, b *scoreboard) error {
	loss := drop{kind: "diffuse", amount: 0.1}
	cells := []detectionGoal{{cell{n: 50, k: 5, suites: 1, flake: "med", drop: loss}, 0.85},
		{cell{n: 50, k: 1, suites: 1, flake: "med", drop: loss, recheck: 5}, 0.50}}
	for _, flake := range betas {
		cells = append(cells, detectionGoal{cell{n: 200, k: 3, suites: 1, flake: flake, drop: loss}, 0.97})
	}
	return b.measureDetection(ctx, "G4", "G4: 10 points lost by every case a little. Found", 600, cells)
}

// brokenGoal measures, in small suites, how often one broken case is found. It passed before and never passes now.
func brokenGoal(ctx context.Context, b *scoreboard) error {
	loss := drop{kind: "broken", amount: 1}
	var cells []detectionGoal
	for _, flake := range betas {
		cells = append(cells, detectionGoal{cell{n: 10, k: 1, suites: 1, flake: flake, drop: loss}, 0.78})
	}
	cells = append(cells, detectionGoal{cell{n: 10, k: 3, suites: 1, flake: "high", drop: loss, confirm: 16}, 0.90})
	return b.measureDetection(ctx, "broken", "One case of ten that never passes any more. Found", 1000, cells)
}

// orderGoal measures harmless changes with models whose answers depend on the order of calls.
func orderGoal(ctx context.Context, b *scoreboard) error {
	b.heading("A harmless change, of a model whose answers depend on the order in which it is asked. Blocked, at " +
		"most 1 %; calls of a plain run")
	for _, kind := range servers[1:] {
		fmt.Fprintf(b.out, "%s:", kind)
		for _, n := range []int{10, 20, 50} {
			for _, flake := range []string{"med", "high"} {
				c := cell{n: n, k: 1, suites: 1, flake: flake, server: kind, seed: b.o.seed}.live()
				t, err := c.run(ctx, b.runs(400))
				if err != nil {
					return err
				}
				mark := b.checkAtMost("blocked, "+c.String(), t.blocked, t.runs, 0.01)
				fmt.Fprintf(b.out, " | n=%d %s %s%s, %.2f×", n, flake, share(t.blocked, t.runs), mark,
					float64(t.calls)/float64(t.callsWithoutReruns))
			}
		}
		fmt.Fprintln(b.out)
	}
	return nil
}

// strictGoal replays recorded answers. Nothing may change from run to run, and each flip must block.
func strictGoal(ctx context.Context, b *scoreboard) error {
	runs := b.runs(1000)
	b.heading(fmt.Sprintf("G1: %d identical replays", runs))
	c := cell{n: 20, k: 1, suites: 2, mode: "auto", target: "recorded", drop: drop{kind: "none"}}
	s, err := newSetup(c)
	if err != nil {
		return err
	}
	passes := make(chances, c.n)
	for i := range passes {
		passes[i] = float64(i % 10 / 2 & 1) // some pass, some do not
	}
	var first []byte
	changed, differing := 0, 0
	for range runs {
		o, err := c.runOnce(ctx, s.plan(b.o.seed, passes, passes, c))
		if err != nil {
			return err
		}
		text, err := o.rep.Marshal()
		if err != nil {
			return err
		}
		if first == nil {
			first = text
		}
		if o.verdict != report.Passed {
			changed++
		}
		if !bytes.Equal(first, text) {
			differing++
		}
	}
	missed, err := countUnblocked(ctx, b, c, s, passes)
	if err != nil {
		return err
	}
	fmt.Fprintf(b.out, "verdicts that changed: %d; reports of other bytes: %d; single flips not blocked: %d\n",
		changed, differing, missed)
	if changed+differing+missed > 0 {
		b.missed = append(b.missed, "G1 replays differ, or a flip was not blocked")
	}
	return nil
}

// countUnblocked breaks each passing case alone and counts the flips that do not block.
func countUnblocked(ctx context.Context, b *scoreboard, c cell, s *setup, passes chances) (missed int, err error) {
	for i, p := range passes {
		if p == 0 {
			continue
		}
		head := append(chances{}, passes...)
		head[i] = 0
		o, err := c.runOnce(ctx, s.plan(b.o.seed, passes, head, c))
		if err != nil {
			return 0, err
		}
		if o.verdict != report.Failed {
			missed++
		}
	}
	return missed, nil
}

// outageGoal drops a share of the head's answers of a model without noise. The gate must never fail for it, and must
// not pass above the accepted share.
func outageGoal(ctx context.Context, b *scoreboard) error {
	b.heading("G8: a share of the head's answers does not come (HTTP 429). Never failed for it, never passed beyond " +
		"5 %")
	for _, lost := range []float64{0.01, 0.05, 0.1, 0.25, 0.5, 1} {
		c := cell{n: 100, k: 1, suites: 1, flake: "mix:0.8*const:1+0.2*const:0", lost: lost, seed: b.o.seed}.live()
		t, err := c.run(ctx, b.runs(100))
		if err != nil {
			return err
		}
		passed := t.runs - t.blocked - t.undecided
		fmt.Fprintf(b.out, "%3.0f %% lost: failed %s, undecided %s\n", 100*lost, share(t.blocked, t.runs),
			share(t.undecided, t.runs))
		if t.blocked > 0 || lost > 0.2 && passed > 0 {
			b.missed = append(b.missed, fmt.Sprintf("G8 at %.0f %% lost: %d failed, %d passed",
				100*lost, t.blocked, passed))
		}
	}
	return nil
}

// clopperPearson returns the exact confidence interval of a share, for an event seen in some of n runs.
func clopperPearson(seen, n int, level float64) (lo, hi float64) {
	tail := (1 - level) / 2
	lo = bisect(func(p float64) bool { return 1-binomialAtMost(seen-1, n, p) < tail })
	hi = bisect(func(p float64) bool { return binomialAtMost(seen, n, p) > tail })
	return lo, hi
}

// bisect returns the largest share for which below is true, by bisection.
func bisect(below func(p float64) bool) float64 {
	lo, hi := 0.0, 1.0
	for range 60 {
		if middle := (lo + hi) / 2; below(middle) {
			lo = middle
		} else {
			hi = middle
		}
	}
	return (lo + hi) / 2
}

// binomialAtMost returns the probability of k successes or fewer in n runs that each succeed with probability p.
func binomialAtMost(k, n int, p float64) (sum float64) {
	logFactorial := func(n int) float64 {
		v, _ := math.Lgamma(float64(n + 1))
		return v
	}
	for i := range k + 1 {
		ways := logFactorial(n) - logFactorial(i) - logFactorial(n-i)
		sum += math.Exp(ways + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
	}
	return sum
}
