package comment

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/report"
)

func TestACaseOfATableIsKnownByItsQuestion(t *testing.T) {
	r := rendertest.FailedRun()
	// These cases are enough for a table.
	for i, id := range []string{"case-0123456789ab", "case-0123456789xy", "a", "b", "c", "d", "e"} {
		c := rendertest.AddChange(r, report.Regressed, id, rendertest.PassOutcome("yes"), rendertest.FailOutcome("yes", "no"))
		c.Input = rendertest.Untrusted("Where is parcel " + string(rune('A'+i)) + "?")
	}
	table, _, _ := strings.Cut(Markdown(storyOf(r, rendertest.Links())), "<details>")
	if !strings.Contains(table, "| “Where is parcel A?”<br><sub>[`case-0123456789ab`]") || !strings.Contains(table, "| “Where is parcel B?”<br><sub>[case-0123456789xy]") {
		t.Errorf("the first column is the question, and the name below it:\n%s", table)
	}
}
