package gate_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

func TestCasesThatGotWorseTogether(t *testing.T) {
	const worse = "2 cases were asked again: 16 of 16 answers were right before, 8 now; none of them is proven alone, all together are: 1 in 676 if nothing changed"
	pooled := func(edit func(*config.Gate)) config.Gate {
		g := comparetest.NoisyGate()
		g.Pooled = config.PooledOn
		if edit != nil {
			edit(&g)
		}
		return g
	}
	set := func(s config.Setting) config.Gate {
		return pooled(func(g *config.Gate) { g.Settings[config.MaxRegressions] = s })
	}
	half := "pass/fail pass/pass pass/fail pass/pass pass/fail pass/pass pass/fail pass/pass"
	for _, c := range []struct {
		rule    string
		gate    config.Gate
		flips   int
		answers string
		verdict report.Verdict
		want    []string
	}{
		{"none is proven alone", pooled(nil), 2, half, report.Failed, []string{"error: " + worse}},
		{"one of them may regress", set(comparetest.ErrorAt(1)), 2, half, report.Passed, nil},
		{"max_regressions warns", set(comparetest.WarnAt(0)), 2, half, report.Passed, []string{"warn: " + worse}},
		{"pooled is off", comparetest.NoisyGate(), 2, half, report.Passed, nil},
		{"a case alone has nothing to be pooled with", pooled(nil), 1, half, report.Passed, nil},
		{"more than a tenth of the cases flipped", pooled(nil), 4, half, report.Passed, nil},
		{"each is proven alone", pooled(nil), 2, "pass/fail", report.Failed, nil},
		{"chance explains it", pooled(nil), 2, "pass/fail pass/pass", report.Passed, nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			lines := append(comparetest.CaseLines("a", "pass pass", 24), comparetest.CaseLines("x", "pass fail", c.flips)...)
			verdict, reasons := settle(t, c.gate, lines, comparetest.RerunLines("x", c.answers, c.flips)...)
			var got []string
			for _, reason := range reasons {
				if level, message, ok := strings.Cut(reason, " pooled_regression: "); ok {
					got = append(got, level+": "+message)
				}
			}
			if verdict != c.verdict || !slices.Equal(got, c.want) {
				t.Errorf("verdict %s, want %s: %v", verdict, c.verdict, reasons)
			}
		})
	}
}
