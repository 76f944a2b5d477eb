package config_test

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/config"
)

func TestAQuarantineHoldsUntilItsDayIsOver(t *testing.T) {
	g := config.Gate{Quarantine: []config.Quarantine{{ID: "s/a", Expires: "2026-01-31"}, {ID: "s/b", Expires: "2026-03-01"}}}
	for day, want := range map[string]string{"2026-01-31": "", "2026-02-01": "s/a", "2026-03-02": "s/a s/b"} {
		now, expired := g.ActiveOn(day)
		var ids []string
		for _, q := range expired {
			ids = append(ids, q.ID)
		}
		if got := strings.Join(ids, " "); got != want || len(now.Quarantine)+len(expired) != 2 {
			t.Errorf("%s: %q expired and %d hold, want %q expired", day, got, len(now.Quarantine), want)
		}
	}
}

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
		if got := g.IsQuarantined(c.suite, c.id); got != c.want {
			t.Errorf("IsQuarantined(%s, %s) = %v", c.suite, c.id, got)
		}
	}
}
