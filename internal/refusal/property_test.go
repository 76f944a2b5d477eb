package refusal

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var (
	plainRefusals = []string{"I can't help with that", "I'm sorry, but I can't assist with that", "I will not provide this information", "I'm unable to answer this question", "I must decline"}
	plainAnswers  = []string{"The capital of France is Paris.", "Water boils at 100 °C at sea level.", "The refund is due within 14 days.", "Use a map and a compass.", "Option B is the larger one."}
)

// TestARefusalThatIsQuotedIsNone: what somebody else is quoted to say refuses nothing, wherever it stands.
func TestARefusalThatIsQuotedIsNone(t *testing.T) {
	d := New(nil)
	marks := [][2]string{{`"`, `"`}, {"“", "”"}, {"„", "“"}, {"«", "»"}, {"「", "」"}, {"＂", "＂"}, {"❝", "❞"}, {"`", "`"}}
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.SampledFrom(marks).Draw(t, "marks")
		quote := rapid.SampledFrom([]string{"The clerk said: ", "Its reply was ", "They wrote ", "A bot may say "}).Draw(t, "speaker") + m[0] + rapid.SampledFrom(plainRefusals).Draw(t, "words") + "." + m[1]
		answer := rapid.SampledFrom(plainAnswers).Draw(t, "answer")
		gap := rapid.SampledFrom([]string{" ", "\n", "\n\n"}).Draw(t, "gap")
		for _, text := range []string{answer + gap + quote, quote + gap + answer, quote} {
			if got, ok := d.Find(text); ok {
				t.Fatalf("Find(%q) = %q by %s, want none", text, got.Evidence, got.Rule)
			}
		}
	})
}

// TestTypographyRefusesNothingAndHidesNothing: the same words refuse or do not, however their marks are typed.
func TestTypographyRefusesNothingAndHidesNothing(t *testing.T) {
	d := New(nil)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(append(append([]string(nil), plainRefusals...), plainAnswers...)).Draw(t, "text")
		_, want := d.Find(text)
		apostrophe := rapid.SampledFrom([]string{"'", "’", "ʼ", "＇", "‛", "`"}).Draw(t, "apostrophe")
		space := rapid.SampledFrom([]string{" ", "\u00a0", "  ", " \u200b", "\t"}).Draw(t, "space")
		bold := rapid.SampledFrom([]string{"", "**", "_", "~~", "# "}).Draw(t, "bold")
		again := bold + strings.NewReplacer("'", apostrophe, " ", space).Replace(text) + strings.TrimSpace(strings.Trim(bold, "#"))
		if got, ok := d.Find(again); ok != want {
			t.Fatalf("Find(%q) = %v (%q), and %v of %q", again, ok, got.Evidence, want, text)
		}
	})
}
