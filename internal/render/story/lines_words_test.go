package story

import (
	"testing"

	"github.com/failproof/failproof/internal/report"
)

func TestAPartOfALineIsNamedByItsWords(t *testing.T) {
	at := report.Region{Path: "p.md", First: 2, Last: 2, BaseFirst: 2, BaseLast: 2, Words: "Be kind. ", Column: 8}
	gone, blank := at, at
	gone.Removed, blank.Words = true, "  "
	line := report.Region{Path: "p.md", First: 2, Last: 1, BaseFirst: 2, BaseLast: 2, Words: "- Be kind.", Removed: true}
	for want, r := range map[string]report.Region{
		"The words “Be kind.” in line 2 of “p.md”":                  at,
		"The removal of the words “Be kind.” from line 2 of “p.md”": gone,
		"The white space in line 2 of “p.md”":                       blank,
		"The removal of “- Be kind.” before line 2 of “p.md”":       line,
	} {
		if got := places([]report.Region{r}).Capital().Plain(400); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
