package config_test

import (
	"testing"

	"github.com/failproof/failproof/internal/config"
)

func TestAQuarantineHoldsForEveryTargetOrForOne(t *testing.T) {
	g := config.Gate{Quarantine: []config.Quarantine{{ID: "support/refund/days"}, {ID: "shop@careful/hours"}}}
	for _, c := range []struct {
		suite, id string
		want      bool
	}{
		{"support/refund", "days", true},
		{"support/refund@careful", "days", true},
		{"support/refund@fast", "days", true},
		{"support/refund@fast", "hours", false},
		{"shop@careful", "hours", true},
		{"shop@fast", "hours", false},
		{"shop", "hours", false},
	} {
		if got := g.Quarantines(c.suite, c.id); got != c.want {
			t.Errorf("Quarantines(%s, %s) = %v", c.suite, c.id, got)
		}
	}
}
