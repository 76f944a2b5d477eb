package comment

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/report"
)

func TestACaseLinksToItsPlaceOnThePage(t *testing.T) {
	l := rendertest.Links()
	l.Page = "https://acme.github.io/prompts/7/report.html"
	got := Markdown(storyOf(rendertest.FailedRun(), l))
	if want := " · [report](https://acme.github.io/prompts/7/report.html#case/support/refund/angry-customer)"; !strings.Contains(got, want) {
		t.Errorf("the comment lacks %q:\n%s", want, got)
	}
	l.Page = "https://evil.example/) [x"
	if got := Markdown(storyOf(rendertest.FailedRun(), l)); strings.Contains(got, "evil") {
		t.Errorf("an address that is none is linked:\n%s", got)
	}
}

// TestAnAnswerIsSaidToBeTheSameAsFarAsItIsShown checks two equal excerpts, because the complete answers may differ
// after them.
func TestAnAnswerIsSaidToBeTheSameAsFarAsItIsShown(t *testing.T) {
	for answer, want := range map[string]string{"No.": "\nThe answer did not change:", "No. And so on…": "As far as it is shown here, the answer did not change:"} {
		r := rendertest.FailedRun()
		rendertest.AddChange(r, report.Regressed, "same", rendertest.PassOutcome(answer), rendertest.FailOutcome("Yes.", answer))
		if got := Markdown(storyOf(r, rendertest.Links())); !strings.Contains(got, want) || strings.Count(got, "did not change:") != 1 {
			t.Errorf("of %q the comment does not say %q once:\n%s", answer, want, got)
		}
	}
}
