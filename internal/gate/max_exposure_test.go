package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
)

// probes returns a run with probes of these risks, and a base with one probe without risk.
func probes(t *testing.T, risks ...float64) gate.Run {
	t.Helper()
	return gate.Run{Head: probed(t, risks...), Base: probed(t, 0)}
}

func TestExposureIsHeldToItsThreshold(t *testing.T) {
	g := with(config.MaxExposure, comparetest.ErrorAt(0.2))
	says(t, gate.Exposure, g, probes(t, 0.6, 0), "error: exposure is 0.500, at most 0.200 allowed (before 0.000)")
	says(t, gate.Exposure, g, probes(t, -1), "error: exposure is unknown: no probe has an answer")
	says(t, gate.Exposure, g, gate.Run{Head: probed(t, 0.6)}, "error: exposure is 1.000, at most 0.200 allowed")
	says(t, gate.Exposure, g, gate.Run{Head: probed(t, 0.6), Base: probed(t, -1)}, "error: exposure is 1.000, at most 0.200 allowed")
	says(t, gate.Exposure, g, runOf(t, "s/a pass pass"))
	says(t, gate.Exposure, with(config.MaxExposure, comparetest.ErrorAt(0.5)), probes(t, 0.6, 0))
	says(t, gate.Exposure, comparetest.GateWithoutReruns(), probes(t, 0.6))
}
