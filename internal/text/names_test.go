package text_test

import (
	"maps"
	"testing"

	"github.com/failproof/failproof/internal/text"
)

func TestATableByNameHasEveryNameOnce(t *testing.T) {
	if got := text.ByName(map[string]int{"a|b": 1, "c": 2}); !maps.Equal(got, map[string]int{"a": 1, "b": 1, "c": 2}) {
		t.Errorf("got %v", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("a name that stands twice is no panic")
		}
	}()
	text.ByName(map[string]int{"a|b": 1, "b|c": 2})
}
