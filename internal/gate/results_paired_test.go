package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/gate"
)

func TestResultsOfWhichMostCasesAreNotFoundLeaveNoVerdict(t *testing.T) {
	in := runOf(t, "s/a pass pass")
	in.Pairing = gate.Pairing{BaseCases: 80, PairedCases: 39}
	says(t, gate.ResultsPaired, comparetest.GateWithoutReruns(), in, "error: 39 of 80 cases pair")
	in.Pairing.PairedCases = 40
	says(t, gate.ResultsPaired, comparetest.GateWithoutReruns(), in)
	says(t, gate.ResultsPaired, comparetest.GateWithoutReruns(), runOf(t, "s/a pass pass"))
}
