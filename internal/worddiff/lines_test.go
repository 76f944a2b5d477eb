package worddiff

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLines(t *testing.T) {
	for _, c := range []struct{ rule, base, head, want string }{
		{"equal texts", "a\nb\n", "a\nb\n", "=a =b"},
		{"a line that changed stands in both forms, the base's first", "a\nb\nc", "a\nx\nc", "=a -b +x =c"},
		{"a line that went", "a\nb\nc\n", "a\nc\n", "=a -b =c"},
		{"a line that came at the end", "a", "a\nb", "=a +b"},
		{"line ends of another system are none", "a\r\nb", "a\nb", "=a =b"},
		{"nothing before", "", "a", "+a"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var got []string
			for _, l := range Lines(c.base, c.head) {
				sign := map[[2]bool]string{{true, true}: "=", {true, false}: "-", {false, true}: "+"}[[2]bool{l.Base, l.Head}]
				got = append(got, sign+l.Text)
			}
			if text := strings.Join(got, " "); text != c.want {
				t.Errorf("Lines = %s, want %s", text, c.want)
			}
		})
	}
}

func TestTheLinesOfEachSideAreThatText(t *testing.T) {
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", ""}), 1, 12).Draw(t, "lines"), "\n") + "."
	})
	rapid.Check(t, func(t *rapid.T) {
		base, head := text.Draw(t, "base"), text.Draw(t, "head")
		var a, b []string
		for _, l := range Lines(base, head) {
			if l.Base {
				a = append(a, l.Text)
			}
			if l.Head {
				b = append(b, l.Text)
			}
		}
		if strings.Join(a, "\n") != base || strings.Join(b, "\n") != head {
			t.Fatalf("%q and %q come back as %q and %q", base, head, a, b)
		}
	})
}
