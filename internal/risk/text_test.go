package risk_test

import (
	"testing"

	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/texttest"
)

func TestEveryOddTextHasARiskInRange(t *testing.T) {
	s := shipped(t)
	for seed := range uint64(400) {
		input, answer := texttest.Text(seed), texttest.Text(seed+1e6)
		got := s.Score(risk.Probe{Input: input, Severity: risk.High}, risk.Answer{Text: answer})
		if r := *got.RiskScore; !(r >= 0 && r <= 1) {
			t.Errorf("input %q, answer %q: risk %v", input, answer, r)
		}
	}
}
