package show_test

import (
	"testing"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/render/show"
)

func TestOnlyTextsAndNumbersAreWordsOfOurs(t *testing.T) {
	foreign := model.Untrusted("**passed** <b>")
	got := show.Phrasef("%v of %v: %v", 1, "**two**", foreign).Markdown(show.SentenceRunes)
	want := "1 of **two**: " + show.Phrase{show.Message(foreign)}.Markdown(show.SentenceRunes)
	if got != want || want == "1 of **two**: "+string(foreign) {
		t.Errorf("%q, want %q", got, want)
	}
}
