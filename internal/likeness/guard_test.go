package likeness_test

import (
	"testing"

	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/likeness"
)

func TestWordsThatTurnRoundAreNotTakenForTheSame(t *testing.T) {
	for _, c := range []struct {
		rule, expected, answer string
		polarity, numbers      bool
	}{
		{"the same", "The vendor must keep the logs for 30 days.", "The vendor must keep the logs for 30 days.", false, false},
		{"a denial", "The vendor must share the logs.", "The vendor must not share the logs.", true, false},
		{"a denial by a contraction", "The policy applies to the vendor.", "The policy doesn't apply to the vendor.", true, false},
		{"a denial by a prefix", "The vendor is compliant.", "The vendor is non-compliant.", true, false},
		{"a denial that is lost", "Passwords must never be shared.", "Passwords must be shared.", true, false},
		{"a denial in other words", "Passwords must not be shared.", "Passwords must never be shared.", false, false},
		{"a denial of something else", "The vendor must keep the logs.", "The vendor must keep the logs. It is not hard.", false, false},
		{"no exceptions", "The vendor must keep the logs.", "The vendor must keep the logs, with no exceptions.", false, false},
		{"must and may", "The vendor must keep the logs.", "The vendor may keep the logs.", true, false},
		{"required and optional", "Encryption of the logs is required.", "Encryption of the logs is optional.", true, false},
		{"must and shall", "The vendor must keep the logs.", "The vendor shall keep the logs.", false, false},
		{"another number", "Keep the logs for 30 days.", "Keep the logs for 90 days.", false, true},
		{"another unit", "Keep the logs for 30 days.", "Keep the logs for 30 months.", false, true},
		{"the same in another unit", "Keep the logs for 14 days.", "Keep the logs for two weeks.", false, false},
		{"a number more", "Keep the logs for 30 days.", "Keep the logs for 30 days and review 5 percent.", false, false},
		{"a number less", "Keep the logs for 30 days.", "Keep the logs.", false, false},
		{"another clause", "Clause 5.9.3 asks for logs.", "Clause 5.9.4 asks for logs.", false, true},
		{"another count in words", "Two owners sign the change.", "Three owners sign the change.", false, true},
		{"the same count in digits", "Two owners sign the change.", "2 owners sign the change.", false, false},
		{"a count of something else", "Keep three copies of the data.", "Keep three copies of the data in two places.", false, false},
		{"a count of something else alone", "Keep three copies of the data.", "Keep copies of the data in two places.", false, false},
		{"a count of the parts of it", "The customer gets two refunds.", "The customer gets refunds in three parts.", false, false},
		{"another count beside the same one", "Passwords need twelve characters and two digits.", "Passwords need twelve characters and three digits.", false, true},
		{"a count and what is counted", "The customer gets two refunds of five euros.", "The customer gets five euros for each of two refunds.", false, false},
		{"another time of day", "The shop opens at 9 am.", "The shop opens at 9 pm.", false, true},
		{"the same time of day", "The shop opens at 14:00.", "The shop opens at 2 pm.", false, false},
		{"a share for a sum", "The fee is 5 %.", "The fee is 5 euros.", false, true},
		{"a denial of a part", "Backups are encrypted and tested.", "Backups are encrypted but not tested.", true, false},
		{"two sentences in one", "The rule covers banks. It does not cover shops.", "The rule covers banks but not shops.", false, false},
		{"two sentences the other way round", "The rule covers banks. It does not cover shops.", "The rule does not cover shops. It covers banks.", false, false},
		{"a denial of the opposite beside it", "The claim was approved.", "The claim was not rejected; it was approved.", false, false},
		{"not yet", "Backups are encrypted.", "Backups are not yet encrypted.", true, false},
		{"at least and at most", "Keep the logs at least 30 days.", "Keep the logs at most 30 days.", false, true},
	} {
		t.Run(c.rule, func(t *testing.T) {
			polarity, numbers := likeness.Contradictions(english.Parse(c.expected), english.Parse(c.answer))
			if polarity != c.polarity || numbers != c.numbers {
				t.Errorf("%q against %q: polarity %v, numbers %v; want %v and %v", c.answer, c.expected, polarity, numbers, c.polarity, c.numbers)
			}
		})
	}
}
