package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
)

func TestAnswersKeptByHandAreNamed(t *testing.T) {
	in := runOf(t, "s/a pass pass recorded kept", "s/b pass pass recorded kept", "s/c pass pass recorded", "s/d pass -")
	says(t, gate.KeptByHand, comparetest.GateWithoutReruns(), in, "warn: 2 answers are hand-written and unchanged although what is asked changed: s/a, s/b")
}

func TestWhatIsInQuarantineIsNotNamed(t *testing.T) {
	g := comparetest.GateWithoutReruns()
	g.Quarantine = []config.Quarantine{{ID: "s/a"}}
	_, reasons := settle(t, g, []string{"s/a pass pass recorded kept stale", "s/b pass pass"})
	if len(reasons) > 0 {
		t.Errorf("reasons %q, want none", reasons)
	}
}
