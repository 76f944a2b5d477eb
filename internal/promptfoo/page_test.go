package promptfoo

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// What is taken over stands in the documentation by its name.
func TestThePageNamesEveryAssertionThatIsTakenOver(t *testing.T) {
	page, err := os.ReadFile("../../docs/reference/promptfoo.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("docs/reference/promptfoo.md does not name %s", name)
		}
		if _, both := unconvertedKinds[name]; both {
			t.Errorf("%s is converted, and has a reason why it is not", name)
		}
	}
}
