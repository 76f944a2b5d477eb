package noise_test

import (
	"math"
	"testing"
)

// The figures are those of the binomial distribution: with alpha 0.01 and two looks, 8 of 8 against at most 2 of 8
// prove a case alone.
func TestTheChanceToFindABrokenCase(t *testing.T) {
	alone, pooled := defaults(), pooledSettings()
	two, three, none := defaults(), defaults(), defaults()
	two.Trials, three.Trials, none.Confirm = 2, 3, 0
	for _, c := range []struct {
		rule  string
		found float64
		want  float64
	}{
		{"broken for good", alone.DetectionChance(1), 1},
		{"fails in 60 of 100 answers", alone.DetectionChance(0.6), 0.6 * 0.3154},
		{"the same with pooled tests, which leave a single case its level", pooled.DetectionChance(0.6), 0.6 * 0.3154},
		{"of two first answers one has to be wrong", two.DetectionChance(0.6), 0.84 * 0.3154},
		{"of three first answers two have to be wrong", three.DetectionChance(0.6), 0.648 * 0.3154},
		{"never fails", alone.DetectionChance(0), 0},
		{"nothing is asked again", none.DetectionChance(1), 0},
	} {
		if math.Abs(c.found-c.want) > 1e-4 {
			t.Errorf("%s: %.4f, want %.4f", c.rule, c.found, c.want)
		}
	}
}
