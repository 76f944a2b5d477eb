package show_test

import (
	"math"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
)

func TestNumbers(t *testing.T) {
	plain := func(text string) string { return strings.ReplaceAll(text, show.NoBreakSpace, " ") }
	cases := []struct{ rule, got, want string }{
		{"a score has one digit", show.Percent(0.8744), "87.4%"},
		{"a score that is no number", show.Percent(math.NaN()), "–"},
		{"a score that is not all has as many digits as show that", show.Percent(0.9996), "99.96%"},
		{"so has one that is not nothing", show.Percent(0.0004), "0.04%"},
		{"all is all", show.Percent(1), "100%"},
		{"what adding up leaves over is not", show.Percent(1 - 1e-13), "100%"},
		{"a bar is shown as it was set", show.Threshold(rendertest.Ptr(0.8999999)), "89.99999%"},
		{"a bar of thirds and the like has no digits of its own", show.Threshold(rendertest.Ptr(0.57)), "57%"},
		{"a difference that is not all", show.Points(-0.9996), "−99.96" + show.NoBreakSpace + "points"},
		{"nor none", show.Points(0.0000004), "+0.00004" + show.NoBreakSpace + "points"},
		{"a bar has no idle digits", show.Threshold(rendertest.Ptr(0.9)), "90%"},
		{"a bar keeps its digits", show.Threshold(rendertest.Ptr(0.8755)), "87.55%"},
		{"a bar of nothing", show.Threshold(rendertest.Ptr(0.0)), "0%"},
		{"no bar", show.Threshold(nil), "–"},
		{"a missed bar is told from the score", show.PercentAgainst(rendertest.Ptr(0.89996), rendertest.Ptr(0.9)), "89.996%"},
		{"a met bar needs no more digits", show.PercentAgainst(rendertest.Ptr(0.9), rendertest.Ptr(0.9)), "90%"},
		{"each of two missed bars is told from it", show.PercentAgainst(rendertest.Ptr(0.84951), nil, rendertest.Ptr(0.85)), "84.95%"},
		{"no score", show.PercentAgainst(nil, rendertest.Ptr(0.9)), "–"},
		{"a rise has a sign", plain(show.Points(0.011)), "+1.1 points"},
		{"a fall has a sign", plain(show.Points(-0.041)), "−4.1 points"},
		{"a tiny fall is not nothing", plain(show.Points(-0.00004)), "−0.004 points"},
		{"no move is neither", plain(show.Points(0)), "±0.0 points"},
		{"thousands are grouped", show.Count(1_234_567, "case"), "1,234,567 cases"},
		{"one is singular", show.Count(1, "case"), "1 case"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			if c.got != c.want {
				t.Errorf("got %q, want %q", c.got, c.want)
			}
		})
	}
}
