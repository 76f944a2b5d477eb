package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
)

func TestASuspectedDropWarnsUnlessTheGateSaysOtherwise(t *testing.T) {
	overall := fell("", 0.02)
	numbers := report.Noise{Overall: &overall, AlphaPerTest: 0.01 / 3}
	suspicion := ": score fell by 10.0 points, 3 cases worse, 1 better: 1 in 50 if nothing changed: a possible drop, not confirmed (a drop blocks the merge from 1 in 300 on)"
	says(t, gate.PossibleDrop, with(config.OnInconclusive, warn), noisy(t, noise.Finding{PossibleDrop: true, Numbers: numbers}), "warn"+suspicion)
	says(t, gate.PossibleDrop, with(config.OnInconclusive, err), noisy(t, noise.Finding{PossibleDrop: true, Numbers: numbers}), "error"+suspicion)
	for _, proven := range []noise.Finding{{PossibleDrop: true, Drop: true}, {PossibleDrop: true, Recheck: true}, {}} {
		proven.Numbers = report.Noise{Overall: &overall, Recheck: &report.RecheckTest{Overall: &overall}}
		says(t, gate.PossibleDrop, with(config.OnInconclusive, warn), noisy(t, proven))
	}
	for confirmed, want := range map[int][]string{2: {"warn" + suspicion}, 3: nil} {
		in := runOf(t, "s/a pass fail")
		in.Comparison.NoiseTest = &noise.Finding{PossibleDrop: true, Confirmed: confirmed, Numbers: numbers}
		says(t, gate.PossibleDrop, with(config.OnInconclusive, warn), in, want...)
	}
	again := fell("", 0.04)
	numbers.Recheck = &report.RecheckTest{Triggered: true, Overall: &again, Skipped: "limits.max_calls (2) is used up"}
	says(t, gate.PossibleDrop, with(config.OnInconclusive, warn), noisy(t, noise.Finding{PossibleDrop: true, Numbers: numbers}),
		"warn: score fell by 10.0 points, 3 cases worse, 1 better: 1 in 25 if nothing changed: a possible drop, not confirmed (a drop blocks the merge from 1 in 300 on); "+
			"the full rerun was skipped: limits.max_calls (2) is used up")
	in := runOf(t, "s/a pass pass")
	in.Comparison.SampledTest = &noise.Finding{PossibleDrop: true, Numbers: report.Noise{Overall: &overall, AlphaPerTest: 0.01 / 3}}
	says(t, gate.PossibleDrop, with(config.OnInconclusive, warn), in, "warn: recorded answers"+suspicion)
}

func TestASuspicionOfASuiteNamesIt(t *testing.T) {
	numbers := report.Noise{Suites: []report.Scope{fell("s", 0.5), fell("t", 0.02)}, AlphaPerTest: 0.01}
	_, reasons := gate.Decide(with(config.OnInconclusive, warn), noisy(t, noise.Finding{PossibleDrop: true, Numbers: numbers}))
	if len(reasons) != 1 || reasons[0].SuiteID != "t" {
		t.Errorf("reasons %+v, want one of suite t", reasons)
	}
}
