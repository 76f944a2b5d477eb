package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
)

func TestFlippedCasesThatCouldNotBeAskedAgainLeaveNoVerdict(t *testing.T) {
	flipped := "1 case flipped and could not be rerun often enough to confirm or clear the regression"
	in := noisy(t, noise.Finding{MissingReruns: 1})
	says(t, gate.ConfirmIncomplete, comparetest.GateWithoutReruns(), in, "error: "+flipped)
	if verdict, _ := gate.Decide(comparetest.GateWithoutReruns(), in); verdict != report.Undecided {
		t.Errorf("verdict %s, want undecided", verdict)
	}
	says(t, gate.ConfirmIncomplete, with(config.MaxRegressions, warn), in, "warn: "+flipped)
	says(t, gate.ConfirmIncomplete, with(config.MaxRegressions, off), in)
	says(t, gate.ConfirmIncomplete, comparetest.GateWithoutReruns(), noisy(t, noise.Finding{}))
	says(t, gate.ConfirmIncomplete, comparetest.GateWithoutReruns(), runOf(t, "s/a pass pass"))
}
