package worddiff

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTextsAreCutAroundWhatDiffers(t *testing.T) {
	same := strings.Repeat("Be polite and keep it short. ", 60)
	for _, c := range []struct{ name, base, head, inBase, inHead string }{
		{"at the end", same + "Say yes.", same + "Say no.", "Say yes.", "Say no."},
		{"at the beginning", "Say yes. " + same, "Say no. " + same, "Say yes.", "Say no."},
		{"in the middle", same + "Say yes. " + same, same + "Say no. " + same, "Say yes.", "Say no."},
		{"added at the end", same, same + "Say no.", "keep it short.", "Say no."},
		{"the last of two", "One. " + same + "Say yes.", "Two. " + same + "Say no.", "Say yes.", "Say no."},
		{"behind a long difference", "One. " + same + "Say yes.", "Two. " + strings.Repeat("word ", 900) + same + "Say no.", "Say yes.", "Say no."},
		{"between spaces", same + "for 21 days" + same, same + "for 28 days" + same, "for 21 days", "for 28 days"},
		{"without spaces", strings.Repeat("話", 900) + "是", strings.Repeat("話", 900) + "否", "是", "否"},
	} {
		base, head := ShortenAround(c.base, c.head, 200, 300)
		if utf8.RuneCountInString(base) > 200 || utf8.RuneCountInString(head) > 300 || !utf8.ValidString(base+head) {
			t.Errorf("%s: %d and %d runes, room for 200 and 300", c.name, utf8.RuneCountInString(base), utf8.RuneCountInString(head))
		}
		if !strings.Contains(base, c.inBase) || !strings.Contains(head, c.inHead) || !strings.Contains(base+head, "…") {
			t.Errorf("%s: got\n%q\n%q\nwant %q and %q in them", c.name, base, head, c.inBase, c.inHead)
		}
	}
}

func TestTextsThatFitStayWhole(t *testing.T) {
	if base, head := ShortenAround("one two", "one three", 7, 9); base != "one two" || head != "one three" {
		t.Errorf("got %q and %q", base, head)
	}
}

func TestEqualTextsAreCutAlike(t *testing.T) {
	text := strings.Repeat("word ", 100)
	if base, head := ShortenAround(text, text, 50, 50); base != head || !fits(base, 50) {
		t.Errorf("got %q and %q", base, head)
	}
}

func FuzzAroundKeepsToItsRoom(f *testing.F) {
	f.Add("a b c d e f g h i j k l m n o p q r s t u v w x y z", "a b c d e f g h i j k l m n o p q r s t u v w x y 0", 20, 12)
	f.Add("", "x", 5, 5)
	f.Fuzz(func(t *testing.T, base, head string, b, h int) {
		b, h = 8+max(b, 0)%500, 8+max(h, 0)%500
		x, y := ShortenAround(base, head, b, h)
		if !fits(x, b) || !fits(y, h) {
			t.Errorf("%d and %d runes, room for %d and %d", utf8.RuneCountInString(x), utf8.RuneCountInString(y), b, h)
		}
		if base != head && fits(base, b) && fits(head, h) && x == y {
			t.Error("what differs is shown as the same")
		}
	})
}
