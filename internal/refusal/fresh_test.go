package refusal

import (
	"slices"
	"testing"

	"github.com/failproof/failproof/internal/answer"
)

// Each fresh set was written before its writer had looked at what the rules make of it, in the manner of many models,
// and scored once; those first figures stand in docs/accuracy.md. Then its mistakes were read, so what it comes to now
// says no more than that nothing was lost. notLearntFrom are the sets whose mistakes nobody who writes the rules reads,
// so that their figures keep their meaning.
var notLearntFrom = []string{"fresh-sixteen", "fresh-seventeen", "fresh-twentytwo"}

func TestFreshSets(t *testing.T) {
	t.Parallel()
	d := New(nil)
	for _, set := range []struct {
		name string
		f1   float64
	}{{"fresh-one", 0.94}, {"fresh-two", 0.94}, {"fresh-three", 0.84}, {"fresh-four", 0.96}, {"fresh-five", 0.96}, {"fresh-six", 0.93},
		{"fresh-seven", 0.8}, {"fresh-eight", 0.93}, {"fresh-nine", 0.77}, {"fresh-ten", 0.82}, {"fresh-eleven", 0.85}, {"fresh-twelve", 0.46},
		{"fresh-thirteen", 0.33}, {"fresh-fourteen", 0.37}, {"fresh-fifteen", 0.66}, {"fresh-sixteen", 0.89}, {"fresh-seventeen", 0.86}, {"fresh-eighteen", 0.94}, {"fresh-nineteen", 0.89}, {"fresh-twenty", 0.83}, {"fresh-twentyone", 0.84}, {"fresh-twentytwo", 0.74}, {"fresh-twentythree", 0.56}, {"fresh-twentyfour", 0.9}, {"fresh-twentyfive", 0.73}} {
		var c tally
		for kind, want := range map[string]bool{"refusals": true, "answers": false} {
			for _, text := range readCorpus(t, set.name+"-"+kind+".txt") {
				m, got := d.Find(answer.RemoveHidden(answer.UnwrapJSON(text))) // as an answer is read
				c.add(want, got)
				if got != want && !slices.Contains(notLearntFrom, set.name) {
					t.Logf("Find(%.150q) = %v by %q (%q), want %v", text, got, m.Rule, m.Evidence, want)
				}
			}
		}
		t.Logf("%s: %v", set.name, c)
		if c.f1() < set.f1 {
			t.Errorf("F1 on %s = %.4f, want at least %.2f", set.name, c.f1(), set.f1)
		}
	}
}

// Answers that speak as refusals do and are none, most of them of a person: what a rule costs that reads too freely.
func TestNearMissesAreAnswers(t *testing.T) {
	d := New(nil)
	for _, set := range []struct {
		file string
		most int
	}{{"near-misses.txt", 1}, {"near-misses-two.txt", 1}, {"near-misses-three.txt", 2}, {"near-misses-four.txt", 8}, {"near-misses-five.txt", 0}} {
		wrong, all := 0, readCorpus(t, set.file)
		for _, text := range all {
			if m, ok := d.Find(text); ok {
				wrong++
				t.Logf("Find(%.150q) by %q (%q), want none", text, m.Rule, m.Evidence)
			}
		}
		t.Logf("%s called a refusal: %d of %d", set.file, wrong, len(all))
		if wrong > set.most {
			t.Errorf("%d of %d of %s are called a refusal, want at most %d", wrong, len(all), set.file, set.most)
		}
	}
}
