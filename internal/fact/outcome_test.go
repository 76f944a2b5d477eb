package fact_test

import (
	"strings"
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
		{"said, of what the fact denies", "renewals are not refundable", "Renewals are refundable.", fact.Contradicted},
		{"of a denial, something else", "never share passwords", "Passwords expire.", fact.NotFound},
		{"asked", "MFA is required for admins", "Is MFA required for admins?", fact.NotFound},
		{"by another amount", "refunds take 14 days", "Refunds take 30 days.", fact.Contradicted},
		{"by an amount of something else", "refunds take 14 days", "Refunds cost 3 euros.", fact.NotFound},
		{"not mentioned", "refunds take 14 days", "Ask at the desk.", fact.NotFound},
		{"by a match of its pattern", `/14 days?/`, "It takes 14 days.", fact.Said},
		{"by a match that is denied", `/14 days?/`, "It does not take 14 days.", fact.Contradicted},
		{"by a match that is denied, and one that is not", `/14 days?/`, "It does not take 14 days. It takes 14 days to Norway.", fact.Said},
		{"by a match that is asked", `/14 days?/`, "Does it take 14 days?", fact.NotFound},
	} {
		f, err := words().Fact(c.fact)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Match(english.Parse(c.answer)).Outcome; got != c.want {
			t.Errorf("%s: %q of %q is %d, want %d", c.rule, c.answer, c.fact, got, c.want)
		}
	}
}

// A denial in another language reaches as far as one in English would: to the next clause, and "kein" only forward.
func TestDenialsOfOtherLanguagesReachAsFarAsTheyDeny(t *testing.T) {
	for _, c := range []struct {
		fact, answer string
		want         bool
	}{
		{"14 Tagen", "Innerhalb von 14 Tagen ist das kein Problem.", true},
		{"14 Tage", "Sie müssen keinen Grund nennen und haben 14 Tage Zeit.", true},
		{"14 jours", "Vous n'avez pas à vous justifier et disposez de 14 jours.", true},
		{"/14 Tag/", "Innerhalb von 14 Tagen entstehen keine Kosten.", true},
		{"30 Tage", "Es gelten nicht 14 Tage, sondern 30 Tage.", true},
		{"geen kosten", "Er zijn geen kosten.", true},
		{"14 Tage", "Es gelten nicht 14 Tage, sondern 30 Tage.", false},
		{"14 Tage", "Sie haben keine 14 Tage Zeit.", false},
		{"Garantie", "Wir geben keine Garantie und keine Rückerstattung.", false},
		{"Rückerstattung", "Wir geben keine Garantie und keine Rückerstattung.", false},
		{"échange", "Il n'y a pas de remboursement et pas d'échange.", false},
		{"technicien", "Aucun technicien n'est disponible.", false},
		{"kosten", "Er zijn geen kosten.", false},
		{"garantía", "No hay ninguna garantía.", false},
	} {
		if got := covers(t, c.fact, c.answer); got != c.want {
			t.Errorf("%q covers %q: %v, want %v", c.answer, c.fact, got, c.want)
		}
	}
}

// Of the answers that do not cover their fact, those that contradict it are told from those in which it is not found;
// of those that cover it, few may be taken for a contradiction: "says the opposite" is the harsher word.
func TestOutcomesOfFactSets(t *testing.T) {
	for _, set := range []struct {
		file                       string
		contradicted, said, unjust int // at least; at most; of the covered ones, called contradicted at most
	}{{"dev", 188, 44, 8}, {"blind-1", 8, 0, 2}, {"blind-2", 11, 0, 1}, {"blind-3", 7, 1, 1}, {"blind-4", 6, 0, 1},
		{"blind-5", 12, 1, 0}, {"blind-6", 7, 3, 1}, {"blind-7", 9, 1, 3}} {
		var lacking, covered [3]int
		for _, c := range readSet[stating](t, "facts", set.file) {
			f, err := words().Fact(c.Fact)
			if err != nil {
				t.Fatal(err)
			}
			of := &lacking
			if c.Covered {
				of = &covered
			}
			of[f.Match(english.Parse(c.Answer)).Outcome]++
		}
		got := [3]int{lacking[fact.Contradicted], lacking[fact.Said], covered[fact.Contradicted]}
		t.Logf("%s: of those that lack the fact %d contradict it, %d say it; of those that cover it %d contradict it", set.file, got[0], got[1], got[2])
		if got[0] < set.contradicted || got[1] > set.said || got[2] > set.unjust {
			t.Errorf("%s: %v, want at least %d, at most %d and at most %d", set.file, got, set.contradicted, set.said, set.unjust)
		}
	}
}

func TestAContradictionNamesItsSentence(t *testing.T) {
	for _, c := range []struct{ rule, fact, answer, want string }{
		{"denied", "MFA is required for admins", "Welcome. MFA is not required for admins. Goodbye.", "MFA is not required for admins"},
		{"by an opposite", "the gym opens at noon", "Hello. The gym closes at noon.", "The gym closes at noon"},
		{"the first of several", "the gym opens at noon", "The gym closes at noon. So the gym closes at noon today.", "The gym closes at noon"},
		{"on one line", "MFA is required for admins", "MFA is not\nrequired for admins.", "MFA is not required for admins"},
		{"not found", "MFA is required for admins", "Ask at the desk.", ""},
		{"too long to quote", "MFA is required for admins", "MFA is not required for admins" + strings.Repeat(" of this very building", 20) + ".", ""},
	} {
		f, err := words().Fact(c.fact)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Match(english.Parse(c.answer)); got.Sentence != c.want {
			t.Errorf("%s: %q names %q, want %q", c.rule, c.answer, got.Sentence, c.want)
		}
	}
}
