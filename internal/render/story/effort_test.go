package story

import (
	"testing"

	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

func TestSlowerIsToldIfItIsMoreThanNoise(t *testing.T) {
	for _, c := range []struct {
		rule        string
		cases       int
		before, now int64
		want        string
	}{
		{"twice as slow", 5, 1000, 2100, "2.1 × slower"},
		{"a little slower", 5, 1000, 1200, ""},
		{"milliseconds", 5, 3, 12, ""},
		{"too few cases", 4, 1000, 2100, ""},
		{"faster", 5, 2100, 1000, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := rendertest.PassedRun()
			for range c.cases {
				one := rendertest.AddChange(r, report.StillPassing, "a", rendertest.PassOutcome("yes"), rendertest.PassOutcome("yes"))
				one.Base.LatencyMS, one.Head.LatencyMS = &c.before, &c.now
			}
			r.Effort = report.EffortsOf(r.Changes)
			slower, _ := effortIncrease(newStory(rendertest.SortChanges(r), show.Links{}))
			if got := slower.Plain(show.QuoteRunes); got != c.want {
				t.Errorf("slower = %q, want %q", got, c.want)
			}
		})
	}
}

func TestDearerIsToldIfItIsMoreThanAQuarter(t *testing.T) {
	for _, c := range []struct {
		rule        string
		cases       int
		before, now float64
		want        string
	}{
		{"dearer", 5, 0.001, 0.0017, "1.7 × dearer"},
		{"a little dearer", 5, 0.001, 0.00125, ""},
		{"without a price", 5, 0, 0.0017, ""},
		{"too few cases", 4, 0.001, 0.0017, ""},
		{"cheaper", 5, 0.0017, 0.001, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := rendertest.PassedRun()
			for range c.cases {
				one := rendertest.AddChange(r, report.StillPassing, "a", rendertest.PassOutcome("yes"), rendertest.PassOutcome("yes"))
				one.Base.CostUSD, one.Head.CostUSD = &c.before, &c.now
			}
			r.Effort = report.EffortsOf(r.Changes)
			_, dearer := effortIncrease(newStory(rendertest.SortChanges(r), show.Links{}))
			if got := dearer.Plain(show.QuoteRunes); got != c.want {
				t.Errorf("dearer = %q, want %q", got, c.want)
			}
		})
	}
}
