package worddiff

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// shown writes a side with its own pieces in brackets.
func shown(pieces []Piece) string {
	var b strings.Builder
	for _, p := range pieces {
		if p.Changed {
			b.WriteString("[" + p.Text + "]")
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

func TestWords(t *testing.T) {
	cases := []struct{ rule, base, head, wantBase, wantHead string }{
		{"equal texts have nothing of their own", "one two", "one two", "one two", "one two"},
		{"a word that differs is marked on both sides", "up to 50 EUR", "up to 100 EUR", "up to [50] EUR", "up to [100] EUR"},
		{"a word more is marked where it stands", "you will pay", "you will not pay", "you will pay", "you will [not ]pay"},
		{"words in a row are one piece", "a b c d", "a x y d", "a [b c] d", "a [x y] d"},
		{"punctuation between differences is part of them", "a b, c d", "a x, y d", "a [b, c] d", "a [x, y] d"},
		{"a common word between differences stays common", "a b keep c d", "a x keep y d", "a [b] keep [c] d", "a [x] keep [y] d"},
		{"nothing in common is one piece a side", "one", "zwei drei", "[one]", "[zwei drei]"},
		{"an empty text has no piece", "", "new", "", "[new]"},
		{"letters with marks are words", "très été", "très hiver", "très [été]", "très [hiver]"},
		{"scripts without spaces are compared by character", "退款十天", "退款三天", "退款[十]天", "退款[三]天"},
		{"one of their characters between differences is part of them", "今天去学校", "我们去公园", "[今天去学校]", "[我们去公园]"},
		{"white space counts", "a\nb", "a b", "a[\n]b", "a[ ]b"},
		{"JSON is compared by its values", `{"label":"ok","n":1}`, `{"label":"no","n":1}`, `{"label":"[ok]","n":1}`, `{"label":"[no]","n":1}`},
		{"what is drawn as one sign is one", "ok \u2764 a", "ok \u2764\ufe0f a", "ok [\u2764] a", "ok [\u2764\ufe0f] a"},
		{"what a joiner joins is one sign", "\U0001f468\u200d\U0001f33e", "\U0001f468\u200d\U0001f3ed", "[\U0001f468\u200d\U0001f33e]", "[\U0001f468\u200d\U0001f3ed]"},
		{"bytes that are no UTF-8 are kept", "a \xff b", "a \xfe b", "a [\xff] b", "a [\xfe] b"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			d := Words(c.base, c.head)
			if got := shown(d.Base); got != c.wantBase {
				t.Errorf("Words(%q, %q).Base = %q, want %q", c.base, c.head, got, c.wantBase)
			}
			if got := shown(d.Head); got != c.wantHead {
				t.Errorf("Words(%q, %q).Head = %q, want %q", c.base, c.head, got, c.wantHead)
			}
		})
	}
}

func TestCommon(t *testing.T) {
	cases := []struct {
		rule, base, head string
		want             float64
	}{
		{"equal texts share all", "a b c", "a b c", 1},
		{"punctuation does not count", "a, b!", "a b", 1},
		{"half of the words", "a b", "a c", 0.5},
		{"other words share nothing", "a b", "c d", 0},
		{"without words nothing differs", "!", "?", 1},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			if got := Words(c.base, c.head).Common; math.Abs(got-c.want) > 1e-12 {
				t.Errorf("Words(%q, %q).Common = %v, want %v", c.base, c.head, got, c.want)
			}
		})
	}
}

// check holds a difference to what it promises: both texts are whole, and what is common is the same on both sides.
func check(base, head string, d Diff) error {
	join := func(pieces []Piece) (all, common string) {
		for i, p := range pieces {
			if p.Text == "" || i > 0 && pieces[i-1].Changed == p.Changed {
				return "not in turn", ""
			}
			all += p.Text
			if !p.Changed {
				common += p.Text
			}
		}
		return all, common
	}
	b, inBase := join(d.Base)
	h, inHead := join(d.Head)
	switch {
	case b != base:
		return fmt.Errorf("the base's pieces are %q, want %q", b, base)
	case h != head:
		return fmt.Errorf("the head's pieces are %q, want %q", h, head)
	case inBase != inHead:
		return fmt.Errorf("common is %q on the base and %q on the head", inBase, inHead)
	case !(d.Common >= 0 && d.Common <= 1):
		return fmt.Errorf("Common is %v", d.Common)
	}
	return nil
}

func TestBothTextsStayWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"a", "b", "c", " ", "  ", "\n", ",", ".", "é", "漢", "字", "\u0301", "\xff", "refund", "10"})
		text := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(word, 0, 60).Draw(t, "words"), "") })
		base, head := text.Draw(t, "base"), text.Draw(t, "head")
		if err := check(base, head, Words(base, head)); err != nil {
			t.Fatal(err)
		}
	})
}

func TestLongTextsAreCompared(t *testing.T) {
	var base, head []string
	for i := range 4_000 {
		w := fmt.Sprintf("w%d", i)
		base, head = append(base, w), append(head, w)
		if i%100 == 50 {
			base, head = append(base, "old"), append(head, "new")
		}
	}
	b, h := strings.Join(base, " "), strings.Join(head, " ")
	d := Words(b, h)
	if err := check(b, h, d); err != nil {
		t.Fatal(err)
	}
	own := slices.DeleteFunc(slices.Clone(d.Head), func(p Piece) bool { return !p.Changed })
	if len(own) != 40 || own[0].Text != "new" {
		t.Errorf("Words finds %d differences, the first %q; want 40, the first \"new\"", len(own), own[0].Text)
	}
}

func TestTextsWithTooManyDifferencesAreCut(t *testing.T) {
	for words, want := range map[int]bool{wordDifferences / 2: false, wordDifferences/2 + 1: true} {
		base, head := strings.Repeat("a same ", words), strings.Repeat("b same ", words)
		if got := Words(base, head).Cut; got != want {
			t.Errorf("%d words replaced: Cut = %v, want %v", words, got, want)
		}
	}
}

// A long answer that repeats a few words must not cost a table of all pairs. No time is asserted; a table of 14
// milliard pairs ends with the test's own limit.
func TestTimeIsBoundedWhereNothingStandsOnce(t *testing.T) {
	b, h := strings.Repeat("no yes ", 60_000), strings.Repeat("yes maybe no ", 40_000)
	d := Words(b, h)
	if err := check(b, h, d); err != nil {
		t.Fatal(err)
	}
}

func FuzzWords(f *testing.F) {
	f.Add("a b c", "a x c")
	f.Add("漢字", "漢")
	f.Fuzz(func(t *testing.T, base, head string) {
		if err := check(base, head, Words(base, head)); err != nil {
			t.Error(err)
		}
	})
}

func BenchmarkWords(b *testing.B) {
	base := strings.Repeat("Refunds over 500 EUR need a manager's decision. ", 40)
	head := strings.ReplaceAll(base, "manager", "team lead")
	for b.Loop() {
		Words(base, head)
	}
}
