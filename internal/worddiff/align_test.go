package worddiff

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// longest returns the length of a longest common subsequence.
func longest(base, head []string) int {
	before := make([]int, len(head)+1)
	for _, b := range base {
		now := make([]int, len(head)+1)
		for k, h := range head {
			if now[k+1] = max(before[k+1], now[k]); b == h {
				now[k+1] = before[k] + 1
			}
		}
		before = now
	}
	return before[len(head)]
}

func TestAsMuchAsPossibleIsCommon(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 0, 30)
		base, head, limit := list.Draw(t, "base"), list.Draw(t, "head"), rapid.IntRange(0, 60).Draw(t, "limit")
		var b, h []string
		common := 0
		runs, _ := align(base, head, limit)
		for i, r := range runs {
			if i > 0 && len(r.base)+len(r.head) == 0 {
				t.Fatalf("run %d has no difference", i)
			}
			b, h, common = slices.Concat(b, r.base, r.common), slices.Concat(h, r.head, r.common), common+len(r.common)
		}
		if !slices.Equal(b, base) || !slices.Equal(h, head) {
			t.Fatalf("%q and %q come back as %q and %q", base, head, b, h)
		}
		if want := longest(base, head); common != want && len(base)+len(head)-2*want <= limit {
			t.Fatalf("%d of %q and %q are common, want %d", common, base, head, want)
		}
	})
}

// Of lists with too many differences, the beginning and the common end are compared.
func TestBeyondTheMostDifferencesOnlyTheEndIsCommon(t *testing.T) {
	many := func(item string) []string { return slices.Repeat([]string{item}, 3*wordDifferences) }
	base := slices.Concat([]string{"a", "old", "b"}, many("x"), []string{"end"})
	head := slices.Concat([]string{"a", "new", "b"}, many("y"), []string{"end"})
	var common []string
	runs, _ := align(base, head, wordDifferences)
	for _, r := range runs {
		common = append(common, r.common...)
	}
	if got := strings.Join(common, " "); got != "a b end" {
		t.Errorf("%q is common, want the beginning and the end", got)
	}
}
