package promptfoo

import (
	"strings"
	"testing"
)

// A search of the whole rest from each {{ would take minutes.
func TestPlaceholdersWithoutEndAreReadOnce(t *testing.T) {
	if got := parseTemplate("Dear {{ name }}" + strings.Repeat("{{ ", 200_000)); got.problem != "`{{` is never closed" || got.offset != 15 {
		t.Errorf("%q at %d", got.problem, got.offset)
	}
}
