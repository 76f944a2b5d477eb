package layout

import "testing"

func TestALongTextEndsWithAWholeWord(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"some words", 20, "some words"},
		{"some words", 10, "some words"},
		{"some words", 9, "some"},
		{"some\nwords more", 12, "some\nwords"},
		{"oneword", 3, "one"},
		{"", 3, ""},
	} {
		if got := firstWords(c.text, c.n); got != c.want {
			t.Errorf("the first %d bytes of %q are %q, want %q", c.n, c.text, got, c.want)
		}
	}
}
