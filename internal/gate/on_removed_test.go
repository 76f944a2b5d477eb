package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
)

func TestRemovedCasesAreNamedIfTheyPassed(t *testing.T) {
	g := with(config.OnRemoved, err)
	says(t, gate.Removed, g, runOf(t, "s/a pass pass"))
	says(t, gate.Removed, g, runOf(t, "s/a pass -", "s/b pass pass"), "error: 1 case that passed before was removed: s/a")
	says(t, gate.Removed, g, runOf(t, "s/a pass -", "s/b fail -", "s/c pass -"), "error: 3 cases were removed, 2 of them passed before: s/a, s/c")
	says(t, gate.Removed, g, runOf(t, "s/a fail -", "s/b pass pass"), "warn: 1 case was removed") // it hides nothing
	says(t, gate.Removed, with(config.OnRemoved, warn), runOf(t, "s/a pass -"), "warn: 1 case that passed before was removed: s/a")
	says(t, gate.Removed, with(config.OnRemoved, off), runOf(t, "s/a pass -"))
	if got := reasonsOf(gate.Removed, comparetest.Gate(), runOf(t, "s/a - pass")); got != nil {
		t.Errorf("a new case is no removed one: %q", got)
	}
}
