package comment

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/report"
)

func TestACaseWithoutANameIsKnownByItsQuestion(t *testing.T) {
	r := rendertest.FailedRun()
	for i, id := range []string{"case-0123456789ab", "case-0123456789xy", "a", "b", "c", "d", "e"} { // so many that they stand in a table
		c := rendertest.Add(r, report.Regressed, id, rendertest.PassOutcome("yes"), rendertest.FailOutcome("yes", "no"))
		c.Asked = rendertest.Untrusted("Where is parcel " + string(rune('A'+i)) + "?")
	}
	table, _, _ := strings.Cut(Markdown(rendertest.View(r, rendertest.Links())), "<details>")
	if !strings.Contains(table, "Where is parcel A?") || strings.Contains(table, "Where is parcel B?") {
		t.Errorf("the question of the digest, and of no name, belongs into the table:\n%s", table)
	}
}
