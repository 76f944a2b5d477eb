package text_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/text"
)

func TestNamesAreUnique(t *testing.T) {
	for _, c := range []struct {
		fold        bool
		names, want string
	}{
		{false, "a a A a", "a a-2 A a-3"},
		{true, "a A a b", "a A-2 a-3 b"},
		{false, "a-2 a a a", "a-2 a a-3 a-4"},
		{false, "a a a-2 a-2 a", "a a-2 a-2-2 a-2-3 a-3"},
	} {
		names, got := text.Names{Fold: c.fold}, []string{}
		for name := range strings.FieldsSeq(c.names) {
			got = append(got, names.Free(name, func(i int) string { return fmt.Sprintf("%s-%d", name, i) }))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s become %v, want %s", c.names, got, c.want)
		}
	}
}

// A search from 2 on for each of them would take minutes.
func TestManyEqualNamesAreNumberedOnce(t *testing.T) {
	names, calls := text.Names{}, 0
	for range 100_000 {
		names.Free("a", func(i int) string { calls++; return fmt.Sprint("a-", i) })
	}
	if calls != 99_999 {
		t.Errorf("%d names are tried", calls)
	}
}
