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
	page, err := os.ReadFile("../../docs/promptfoo.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range []map[string]func(*assertion){textKinds, judgedKinds, formKinds, codeKinds} {
		for _, kind := range slices.Sorted(maps.Keys(group)) {
			if !strings.Contains(string(page), "`"+kind+"`") {
				t.Errorf("docs/promptfoo.md does not name %s", kind)
			}
		}
	}
	for kind := range otherKinds {
		if known(kind) != nil {
			t.Errorf("%s is taken over, and is among those that are not", kind)
		}
	}
}
