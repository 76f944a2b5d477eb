package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/failproof/failproof/internal/report"
)

// strictGoal replays: nothing is noise, so nothing may change from run to run, and each flip blocks.
func strictGoal(ctx context.Context, b *board) error {
	runs := b.runs(1000, 1000)
	b.heading(fmt.Sprintf("G1: %d identical replays", runs))
	c := cell{n: 20, k: 1, suites: 2, mode: "auto", target: "recorded", drop: drop{kind: "none"}}
	s, err := newStage(c)
	if err != nil {
		return err
	}
	passes := make(chances, c.n)
	for i := range passes {
		passes[i] = float64(i % 10 / 2 & 1) // some pass, some do not
	}
	var first []byte
	changed, unlike := 0, 0
	for range runs {
		o, err := c.once(ctx, s.plan(b.o.seed, passes, passes, 0))
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
			unlike++
		}
	}
	missed, err := unblocked(ctx, b, c, s, passes)
	if err != nil {
		return err
	}
	fmt.Fprintf(b.out, "verdicts that changed: %d; reports of other bytes: %d; single flips not blocked: %d\n", changed, unlike, missed)
	if changed+unlike+missed > 0 {
		b.missed = append(b.missed, "G1 replays differ, or a flip was not blocked")
	}
	return nil
}

// unblocked breaks each case that passes, one after the other, and counts the flips that do not block.
func unblocked(ctx context.Context, b *board, c cell, s *stage, passes chances) (missed int, err error) {
	for i, p := range passes {
		if p == 0 {
			continue
		}
		head := append(chances{}, passes...)
		head[i] = 0
		o, err := c.once(ctx, s.plan(b.o.seed, passes, head, 0))
		if err != nil {
			return 0, err
		}
		if o.verdict != report.Failed {
			missed++
		}
	}
	return missed, nil
}

// outageGoal loses a share of the head's answers of a model that is sure of itself: that is no regression, and beyond the
// share that a gate accepts it is no pass.
func outageGoal(ctx context.Context, b *board) error {
	b.heading("G8: a share of the head's answers does not come (HTTP 429). Never failed for it, never passed beyond 5 %")
	for _, lost := range []float64{0.01, 0.05, 0.1, 0.25, 0.5, 1} {
		c := cell{n: 100, k: 1, suites: 1, flake: "mix:0.8*const:1+0.2*const:0", lost: lost, seed: b.o.seed}.noisy()
		t, err := c.run(ctx, b.runs(400, 100))
		if err != nil {
			return err
		}
		passed := t.runs - t.blocked - t.undecided
		fmt.Fprintf(b.out, "%3.0f %% lost: failed %s, undecided %s\n", 100*lost, share(t.blocked, t.runs), share(t.undecided, t.runs))
		if t.blocked > 0 || lost > 0.2 && passed > 0 {
			b.missed = append(b.missed, fmt.Sprintf("G8 at %.0f %% lost: %d failed, %d passed", 100*lost, t.blocked, passed))
		}
	}
	return nil
}
