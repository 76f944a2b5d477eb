package english

import (
	"maps"
	"slices"
	"testing"
)

func TestListsOfWords(t *testing.T) {
	l := ReadLists("# Colors.\nshades: dark light\ncolors: red $shades $sizes\n  -light -\nrows: 1 one, 2 two\n  zwei\n",
		ReadLists("sizes: big\n", Lists{}))
	if got, want := slices.Sorted(maps.Keys(l.Set("colors"))), []string{"-", "big", "dark", "red"}; !slices.Equal(got, want) {
		t.Errorf("colors: %v, want %v", got, want)
	}
	if got, want := l.Rows("rows"), [][]string{{"1", "one"}, {"2", "two", "zwei"}}; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("rows: %v, want %v", got, want)
	}
}

// The name of a list that is misspelled ends the program when it starts; no list is silently empty.
func TestAMisspelledListIsAPanic(t *testing.T) {
	for name, read := range map[string]func(){
		"a list within a list": func() { ReadLists("colors: red $shades\n", nil).Set("colors") },
		"a list for code":      func() { WordLists.Set("shades") },
		"rows for code":        func() { WordLists.Rows("shades") },
		"a number":             func() { float("one") },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			read()
		})
	}
}
