package text_test

import (
	"testing"

	"github.com/failproof/failproof/internal/text"
)

func TestNoCharacterIsCutInTwo(t *testing.T) {
	for _, c := range []struct {
		s         string
		n         int
		head, cut string
	}{
		{"", 0, "", ""},
		{"abc", 3, "abc", "abc"},
		{"abc", 2, "ab", "a…"},
		{"aé", 2, "a", "aé"},
		{"éé", 1, "", "…"},
		{"\xff\xff\xff", 2, "\xff\xff", "\xff…"},
		{"abc", 0, "", ""}, // nothing is cut to no character at all
		{"abc", -1, "", ""},
	} {
		if got := text.FirstBytes(c.s, c.n); got != c.head {
			t.Errorf("Head(%q, %d) = %q, want %q", c.s, c.n, got, c.head)
		}
		if got := text.Truncate(c.s, c.n); c.n > 0 && got != c.cut {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.s, c.n, got, c.cut)
		}
	}
}
