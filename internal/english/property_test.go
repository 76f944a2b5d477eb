package english

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/texttest"
)

// TestEveryTextIsCutIntoWordsInOrder: words stand in the text one after the other, clauses share them out, and
// sentences only go on.
func TestEveryTextIsCutIntoWordsInOrder(t *testing.T) {
	names := NewNames([]string{"A+", "C#", "<10", "Non-Compliant", "👍"})
	rapid.Check(t, func(t *rapid.T) {
		text := texttest.Text(rapid.Uint64().Draw(t, "text"))
		p := ParseWith(text, rapid.SampledFrom([]*Names{nil, names}).Draw(t, "names"))
		end := int32(0)
		for i, w := range p.Words {
			if w.Text == "" || w.Start < end || w.End < w.Start || int(w.End) > len(p.Source) {
				t.Fatalf("word %d of %q is %+v, behind one that ends at %d", i, text, w, end)
			}
			end = w.End
		}
		next, sentence := 0, int32(0)
		for i, c := range p.Clauses {
			if c.First != next || c.Last <= c.First || c.Sentence < sentence || c.negations < 0 {
				t.Fatalf("clause %d of %q is %+v", i, text, c)
			}
			next, sentence = c.Last, c.Sentence
		}
		if next != len(p.Words) {
			t.Fatalf("the clauses of %q end at word %d of %d", text, next, len(p.Words))
		}
	})
}

// TestASurfaceIsItsOwnSurface: what is written the plain way stays as it is.
func TestASurfaceIsItsOwnSurface(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := texttest.Text(rapid.Uint64().Draw(t, "text"))
		s := NewSurface(text)
		if len(s.Plain) != len(s.Lower) || len(s.Plain) != len(s.Flat) {
			t.Fatalf("the views of %q are %d, %d and %d bytes long", text, len(s.Plain), len(s.Lower), len(s.Flat))
		}
		for i, span := range Sentences(s.Lower) {
			if span.Start >= span.End || span.End > len(s.Lower) {
				t.Fatalf("sentence %d of %q is %+v", i, text, span)
			}
		}
	})
}
