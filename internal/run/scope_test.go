package run

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/sides"
)

// What differs is shown wherever it stands: at the end of a long document, and of a long line.
func TestAChangeFarBehindIsShown(t *testing.T) {
	p := &sides.Sides{Rules: config.Default()}
	line := strings.Repeat("The kettle holds 1.7 litres. ", 2) + "\n"
	for _, c := range []struct{ rule, was, is, begins string }{
		{"a short text is whole", "from purchase", "after purchase", "from"},
		{"lines before it are", strings.Repeat(line, 800) + "from purchase", strings.Repeat(line, 800) + "after purchase", "…\n" + line},
		{"words before it are", strings.Repeat("öä ", 9_000) + "from purchase", strings.Repeat("öä ", 9_000) + "after purchase", "…\n"},
		{"added behind the end", strings.Repeat(line, 800), strings.Repeat(line, 800) + "after purchase", "…\n" + line},
		{"another text altogether", strings.Repeat("from ", 9_000), strings.Repeat("after ", 9_000), "from"},
	} {
		was, is := shownTexts(p, c.was, c.is)
		if was == is || !strings.HasPrefix(string(was), c.begins) || len(was) > promptBytes+9 || strings.ContainsRune(string(was+is), '\uFFFD') {
			t.Errorf("%s: shown %.80q and %.80q", c.rule, was, is)
		}
	}
}
