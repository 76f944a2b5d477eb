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
			t.Errorf("FirstBytes(%q, %d) = %q, want %q", c.s, c.n, got, c.head)
		}
		if got := text.Truncate(c.s, c.n); c.n > 0 && got != c.cut {
			t.Errorf("Truncate(%q, %d) = %q, want %q", c.s, c.n, got, c.cut)
		}
	}
}

func TestTheMiddleOfALongTextIsCut(t *testing.T) {
	for s, want := range map[string]string{"": "", "abcdef": "abcdef", "abcdefg": "abcd\n\nfg", "abcé-éf": "abc\n\nf"} {
		if got := text.CutMiddle(s, 4, 2); got != want {
			t.Errorf("CutMiddle(%q, 4, 2) = %q, want %q", s, got, want)
		}
	}
}

func TestOnlyASCIILettersAreLowered(t *testing.T) {
	if got := text.LowerASCII("AZ[İÉ"); got != "az[İÉ" {
		t.Errorf("LowerASCII = %q", got)
	}
}

func TestTheLowerCaseOfATextHasItsLength(t *testing.T) {
	if got := text.Lower("AZ[İÉ\xffЩß"); got != "az[İé\xffщß" {
		t.Errorf("Lower = %q", got)
	}
}
