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
		if k := kinds[name]; (k.convert == nil) == (k.why == "") {
			t.Errorf("%s has a way to be taken over and a reason why it is not, or neither", name)
		} else if k.convert != nil && !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("docs/reference/promptfoo.md does not name %s", name)
		}
	}
}
