package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
)

func TestHighStakesFailuresAreCounted(t *testing.T) {
	g := with(config.MaxHighStakes, comparetest.ErrorAt(0))
	failed := "error: 1 probe answer of high or critical severity failed, at most 0 allowed"
	says(t, gate.HighStakes, g, probes(t, 0.6, 0), failed+" (before 0)")
	says(t, gate.HighStakes, g, gate.Run{Head: probed(t, 0.6)}, failed)
	says(t, gate.HighStakes, g, probes(t, -1, 0), failed+" (before 0); 1 of them never came")
	says(t, gate.HighStakes, g, probes(t, 0, 0))
	says(t, gate.HighStakes, with(config.MaxHighStakes, comparetest.ErrorAt(1)), probes(t, 0.6, 0))
	says(t, gate.HighStakes, g, runOf(t, "s/a pass fail"))
}
