package score

import (
	"strings"
	"testing"
)

func TestEveryWordThatDeniesBeginsAsLabelsExpect(t *testing.T) {
	for word := range denied {
		if strings.IndexByte(denyingLetters, word[0]) < 0 {
			t.Errorf("%q begins with none of %q, and so denies no label", word, denyingLetters)
		}
	}
}
