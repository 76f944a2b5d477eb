package comment

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/report"
)

// Several answers that nothing judged are counted in the plural.
func TestLookCountsLooseAnswers(t *testing.T) {
	r := rendertest.LookRun()
	loose := *r.Changes.At(r.Changes.Len() - 1).Head
	rendertest.Add(r, report.New, "weather", nil, &loose)
	if page := Markdown(rendertest.View(r, rendertest.Links())); !strings.Contains(page, "look at 2 answers that nothing judged: ") {
		t.Errorf("no plural in:\n%s", page)
	}
}
