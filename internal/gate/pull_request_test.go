package gate_test

import (
	"slices"
	"testing"

	"github.com/failproof/failproof/internal/gate"
)

func TestWhatTheActionSaysNobodyAccepts(t *testing.T) {
	for _, rule := range []gate.Rule{gate.NoMerge, gate.BaseMoved} {
		if rule.MayBeAccepted || !slices.ContainsFunc(gate.Rules, func(r gate.Rule) bool { return r.Code == rule.Code }) {
			t.Errorf("%s is accepted by a review, or is in no list", rule.Code)
		}
	}
}
