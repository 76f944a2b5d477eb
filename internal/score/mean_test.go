package score_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/score"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12 }

// TestMean has the weighted means of suites, of which a run score is one.
func TestMean(t *testing.T) {
	for _, c := range []struct {
		rule   string
		suites [][2]float64 // score and weight
		want   float64
		ok     bool
	}{
		{"specification, example 2: 0.90 and 0.80 are 0.85", [][2]float64{{0.90, 1}, {0.80, 1}}, 0.85, true},
		{"specification, example 1: one suite is the run", [][2]float64{{0.70, 1}}, 0.70, true},
		{"weights weigh", [][2]float64{{1, 3}, {0, 1}}, 0.75, true},
		{"a suite of weight 0 never enters", [][2]float64{{0, 0}, {1, 1}}, 1, true},
		{"weights of 0 alone are no score", [][2]float64{{1, 0}}, 0, false},
		{"no suite is no score", nil, 0, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var m score.Mean
			for _, s := range c.suites {
				m.Add(s[0], s[1])
			}
			if got, ok := m.Value(); !near(got, c.want) || ok != c.ok {
				t.Errorf("the mean of %v = %v, %v; want %v, %v", c.suites, got, ok, c.want, c.ok)
			}
		})
	}
}

func TestMeets(t *testing.T) {
	for _, c := range []struct {
		rule       string
		score, bar float64
		want       bool
	}{
		{"0.1+0.2 meets 0.3", 0.1 + 0.2, 0.3, true},
		{"a hair below, from adding up, still meets", 0.85 - 1e-12, 0.85, true},
		{"below is below", 0.8499, 0.85, false},
		{"NaN meets nothing", math.NaN(), 0, false},
		{"nothing meets NaN", 1, math.NaN(), false},
		{"a bar of 0 is met by 0", 0, 0, true},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := score.Meets(c.score, c.bar); got != c.want {
				t.Errorf("Meets(%v, %v) = %v, want %v", c.score, c.bar, got, c.want)
			}
		})
	}
}

func TestOverall(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		rule    string
		metrics []score.Metric
		want    float64
		warn    string
	}{
		{"the weighted mean is not rounded", []score.Metric{{Value: 1, Weight: 1}, {Value: 0, Weight: 0.8}}, 1 / 1.8, ""},
		{"weight 0 never enters", []score.Metric{{Value: 1, Weight: 1}, {Value: 0, Weight: 0}}, 1, ""},
		{"weight 0 keeps even NaN out", []score.Metric{{Value: 1, Weight: 1}, {Value: nan, Weight: 0}}, 1, ""},
		{"weights of 0 alone are 0 with a warning", []score.Metric{{Value: 1, Weight: 0}}, 0, score.WarnNoWeight},
		{"no metric is 0 with a warning", nil, 0, score.WarnNoWeight},
		{"three metrics of benchmark B1", []score.Metric{{Value: 1, Weight: 1}, {Value: 0.5, Weight: 0.8}, {Value: 0.7, Weight: 1}}, 2.1 / 2.8, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got, warn := score.Overall(c.metrics)
			if !near(got, c.want) || warn != c.warn {
				t.Errorf("Overall(%v) = %v, %q; want %v, %q", c.metrics, got, warn, c.want, c.warn)
			}
		})
	}
}

func TestOverallIsNaNWhenAMetricIs(t *testing.T) {
	if got, _ := score.Overall([]score.Metric{{Value: math.NaN(), Weight: 1}}); score.Meets(got, 0) {
		t.Errorf("an overall score of %v meets a bar", got)
	}
}

func TestMeansStayBetweenTheirValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		var m score.Mean
		low, high := 1.0, 0.0
		for range n {
			value := rapid.Float64Range(0, 1).Draw(t, "score")
			low, high = min(low, value), max(high, value)
			m.Add(value, rapid.Float64Range(0.01, 100).Draw(t, "weight"))
		}
		if got, ok := m.Value(); !ok || got < low-1e-9 || got > high+1e-9 {
			t.Errorf("the mean is %v, %v; want it in [%v, %v]", got, ok, low, high)
		}
	})
}
