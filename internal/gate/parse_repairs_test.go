package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/gate"
)

func TestEachRepairIsNamedOnce(t *testing.T) {
	says(t, gate.ParseRepairs, comparetest.GateWithoutReruns(), runOf(t, "s/a pass pass repaired-head", "s/b pass pass repaired-head", "s/c fail fail repaired-head"),
		"warn: 2 answers are JSON only after repairs (fenced block, trailing commas), which `strict: true` would fail, and needed none before: s/a, s/b")
	says(t, gate.ParseRepairs, comparetest.GateWithoutReruns(), runOf(t, "s/a pass pass repaired-head repaired-base", "s/b pass fail repaired-head"))
}
