package comment

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/render/rendertest"
)

func TestACaseLinksToItsPlaceOnThePage(t *testing.T) {
	l := rendertest.Links()
	l.Page = "https://acme.github.io/prompts/7/report.html"
	got := Markdown(rendertest.View(rendertest.FailedRun(), l))
	if want := " · [report](https://acme.github.io/prompts/7/report.html#case/support/refund/angry-customer)"; !strings.Contains(got, want) {
		t.Errorf("the comment lacks %q:\n%s", want, got)
	}
	l.Page = "https://evil.example/) [x"
	if got := Markdown(rendertest.View(rendertest.FailedRun(), l)); strings.Contains(got, "evil") {
		t.Errorf("an address that is none is linked:\n%s", got)
	}
}
