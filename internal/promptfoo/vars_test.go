package promptfoo

import (
	"strings"
	"testing"
)

// A search of the whole rest from each {{ would take minutes.
func TestPlaceholdersWithoutEndAreReadOnce(t *testing.T) {
	got, err := parseTemplate("Dear {{ name }}" + strings.Repeat("{{ ", 200_000))
	if err == nil || err.Error() != "`{{` is never closed" || got.offset != 15 {
		t.Errorf("%v at %d", err, got.offset)
	}
}
