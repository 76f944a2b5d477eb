package score_test

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/score"
)

func TestFigures(t *testing.T) {
	for _, c := range []struct {
		rule         string
		value, limit float64
		v, l         string
	}{
		{"three decimals say enough", 0.8741, 0.9, "0.874", "0.900"},
		{"a limit is told as it was set", 0.5, 0.89999, "0.500", "0.89999"},
		{"a value stays on its side of it", 0.899985, 0.89999, "0.899985", "0.89999"},
		{"from above too", 0.10004, 0.1, "0.10004", "0.100"},
		{"what is no 1 does not look like one", 0.9996, 1, "0.9996", "1.000"},
		{"and what is no 0 not like that", 0.0004, 0.5, "0.0004", "0.500"},
		{"a 0 is one", 0, 0.5, "0.000", "0.500"},
		{"what adding up leaves over is no difference", 1 - 1e-12, 0.5, "1.000", "0.500"},
		{"a limit that is no number is told", 0.5, math.NaN(), "0.500", "NaN"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if v, l := score.FormatWithLimit(c.value, c.limit); v != c.v || l != c.l {
				t.Errorf("Figures(%v, %v) = %s, %s; want %s, %s", c.value, c.limit, v, l, c.v, c.l)
			}
		})
	}
}

func TestAFigureNeverCrossesItsLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value, limit := rapid.Float64Range(0, 1).Draw(t, "value"), float64(rapid.IntRange(0, 100000).Draw(t, "limit"))/100000
		if math.Abs(value-limit) < 1e-9 {
			t.Skip("equal")
		}
		text, told := score.FormatWithLimit(value, limit)
		shown, err1 := strconv.ParseFloat(text, 64)
		bar, err2 := strconv.ParseFloat(told, 64)
		if err1 != nil || err2 != nil || bar != limit || (shown < bar) != (value < limit) || (shown == 1) != (math.Abs(value-1) < 1e-9) || (shown == 0) != (value < 1e-9) {
			t.Errorf("Figures(%v, %v) = %s, %s", value, limit, text, told)
		}
	})
}
