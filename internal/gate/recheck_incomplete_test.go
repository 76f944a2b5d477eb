package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
)

func TestAnIncompleteSecondLookLeavesNoVerdict(t *testing.T) {
	in := noisy(t, noise.Finding{RecheckIncomplete: true})
	missing := ": the score fell, and the full rerun is missing too many answers: no verdict on the prompt"
	g := with(config.MaxDrop, comparetest.ErrorAt(0.02))
	says(t, gate.RecheckIncomplete, g, in, "error"+missing)
	if verdict, _ := gate.Decide(g, in); verdict != report.Undecided {
		t.Errorf("verdict %s, want undecided", verdict)
	}
	says(t, gate.RecheckIncomplete, with(config.MaxDrop, comparetest.WarnAt(0.02)), in, "warn"+missing)
	says(t, gate.RecheckIncomplete, with(config.MaxDrop, off), in)
	says(t, gate.RecheckIncomplete, g, noisy(t, noise.Finding{}))
}
