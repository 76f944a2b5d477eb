package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
)

func TestAnswersThatTheHeadAloneLosesLeaveNoVerdict(t *testing.T) {
	in := noisy(t, noise.Finding{HeadErrors: true, Numbers: report.Noise{HeadErrors: 0.001}})
	lost := ": answers are lost now that came before (1 in 1,000 if that were an accident): possibly this change's fault, but no score"
	says(t, gate.HeadErrors, comparetest.GateWithoutReruns(), in, "error"+lost)
	if verdict, _ := gate.Decide(comparetest.GateWithoutReruns(), in); verdict != report.Undecided {
		t.Errorf("verdict %s, want undecided", verdict)
	}
	says(t, gate.HeadErrors, with(config.MaxUnscored, comparetest.WarnAt(0)), in, "warn"+lost)
	says(t, gate.HeadErrors, comparetest.GateWithoutReruns(), noisy(t, noise.Finding{}))
	says(t, gate.HeadErrors, comparetest.GateWithoutReruns(), runOf(t, "s/a pass pass"))
}
