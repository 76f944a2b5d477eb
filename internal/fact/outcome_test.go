package fact_test

import (
	"testing"

	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/fact"
)

func TestAnAnswerSaysContradictsOrDoesNotMentionAFact(t *testing.T) {
	for _, c := range []struct {
		rule, fact, answer string
		want               fact.Outcome
	}{
		{"word for word", "refunds take 14 days", "Refunds take 14 days.", fact.Said},
		{"in other words", "refunds take 14 days", "A refund takes two weeks.", fact.Said},
		{"denied", "MFA is required for admins", "MFA is not required for admins.", fact.Contradicted},
		{"by an opposite", "the gym opens at noon", "The gym closes at noon.", fact.Contradicted},
		{"of something else", "employees get 28 days of leave", "Trainees get 28 days of leave. Employees get 25.", fact.Contradicted},
		{"asked", "MFA is required for admins", "Is MFA required for admins?", fact.NotFound},
		{"not mentioned", "refunds take 14 days", "Ask at the desk.", fact.NotFound},
	} {
		f, err := words().Fact(c.fact)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Read(english.Read(c.answer)); got != c.want {
			t.Errorf("%s: %q of %q is %d, want %d", c.rule, c.answer, c.fact, got, c.want)
		}
	}
}
