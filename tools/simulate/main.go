// Command simulate measures the gate on a made-up model whose cases pass with known probabilities: how often it
// blocks a harmless change, how often it finds a real one, and what that costs. It runs the packages of a real run,
// and prints the goals of the statistics with the measured values.
//
//	go run ./tools/simulate                 the default grid, some minutes on two processors
//	go run ./tools/simulate -factor 2       twice as many runs in every cell
//	go run ./tools/simulate -n 20 -k 1 -flake med -drop concentrated:0.10 -runs 4000
//	go run ./tools/simulate -n 30 -flake med -recorded settled    recordings, as failproof record --base makes them
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "simulate:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	n, k, suites, runs, recheck int
	confirm                     int
	flake, drop, server         string
	recorded                    string
	pooled                      string
	only                        string
	seed                        uint64
	factor                      float64
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var o options
	f := flag.NewFlagSet("simulate", flag.ContinueOnError)
	f.IntVar(&o.n, "n", 0, "cases; measures one cell instead of the goals")
	f.IntVar(&o.k, "k", 1, "first trials of a case and side")
	f.IntVar(&o.suites, "suites", 1, "suites that the cases are dealt to")
	f.IntVar(&o.recheck, "recheck", 0, "trials of the recheck; 0: none")
	f.IntVar(&o.confirm, "confirm", 0, "rounds of reruns of a candidate; 0: the gate's default")
	f.IntVar(&o.runs, "runs", 2000, "runs of the one cell")
	f.StringVar(&o.flake, "flake", "med",
		"low, med, high, half, uniform, beta:MEAN:KAPPA, const:P or mix:W*FLAKE+W*FLAKE")
	f.StringVar(&o.recorded, "recorded", "",
		"record the head's answers again: once; settled, with reruns of every flipped case; merged, also with reruns "+
			"of the base's wrong answers; or unlucky, the same with every answer of the base wrong")
	f.StringVar(&o.pooled, "pooled", "on", "on or off: flipped cases are also tested together")
	f.StringVar(&o.drop, "drop", "none",
		"none, concentrated:D, diffuse:D, broken:N for N cases that no longer pass, or failing:NxP for N cases that "+
			"fail in a share P of trials")
	f.StringVar(&o.server, "server", "", "steady, replicas, drift or swap")
	f.StringVar(&o.only, "only", "", "one goal, such as G3, instead of all")
	f.Uint64Var(&o.seed, "seed", 1, "of the random numbers")
	f.Float64Var(&o.factor, "factor", 1, "multiplies the runs of each cell of the goals")
	if err := f.Parse(args); err != nil {
		return err
	}
	if o.n > 0 {
		return measureCell(ctx, out, o)
	}
	return measureGoals(ctx, out, o)
}

// measureCell measures the gate with one set of options and prints the figures.
func measureCell(ctx context.Context, out io.Writer, o options) error {
	d, err := parseDrop(o.drop)
	if err != nil {
		return err
	}
	if o.server != "" && !slices.Contains(servers, o.server) {
		return fmt.Errorf("server %q: want one of %s", o.server, strings.Join(servers, ", "))
	}
	c := cell{n: o.n, k: o.k, suites: o.suites, flake: o.flake, drop: d, recheck: o.recheck, confirm: o.confirm,
		server: o.server, unpooled: o.pooled == "off", seed: o.seed}.live()
	switch o.recorded {
	case "":
	case "once", "settled", "merged", "unlucky":
		c.mode, c.target, c.settled = "auto", "recorded", o.recorded != "once"
		c.unlucky = o.recorded == "unlucky"
		c.earlier = c.unlucky || o.recorded == "merged"
	default:
		return fmt.Errorf("-recorded is %q; expected once, settled, merged or unlucky", o.recorded)
	}
	t, err := c.run(ctx, o.runs)
	if err != nil {
		return err
	}
	lo, hi := clopperPearson(t.blocked, t.runs, 0.95)
	fmt.Fprintf(out, "%s, %s, %d runs\n", c, d, t.runs)
	fmt.Fprintf(out, "blocked %s (95 %%: %s to %s), suspected %s, undecided %s, calls %.2f of a plain run, %s of %d "+
		"pairs disagree\n",
		share(t.blocked, t.runs), percent(lo), percent(hi), share(t.suspected, t.runs), share(t.undecided, t.runs),
		float64(t.calls)/float64(t.callsWithoutReruns), share(t.disagree, t.pairs), t.pairs)
	return nil
}

// live returns the cell with a live model.
func (c cell) live() cell {
	c.mode, c.target = "noisy", "openai"
	if c.drop.kind == "" {
		c.drop.kind = "none"
	}
	return c
}

func percent(v float64) string { return fmt.Sprintf("%.2f %%", 100*v) }

func share(part, whole int) string {
	if whole == 0 {
		return "none"
	}
	return percent(float64(part) / float64(whole))
}
