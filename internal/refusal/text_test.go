package refusal

import (
	"testing"

	"github.com/failproof/failproof/internal/texttest"
)

func TestEveryOddTextIsReadAndWhatIsFoundStandsInIt(t *testing.T) {
	d := New(nil)
	for seed := range uint64(3000) {
		text := texttest.Text(seed)
		m, ok := d.Find(text)
		if ok && (m.Start < 0 || m.Start >= m.End || m.End > len(text) || text[m.Start:m.End] != m.Evidence) {
			t.Fatalf("Find(%q) = %+v, which is not within the text", text, m)
		}
	}
}
