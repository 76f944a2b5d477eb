package english

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/texttest"
)

func TestATextIsCutIntoPhrases(t *testing.T) {
	for _, c := range []struct {
		rule, text string
		want       []string // "+" before one that goes on with the one before, "^" before one that has a line above it
	}{
		{"an and behind a statement", "Plants take up water and emit oxygen.", []string{"Plants take up water", "and emit oxygen"}},
		{"an and within a subject", "Plants and fungi need water.", []string{"Plants and fungi need water"}},
		{"a pronoun", "The ship was old. It sank at noon.", []string{"The ship was old", "+It sank at noon"}},
		{"a condition", "The ship sinks if the hull breaks.", []string{"The ship sinks", "+if the hull breaks"}},
		{"a date with a comma", "The ship, built on May 4, 1915, sank.", []string{"The ship", "+built on May 4, 1915", "+sank"}},
		{"the lines under a heading", "# Ships\n- sink\n- swim", []string{"Ships", "^sink", "^swim"}},
		{"the rows of a table", "| Ship | Year |\n|---|---|\n| Vasa | 1628 |", []string{"Ship", "+Year", "^Vasa", "^+1628"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			p := Parse(c.text)
			var got []string
			for _, x := range p.Phrases() {
				text := p.Source[p.Words[x.First].Start:p.Words[x.Last-1].End]
				if x.Continues {
					text = "+" + text
				}
				if x.Lead.Last > x.Lead.First {
					text = "^" + text
				}
				got = append(got, text)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q: %q, want %q", c.text, got, c.want)
			}
		})
	}
}

// TestPhrasesShareOutTheWords: every word stands in one phrase, and a line stands under one before it.
func TestPhrasesShareOutTheWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := texttest.Text(rapid.Uint64().Draw(t, "text"))
		p, next := Parse(text), 0
		for i, x := range p.Phrases() {
			if x.First != next || x.Last <= x.First || x.Lead.Last > x.First {
				t.Fatalf("phrase %d of %q is %+v", i, text, x)
			}
			next = x.Last
		}
		if next != len(p.Words) {
			t.Fatalf("the phrases of %q end at word %d of %d", text, next, len(p.Words))
		}
	})
}
