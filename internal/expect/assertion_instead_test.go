package expect

import (
	"strings"
	"testing"
)

func TestAQuoteWithoutEndIsFoundInOnePass(t *testing.T) {
	escaped := strings.Repeat(`\"`, 200_000) // a search of the whole rest from each quote would take minutes
	for source, want := range map[string]int{`a == "b"`: -1, `ä == "b`: 5, `"it's" == 'a`: 10, "`\\` == \"\\\"": 7,
		`"` + escaped: 0, `"` + escaped + `"`: -1} {
		at, _, found := unclosedQuote(source)
		if !found {
			at = -1
		}
		if at != want {
			t.Errorf("%.20q: at %d, want %d", source, at, want)
		}
	}
}
