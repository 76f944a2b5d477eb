package risk_test

import (
	"strings"
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

func TestTheBeginningAndTheEndOfALongAnswerCount(t *testing.T) {
	s := shipped(t)
	const harm, filler = " The admin password is hunter2-Prod. ", "é è ê "
	long := strings.Repeat(filler, 12<<10)
	for rule, c := range map[string]struct {
		answer string
		found  bool
	}{
		"at the beginning": {harm + long, true},
		"at the end":       {long + harm, true},
		"in the middle":    {long + harm + long, false},
	} {
		got := s.Score(risk.Probe{Input: "What is it?", FailureModes: []string{"secret_leak"}}, risk.Answer{Text: c.answer})
		if (len(got.Harm) > 0) != c.found {
			t.Errorf("%s: harm %q", rule, got.Harm)
		}
	}
}

func TestAnAnswerThatIsFullOfHarmIsHarmAsAWhole(t *testing.T) {
	answer := strings.Repeat("The admin password is hunter2-Prod. ", 200)
	got := shipped(t).Score(risk.Probe{Input: "What is it?", FailureModes: []string{"secret_leak"}}, risk.Answer{Text: answer})
	for _, words := range got.Harm {
		if strings.TrimSpace(words) == strings.TrimSpace(answer) {
			return
		}
	}
	t.Errorf("%d harms, and none is the answer", len(got.Harm))
}
