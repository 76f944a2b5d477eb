package bisect

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/report"
)

const longLine = "You are a helpful agent of the shop. Answer in one sentence. Never promise a date! Ask for the number of the order; without it say nothing. Be kind to everybody who writes.\n"

func TestCompare(t *testing.T) {
	for _, c := range []struct{ rule, base, head, want string }{
		{"equal texts have no hunk", "a\nb\n", "a\nb\n", ""},
		{"lines next to each other are one hunk", "a\nb\nc\nd\n", "a\nx\ny\nd\n", "2-3 for 2-3"},
		{"lines that came", "a\nd\n", "a\nb\nc\nd\n", "2-3 for 2-1"},
		{"lines that went stood before a line", "a\nb\nc\nd\n", "a\nd\n", "2-1 for 2-3"},
		{"two places are two hunks", "a\nb\nc\n", "x\nb\ny\n", "1-1 for 1-1, 3-3 for 3-3"},
		{"a sentence of a long line", "q\n" + longLine, "q\n" + strings.Replace(longLine, "one", "two", 1), "2-2 for 2-2"},
		{"two sentences of a long line are two hunks", longLine, strings.NewReplacer("one", "two", "kind", "rude").Replace(longLine), "1-1 for 1-1, 1-1 for 1-1"},
		{"a sentence that went out of a long line touches the line", longLine, strings.Replace(longLine, "Never promise a date! ", "", 1), "1-1 for 1-1"},
		{"the first sentence too", longLine, strings.Replace(longLine, "You are a helpful agent of the shop. ", "", 1), "1-1 for 1-1"},
		{"a sentence that came in front of a long line", longLine, "Hello. " + longLine, "1-1 for 1-1"},
		{"a long line that went stood before a line", "q\n" + longLine + "r\n", "q\nr\n", "2-1 for 2-2"},
		{"a last line without an end", "a\nb", "a\nc", "2-2 for 2-2"},
		{"a last line without an end that went", "a\nb", "a\n", "2-1 for 2-2"},
		{"a last line that got an end and another line", "a\nb", "a\nb\nc\n", "2-3 for 2-2"},
		{"everything went", "a\nb\n", "", "1-0 for 1-2"},
		{"line ends of another system are none", "a\r\nb\r\n", "a\nb\n", ""},
		{"nothing before", "", "a\nb\n", "1-2 for 1-0"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var got []string
			for _, h := range NewChange([]Text{{"p", c.base, c.head}}, MaxHunks).Hunks {
				r := h.Regions[0]
				got = append(got, fmt.Sprintf("%d-%d for %d-%d", r.First, r.Last, r.BaseFirst, r.BaseLast))
			}
			if text := strings.Join(got, ", "); text != c.want {
				t.Errorf("Compare = %q, want %q", text, c.want)
			}
		})
	}
}

func TestBeyondTheMostTheNearestHunksAreJoinedAndFilesLast(t *testing.T) {
	one := Text{"a.md", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "x\n2\nx\n4\n5\n6\nx\n8\n9\n"}
	two := Text{"b.md", "1\n", "x\n"}
	c := NewChange([]Text{one, two}, 3)
	want := []report.Hunk{
		{Regions: []report.Region{{Path: "a.md", First: 1, Last: 3, BaseFirst: 1, BaseLast: 3}}},
		{Regions: []report.Region{{Path: "a.md", First: 7, Last: 7, BaseFirst: 7, BaseLast: 7}}},
		{Regions: []report.Region{{Path: "b.md", First: 1, Last: 1, BaseFirst: 1, BaseLast: 1}}},
	}
	if fmt.Sprint(c.Hunks) != fmt.Sprint(want) {
		t.Fatalf("hunks %v, want %v", c.Hunks, want)
	}
	if got, want := c.Texts(func(h int) bool { return h == 0 })["a.md"], "x\n2\nx\n4\n5\n6\n7\n8\n9\n"; got != want {
		t.Errorf("with the first hunk alone %q, want %q", got, want)
	}
	whole := []report.Hunk{{Regions: []report.Region{{Path: "a.md", First: 1, Last: 7, BaseFirst: 1, BaseLast: 7},
		{Path: "b.md", First: 1, Last: 1, BaseFirst: 1, BaseLast: 1}}}}
	if got := c.Joined(1).Hunks; fmt.Sprint(got) != fmt.Sprint(whole) {
		t.Errorf("all as one are %v", got)
	}
}

func TestAHunkThatIsLeftOutStaysInForce(t *testing.T) {
	c := NewChange([]Text{{"a.md", "1\n2\n3\n4\n5\n", "x\n2\ny\n4\n"}}, MaxHunks).Only(func(h int) bool { return h == 1 })
	none := func(int) bool { return false }
	if got, want := c.Texts(none)["a.md"], "x\n2\n3\n4\n"; got != want || len(c.Hunks) != 1 || c.Hunks[0].Regions[0].First != 3 {
		t.Errorf("taken back %q, want %q; hunks %v", got, want, c.Hunks)
	}
}

// The base's lines are those of its file, whatever stays in force.
func TestAHunkThatIsLeftOutMovesNoLine(t *testing.T) {
	c := NewChange([]Text{{"a.md", "1\n2\n3\n4\n5\n", "x\ny\nz\n2\n3\nw\n5\n"}}, MaxHunks).Only(func(h int) bool { return h == 1 })
	if r := c.Hunks[0].Regions[0]; r.First != 6 || r.Last != 6 || r.BaseFirst != 4 || r.BaseLast != 4 {
		t.Errorf("%+v, want line 6 for line 4", r)
	}
}

func TestAHunkThatIsLeftOutBetweenJoinedOnesGoesWithThem(t *testing.T) {
	c := NewChange([]Text{{"a.md", "1\n2\n3\n4\n5\n", "x\n2\ny\n4\nz\n"}}, MaxHunks).Only(func(h int) bool { return h != 1 }).Joined(1)
	if got, want := c.Texts(func(int) bool { return false })["a.md"], "1\n2\n3\n4\n5\n"; got != want || len(c.Hunks) != 1 {
		t.Errorf("taken back %q, want %q; hunks %v", got, want, c.Hunks)
	}
}

func TestAllHunksMakeTheHeadAndNoneTheBase(t *testing.T) {
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "\n", longLine, "Sentence one. ", "c"}), 0, 12).Draw(t, "parts"), "")
	})
	rapid.Check(t, func(t *rapid.T) {
		var texts []Text
		for i := range rapid.IntRange(1, 3).Draw(t, "files") {
			texts = append(texts, Text{fmt.Sprint(i), text.Draw(t, "base"), text.Draw(t, "head")})
		}
		most := rapid.IntRange(1, MaxHunks).Draw(t, "most")
		c := NewChange(texts, most)
		if len(c.Hunks) > most {
			t.Fatalf("%d hunks, at most %d", len(c.Hunks), most)
		}
		for _, one := range texts {
			if got := c.Texts(func(int) bool { return true })[one.Path]; got != one.Head {
				t.Fatalf("all hunks make %q of %q", got, one.Head)
			}
			if got := c.Texts(func(int) bool { return false })[one.Path]; got != one.Base {
				t.Fatalf("no hunk makes %q of %q", got, one.Base)
			}
		}
		for i, h := range c.Hunks {
			if len(h.Regions) == 0 {
				t.Fatalf("hunk %d is nowhere", i)
			}
		}
	})
}

func TestItIsAskedOnceOfEachHunkWhetherToKeepIt(t *testing.T) {
	asked := 0
	NewChange([]Text{{"a.md", "1\n2\n3\n4\n", "x\ny\nz\n4\nv\nw\n"}}, MaxHunks).Only(func(int) bool { asked++; return true })
	if asked != 2 {
		t.Errorf("asked %d times of 2 hunks", asked)
	}
}

func TestAHunkThatIsAPartOfALineHasItsWords(t *testing.T) {
	line := func(sentences string) string {
		return "One.\n" + sentences + " " + strings.Repeat("Some more words that stay. ", 20) + "\n"
	}
	for _, c := range []struct{ rule, base, head, want string }{
		{"a sentence came", line("First."), line("First. Be kind."), `2-2 8 "Be kind. " false`},
		{"a sentence was taken out", line("First. Be kind."), line("First."), `2-2 8 "Be kind. " true`},
		{"a sentence changed", line("First. Be kind."), line("First. Be curt."), `2-2 8 "Be curt. " false`},
		{"characters are counted, not bytes", line("Ü. Be kind."), line("Ü. Be curt."), `2-2 4 "Be curt. " false`},
		{"a whole line", "One.\nTwo.\n", "One.\nThree.\n", `2-2 0 "" false`},
		{"the last line, which has no end", "One.\nTwo.", "One.\nThree.", `2-2 0 "" false`},
		{"all of it", "One.", "Two.", `1-1 0 "" false`},
		{"a line was taken out", "One.\nTwo.\nThree.\n", "One.\nThree.\n", `2-1 0 "Two." true`},
		{"a long line was taken out", "One.\n" + longLine + "Three.\n", "One.\nThree.\n", fmt.Sprintf("2-1 0 %q true", strings.TrimSuffix(longLine, "\n"))},
		{"the last line, which has no end, was taken out", "One.\nTwo.", "One.\n", `2-1 0 "Two." true`},
		{"an empty line was taken out", "One.\n\nThree.\n", "One.\nThree.\n", `2-1 0 "" false`},
		{"lines were taken out", "One.\nTwo.\nThree.\n", "Three.\n", `1-0 0 "" false`},
	} {
		change := NewChange([]Text{{"a.md", c.base, c.head}}, 9)
		if len(change.Hunks) != 1 || len(change.Hunks[0].Regions) != 1 {
			t.Errorf("%s: hunks %v", c.rule, change.Hunks)
			continue
		}
		r := change.Hunks[0].Regions[0]
		if got := fmt.Sprintf("%d-%d %d %q %t", r.First, r.Last, r.Column, r.Words, r.Removed); got != c.want {
			t.Errorf("%s: %s, want %s", c.rule, got, c.want)
		}
	}
}

func TestJoinedHunksHaveNoWords(t *testing.T) {
	stays := " " + strings.Repeat("Some more words that stay. ", 20)
	one := Text{"a.md", "First." + stays + "Last.\n", "Be kind." + stays + "Be curt.\n"}
	two := Text{"b.md", "First." + stays + "\n", "Be kind." + stays + "\n"}
	for _, texts := range [][]Text{{one}, {one, two}} {
		for _, r := range NewChange(texts, 1).Hunks[0].Regions {
			if r.Words != "" || r.Column != 0 {
				t.Errorf("%d files: %q at %d", len(texts), r.Words, r.Column)
			}
		}
	}
}
