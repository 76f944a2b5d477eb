package story

import (
	"testing"

	"github.com/failproof/failproof/internal/report"
)

func TestAPartOfALineIsNamedByItsWords(t *testing.T) {
	at := report.Region{Path: "p.md", First: 2, Last: 2, BaseFirst: 2, BaseLast: 2, Words: "Be kind. ", Column: 8}
	gone, blank := at, at
	gone.Gone, blank.Words = true, "  "
	for want, r := range map[string]report.Region{
		"The words “Be kind.” in line 2 of “p.md”":           at,
		"The words “Be kind.” taken out of line 2 of “p.md”": gone,
		"The white space in line 2 of “p.md”":                blank,
	} {
		if got := places([]report.Region{r}).Capital().Plain(400); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if !ofSeveral([]report.Region{at}) || ofSeveral([]report.Region{blank}) {
		t.Error("words break a case, white space breaks it")
	}
}
