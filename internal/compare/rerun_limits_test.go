package compare_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
)

func TestHowOftenAComparisonAsksAgainAtMost(t *testing.T) {
	twice := 2
	for _, c := range []struct {
		rule  string
		cases int
		set   func(*config.Gate)
		want  compare.RerunLimits
	}{
		{"few cases are not all asked again", 49, func(*config.Gate) {}, compare.RerunLimits{Cases: 20, Confirm: 8}},
		{"from 50 on they are", 50, func(*config.Gate) {}, compare.RerunLimits{Cases: 20, Confirm: 8, Recheck: 5}},
		{"no more cases than there are", 3, func(*config.Gate) {}, compare.RerunLimits{Cases: 3, Confirm: 8}},
		{"the gate's own figure", 3, func(g *config.Gate) { g.Recheck = &twice }, compare.RerunLimits{Cases: 3, Confirm: 8, Recheck: 2}},
		{"one fresh answer", 3, func(g *config.Gate) { g.Confirm = 1 }, compare.RerunLimits{Cases: 3, Confirm: 1}},
		{"no confirmation", 3, func(g *config.Gate) { g.Confirm = 0 }, compare.RerunLimits{}},
		{"each flip counts", 100, func(g *config.Gate) { g.Mode = config.ModeStrict }, compare.RerunLimits{}},
	} {
		g := comparetest.NoisyGate()
		c.set(&g)
		if got := compare.MaxReruns(g, c.cases); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.rule, got, c.want)
		}
	}
}

func TestWhatAComparisonFinds(t *testing.T) {
	g := comparetest.NoisyGate()
	always, often, seldom := compare.DetectionPower(g, 20, 1, 1), compare.DetectionPower(g, 20, 1, 0.6), compare.DetectionPower(g, 20, 1, 0.2)
	if twice := compare.DetectionPower(g, 20, 3, 0.6); twice <= often {
		t.Errorf("with three first answers it is found with %v, want more than with one: %v", twice, often)
	}
	if always < 0.9 || always > 1 || often >= always || seldom >= often || seldom < 0 {
		t.Errorf("a case that fails always, in 60 and in 20 of 100 answers is found with %v, %v, %v; want less each time, and nearly 1 at first", always, often, seldom)
	}
}
