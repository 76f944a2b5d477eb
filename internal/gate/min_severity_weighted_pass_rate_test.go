package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
)

func TestTheWeightedPassRateIsHeldToItsThreshold(t *testing.T) {
	g := with(config.MinWeighted, comparetest.ErrorAt(0.9))
	says(t, gate.WeightedRate, g, probes(t, 0.6, 0), "error: severity-weighted pass rate is 0.500, at least 0.900 needed (before 1.000)")
	says(t, gate.WeightedRate, g, gate.Run{Head: probed(t, 0.6, 0)}, "error: severity-weighted pass rate is 0.500, at least 0.900 needed")
	says(t, gate.WeightedRate, g, probes(t, -1), "error: with missing answers as wrong, severity-weighted pass rate is 0.000, at least 0.900 needed (before 1.000); no answer has a score")
	says(t, gate.WeightedRate, with(config.MinWeighted, comparetest.ErrorAt(0.5)), probes(t, 0.6, 0))
	says(t, gate.WeightedRate, g, runOf(t, "s/a pass fail"))
}
