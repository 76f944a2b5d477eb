package gate_test

import (
	"math"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

func TestDecideRegressions(t *testing.T) {
	check(t, []gateCase{
		{"nothing changed", nil, []string{"s/a pass pass", "s/b fail fail"}, report.Passed, nil},
		{"one flip fails", nil, []string{"s/a pass fail"}, report.Failed, []string{"error max_regressions: 1 regression, max_regressions is 0"}},
		{"two flips are counted", nil, []string{"s/a pass fail", "s/b pass refusal"}, report.Failed,
			[]string{"error max_regressions: 2 regressions, max_regressions is 0"}},
		{"fixes do not pay for a flip", nil, []string{"s/a pass fail", "s/b fail pass", "s/c fail pass"}, report.Failed,
			[]string{"error max_regressions: 1 regression, max_regressions is 0"}},
		{"as many as allowed pass", func(g *config.Gate) { g.Settings[config.MaxRegressions] = comparetest.ErrorAt(1) }, []string{"s/a pass fail"}, report.Passed, nil},
		{"one more fails", func(g *config.Gate) { g.Settings[config.MaxRegressions] = comparetest.ErrorAt(1) }, []string{"s/a pass fail", "s/b pass fail"}, report.Failed,
			[]string{"error max_regressions: 2 regressions, max_regressions is 1"}},
		{"a warning decides nothing", func(g *config.Gate) { g.Settings[config.MaxRegressions] = comparetest.WarnAt(0) }, []string{"s/a pass fail"}, report.Passed,
			[]string{"warn max_regressions: 1 regression, max_regressions is 0"}},
		{"off is silent", func(g *config.Gate) { g.Settings[config.MaxRegressions].Level = config.Off }, []string{"s/a pass fail"}, report.Passed, nil},
		{"a limit that is no number is not met", func(g *config.Gate) { g.Settings[config.MaxRegressions] = comparetest.ErrorAt(math.NaN()) }, []string{"s/a pass pass"}, report.Failed,
			[]string{"error max_regressions: 0 regressions, max_regressions is NaN"}},
		{"a new failing case is no regression", nil, []string{"s/a - fail"}, report.Passed, nil},
		{"a request that the candidate spoilt can regress", nil, []string{"s/a pass rejected"}, report.Failed,
			[]string{"error max_regressions: 1 regression, max_regressions is 0"}},
		{"a proven regression stays failed beside an outage", nil, []string{"s/a pass fail", "s/b pass timeout"}, report.Failed,
			[]string{"error max_regressions: 1 regression, max_regressions is 0",
				"error max_unscored: 1 of 2 trials without a score: share 0.500 is above max_unscored 0.000"}},
		{"the majority of several trials is what counts", nil, []string{"s/a pass,pass,pass pass,fail,fail", "s/b pass,pass,pass pass,pass,fail"}, report.Failed,
			[]string{"error max_regressions: 1 regression, max_regressions is 0"}},
	})
}

func TestARegressionSaysWhichAnswersConfirmIt(t *testing.T) {
	g := comparetest.NoisyGate()
	stored := func(lines ...string) gate.Run {
		in := runOf(t, lines...)
		var err error
		if in.Comparison, err = settled(g, in, in.Base, comparetest.Caller{}); err != nil {
			t.Fatal(err)
		}
		return in
	}
	eight := "s/a " + strings.Repeat("pass,", 7) + "pass " + strings.Repeat("fail,", 7) + "fail"
	says(t, gate.Regressions, g, stored(append(comparetest.CaseLines("b", "pass pass", 30), eight)...),
		"error: 1 regression confirmed by stored runs, max_regressions is 0")
}
