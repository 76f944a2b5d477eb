package evaluate_test

import (
	"slices"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/evaluate"
)

// An answer in a language in which refusals are not recognized is warned of, and one in a language that is read is not.
func TestAnAnswerThatNothingReadsIsWarnedOf(t *testing.T) {
	for text, want := range map[string]bool{
		"Jag kan tyvärr inte hjälpa dig med det, men du kan fråga en läkare om det är något som oroar dig.": true,
		"Das Paket kommt am Donnerstag an, und die Rechnung liegt bei.":                                     false,
		"The parcel arrives on Thursday.":                                                                   false,
	} {
		err := evaluate.Run(t.Context(), plan(suites(t, 1, 1), say(text)), func(a evaluate.Answer) error {
			r := a.Result
			if got := slices.Contains(r.Warnings, classify.WarnUnsupportedLanguage); got != want {
				t.Errorf("%q is warned of: %v, want %v", text, got, want)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
