package score_test

import (
	"slices"
	"testing"

	"github.com/failproof/failproof/internal/score"
)

// reasoning measures an answer against an expected one.
func reasoning(expected, answer string) score.Measured {
	e := &score.Expected{Plan: score.StrategyMap(nil).Plan("B7", "", ""), Reference: expected}
	return e.Measure(answer, score.Settings{Corpus: score.NewCorpus(nil)})
}

func TestWordsThatTurnRoundAreNotTakenForTheSame(t *testing.T) {
	for _, c := range []struct {
		rule, expected, answer, want string
	}{
		{"the same", "The vendor must keep the logs for 30 days.", "The vendor must keep the logs for 30 days.", ""},
		{"a denial", "The vendor must share the logs.", "The vendor must not share the logs.", score.WarnPolarity},
		{"a denial by a contraction", "The policy applies to the vendor.", "The policy doesn't apply to the vendor.", score.WarnPolarity},
		{"a denial by a prefix", "The vendor is compliant.", "The vendor is non-compliant.", score.WarnPolarity},
		{"a denial that is lost", "Passwords must never be shared.", "Passwords must be shared.", score.WarnPolarity},
		{"a denial in other words", "Passwords must not be shared.", "Passwords must never be shared.", ""},
		{"a denial of something else", "The vendor must keep the logs.", "The vendor must keep the logs. It is not hard.", ""},
		{"no exceptions", "The vendor must keep the logs.", "The vendor must keep the logs, with no exceptions.", ""},
		{"must and may", "The vendor must keep the logs.", "The vendor may keep the logs.", score.WarnPolarity},
		{"required and optional", "Encryption of the logs is required.", "Encryption of the logs is optional.", score.WarnPolarity},
		{"must and shall", "The vendor must keep the logs.", "The vendor shall keep the logs.", ""},
		{"another number", "Keep the logs for 30 days.", "Keep the logs for 90 days.", score.WarnNumbers},
		{"another unit", "Keep the logs for 30 days.", "Keep the logs for 30 months.", score.WarnNumbers},
		{"the same in another unit", "Keep the logs for 14 days.", "Keep the logs for two weeks.", ""},
		{"a number more", "Keep the logs for 30 days.", "Keep the logs for 30 days and review 5 percent.", ""},
		{"a number less", "Keep the logs for 30 days.", "Keep the logs.", ""},
		{"another clause", "Clause 5.9.3 asks for logs.", "Clause 5.9.4 asks for logs.", score.WarnNumbers},
		{"another count in words", "Two owners sign the change.", "Three owners sign the change.", score.WarnNumbers},
		{"the same count in digits", "Two owners sign the change.", "2 owners sign the change.", ""},
		{"a count of something else", "Keep three copies of the data.", "Keep three copies of the data in two places.", ""},
		{"another time of day", "The shop opens at 9 am.", "The shop opens at 9 pm.", score.WarnNumbers},
		{"the same time of day", "The shop opens at 14:00.", "The shop opens at 2 pm.", ""},
		{"a share for a sum", "The fee is 5 %.", "The fee is 5 euros.", score.WarnNumbers},
		{"a denial of a part", "Backups are encrypted and tested.", "Backups are encrypted but not tested.", score.WarnPolarity},
		{"two sentences in one", "The rule covers banks. It does not cover shops.", "The rule covers banks but not shops.", ""},
		{"two sentences the other way round", "The rule covers banks. It does not cover shops.", "The rule does not cover shops. It covers banks.", ""},
		{"a denial of the opposite beside it", "The claim was approved.", "The claim was not rejected; it was approved.", ""},
		{"not yet", "Backups are encrypted.", "Backups are not yet encrypted.", score.WarnPolarity},
		{"at least and at most", "Keep the logs at least 30 days.", "Keep the logs at most 30 days.", score.WarnNumbers},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got := reasoning(c.expected, c.answer)
			warned := slices.DeleteFunc(got.Warnings, func(w string) bool { return w != score.WarnPolarity && w != score.WarnNumbers })
			want := slices.DeleteFunc([]string{c.want}, func(w string) bool { return w == "" })
			if !slices.Equal(warned, want) || c.want != "" && got.Metrics[0].Value > 0.5 {
				t.Errorf("%q against %q warns %v and scores %.3f, want %v", c.answer, c.expected, warned, got.Metrics[0].Value, want)
			}
		})
	}
}
