package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
)

func TestAnswersThatAChangeCutsAreHeldWhereSomethingIsForbidden(t *testing.T) {
	for _, c := range []struct {
		rule, line, level string // "": no answer is truncated
	}{
		{"whole before, cut now, and something is forbidden", "s/a pass pass cut-head forbids recorded", "error"},
		{"nothing is forbidden: that is said", "s/a pass pass cut-head recorded", "warn"},
		{"cut on both sides: it is no change", "s/a pass pass cut-head cut-base forbids recorded", ""},
		{"cut before, whole now", "s/a pass pass cut-base forbids recorded", ""},
		{"a case that is new cuts nothing", "s/a - pass cut-head forbids recorded", ""},
		{"one that must pass", "s/a pass pass cut-head forbids must recorded", "error"},
		{"one that must pass, and that nothing is forbidden to", "s/a pass pass cut-head must recorded", "warn"},
		{"whose expectation changed, and either forbids something", "s/a pass pass cut-head forbids old:pass recorded", "error"},
		{"whose expectation changed, and neither forbids anything", "s/a pass pass cut-head old:pass recorded", "warn"},
		{"whose expectation changed, and nobody held it to the old one", "s/a pass pass cut-head redefined recorded", "error"},
		{"a wrong answer is a regression, however long", "s/a pass fail cut-head forbids recorded", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if level := levelOf(t, gate.AnswersTruncated, with(config.OnPolicyChange, err), runOf(t, c.line)); level != c.level {
				t.Errorf("level %q, want %q", level, c.level)
			}
		})
	}
}

func TestAnAnswerThatIsCutChangesAMustPassCase(t *testing.T) {
	for line, want := range map[string]string{
		"s/a pass pass cut-head forbids must recorded": "error",
		"s/a pass pass cut-head must recorded":         "",
	} {
		if level := levelOf(t, gate.MustPassChange, with(config.OnMustPassChange, err), runOf(t, line)); level != want {
			t.Errorf("%s: level %q, want %q", line, level, want)
		}
	}
}
