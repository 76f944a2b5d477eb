package score_test

import (
	"testing"

	"github.com/failproof/failproof/internal/score"
)

func TestPenaltyScore(t *testing.T) {
	penalties := map[string]float64{"refusal": 0.25, "policy_violation": 1, "pass": 0.1}
	for _, c := range []struct {
		rule, category string
		penalties      map[string]float64
		want           float64
	}{
		{"a named category loses its penalty", "refusal", penalties, 0.75},
		{"a full penalty leaves nothing", "policy_violation", penalties, 0},
		{"a pass may be penalised", "pass", penalties, 0.9},
		{"a pass is not, unless it is named", "pass", map[string]float64{}, 1},
		{"any other category loses everything, unless it is named", "fail", penalties, 0},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := score.PenaltyScore(c.penalties, c.category, c.category == "pass"); got != c.want {
				t.Errorf("PenaltyScore(%s) = %v, want %v", c.category, got, c.want)
			}
		})
	}
}

func TestLatencyScore(t *testing.T) {
	for _, c := range []struct {
		rule       string
		took, want float64
	}{
		{"as good as none", 500, 1}, {"good", 1000, 1}, {"halfway", 2000, 0.5}, {"bad", 3000, 0}, {"worse", 9000, 0},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := score.LatencyScore(1000, 3000, c.took); got != c.want {
				t.Errorf("LatencyScore(1000, 3000, %v) = %v, want %v", c.took, got, c.want)
			}
		})
	}
}
