package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/gate"
)

func TestResultsOfWhichMostCasesAreNotFoundLeaveNoVerdict(t *testing.T) {
	in := runOf(t, "s/a pass pass")
	in.Pairing = gate.Pairing{Of: 80, Joined: 39}
	says(t, gate.ResultsPaired, comparetest.Gate(), in, "error: 39 of 80 cases pair")
	in.Pairing.Joined = 40
	says(t, gate.ResultsPaired, comparetest.Gate(), in)
	says(t, gate.ResultsPaired, comparetest.Gate(), runOf(t, "s/a pass pass"))
}
