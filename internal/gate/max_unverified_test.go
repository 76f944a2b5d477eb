package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
)

func TestUnverifiedCasesAreCounted(t *testing.T) {
	in := runOf(t, "s/a pass pass unverified", "s/b pass pass unverified", "s/c pass pass")
	says(t, gate.Unverified, comparetest.GateWithoutReruns(), in)
	says(t, gate.Unverified, with(config.MaxUnverified, comparetest.ErrorAt(2)), in)
	says(t, gate.Unverified, with(config.MaxUnverified, comparetest.ErrorAt(1)), in, "error: 2 cases passed with nothing to verify, at most 1 allowed")
	says(t, gate.Unverified, with(config.MaxUnverified, comparetest.WarnAt(0)), runOf(t, "s/a pass pass recorded kept"), "warn: 1 case is unverified, 1 of them kept by hand, at most 0 allowed")
}
