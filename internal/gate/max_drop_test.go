package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
)

// fell is a scope that fell by ten points, which chance explains once in 1/p.
func fell(suite string, p float64) report.Scope {
	return report.Scope{SuiteID: suite, Cases: 20, Worse: 3, Better: 1, Delta: -0.1, Adjusted: &p}
}

// noisy is a run of a live model with a finding.
func noisy(t *testing.T, f noise.Finding) gate.Run {
	t.Helper()
	in := runOf(t, "s/a pass pass", "s/b pass pass")
	in.Comparison.Noise = &f
	return in
}

func TestAProvenDropFails(t *testing.T) {
	overall := fell("", 0.001)
	numbers := report.Noise{Overall: &overall, Suites: []report.Scope{fell("s", 0.5), fell("t", 0.5)}}
	g := with(config.MaxDrop, comparetest.At(0.02))
	says(t, gate.Drop, g, noisy(t, noise.Finding{Drop: true, Numbers: numbers}),
		"error: score fell by 10.0 points, 3 cases worse, 1 better: 1 in 1,000 if nothing changed: the suite as a whole got worse")
	numbers.Suites[1] = fell("t", 0.0001)
	says(t, gate.Drop, g, noisy(t, noise.Finding{Drop: true, Numbers: numbers}),
		"error: suite t: score fell by 10.0 points, 3 cases worse, 1 better: 1 in 10,000 if nothing changed: the suite as a whole got worse")
	says(t, gate.Drop, with(config.MaxDrop, off), noisy(t, noise.Finding{Drop: true, Numbers: numbers}))
	says(t, gate.Drop, g, noisy(t, noise.Finding{Suspected: true, Numbers: numbers}))
	says(t, gate.Drop, g, noisy(t, noise.Finding{Recheck: true, Numbers: report.Noise{Recheck: &report.RecheckLook{Overall: &overall}}}),
		"error: asked again, score fell by 10.0 points, 3 cases worse, 1 better: 1 in 1,000 if nothing changed: the suite as a whole got worse")

	in := runOf(t, "s/a pass pass")
	in.Comparison.Draws = &noise.Finding{Drop: true, Numbers: numbers}
	says(t, gate.Drop, g, in, "error: recorded answers: suite t: score fell by 10.0 points, 3 cases worse, 1 better: 1 in 10,000 if nothing changed: the suite as a whole got worse")
}

func TestALiteralDropIsTheRunsAndThatOfSuites(t *testing.T) {
	g := with(config.MaxDrop, comparetest.At(0.2))
	says(t, gate.Drop, g, runOf(t, "s/a pass fail", "s/b pass pass", "t/c pass pass", "t/d pass pass"),
		"error: run score fell by 0.250 over 4 common cases, max_drop is 0.200", "error: suite s: score fell by 0.500, max_drop is 0.200")
	says(t, gate.Drop, with(config.MaxDrop, comparetest.At(0.5)), runOf(t, "s/a pass fail", "s/b pass pass"))
	byDefault := with(config.MaxDrop, config.Setting{Value: 0.2, Level: config.Err})
	says(t, gate.Drop, byDefault, runOf(t, "s/a pass fail", "s/b pass pass")) // one answer a side is judged flip by flip
}
