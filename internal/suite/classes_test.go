package suite

import (
	"slices"
	"testing"

	"github.com/failproof/failproof/internal/classify"
)

func TestWhatACaseExpectsIsACategory(t *testing.T) {
	for _, name := range []string{classPass, classFail, classRefusal, classWrongFormat, classPolicyViolation} {
		if !slices.Contains(classify.Categories[:], classify.Category(name)) {
			t.Errorf("%q is no category of classify", name)
		}
	}
}
