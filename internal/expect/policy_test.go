package expect_test

import (
	"regexp"
	"testing"

	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
)

func TestAPolicyReadsWhatAReaderSees(t *testing.T) {
	p := expect.CompilePolicy("no-promises", "", []*regexp.Regexp{regexp.MustCompile(`(?i)we will refund`), regexp.MustCompile("\u200d!")})
	for text, want := range map[string]string{
		"Yes, we will refund you.":         "we will refund",
		"We will re\u200bfund you.":        "We will refund",
		"We\u2060 w\u00adill refund you.":  "We will refund",
		"Family: \u200d!":                  "\u200d!", // a pattern may name such a character
		"We will look at it, re\u200bfund": "",
		"We will re fund you.":             "",
		"We **will** refund you.":          "We will refund",
		"Yes, we w&#105;ll refund you.":    "we will refund",
	} {
		if got, ok := p.FindViolation(expect.NewAnswer(model.Response{Text: model.Untrusted(text)})); got != want || ok != (want != "") {
			t.Errorf("FindViolation(%q) = %q, %v, want %q", text, got, ok, want)
		}
	}
}
