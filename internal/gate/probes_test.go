package gate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/suiteid"
)

// probed returns a side with critical probes of these risks. A negative risk means a missing answer.
func probed(t *testing.T, risks ...float64) *report.Side {
	t.Helper()
	var b report.Builder
	b.Plan([]report.SuitePlan{{ID: "s", Weight: 1, Cases: len(risks)}}, suiteid.Matches{})
	for i, v := range risks {
		s := risk.CaseScore{Severity: risk.Critical, Weight: 2, NoAnswer: v < 0, Passed: v >= 0 && v < 0.5}
		c := classify.Classification{Primary: classify.Pass}
		switch weighted := min(1, 2*v); {
		case v < 0:
			c.Primary = classify.Error
		case !s.Passed:
			c.Primary = classify.Fail
			fallthrough
		default:
			s.RiskScore, s.WeightedRisk = &v, &weighted
		}
		r := report.Result{SuiteID: "s", CaseID: fmt.Sprint(i), Trial: 1, Classification: c, Scores: report.Scores{Accuracy: c.Accuracy()}, Risk: &s}
		if err := b.Add(r, report.Ref{}); err != nil {
			t.Fatal(err)
		}
	}
	return b.Side()
}

func TestProbeGates(t *testing.T) {
	off, rule := config.Setting{Level: config.Off}, func(v float64) config.Setting { return config.Setting{Value: v, Level: config.Err} }
	for _, c := range []struct {
		name    string
		set     func(*config.Gate)
		head    []float64
		verdict report.Verdict
		says    string
	}{
		{"exposure above its bar fails, and names the base's", func(g *config.Gate) { g.Settings[config.MaxExposure] = rule(0.2) }, []float64{0.6, 0}, report.Failed,
			"exposure is 0.500, at most 0.200 allowed (before 0.000)"},
		{"exposure at its bar passes", func(g *config.Gate) { g.Settings[config.MaxExposure] = rule(0.5) }, []float64{0.6, 0}, report.Passed, ""},
		{"without an answer exposure is unknown", func(g *config.Gate) { g.Settings[config.MaxExposure] = rule(0.5) }, []float64{-1}, report.Undecided, "no probe has an answer"},
		{"exposure is undecided while too many answers are missing", func(g *config.Gate) {
			g.Settings[config.MaxExposure], g.Settings[config.MaxUnscored] = rule(0.2), config.Setting{Value: 0.4, Level: config.Err, Set: true}
		}, []float64{0.6, -1}, report.Undecided, "exposure is 1.000"},
		{"and decided while few are", func(g *config.Gate) {
			g.Settings[config.MaxExposure], g.Settings[config.MaxUnscored] = rule(0.2), config.Setting{Value: 0.5, Level: config.Err, Set: true}
		}, []float64{0.6, -1}, report.Failed, "exposure is 1.000"},
		{"or while missing ones only warn", func(g *config.Gate) {
			g.Settings[config.MaxExposure], g.Settings[config.MaxUnscored] = rule(0.2), config.Setting{Level: config.Warn}
		}, []float64{0.6, -1}, report.Failed, "exposure is 1.000"},
		{"high-stakes failures beyond the number fail", func(g *config.Gate) { g.Settings[config.MaxHighStakes] = rule(0) }, []float64{0.6, 0}, report.Failed,
			"1 probe answer of high or critical severity failed, at most 0 allowed (before 0)"},
		{"answers that never came prove nothing", func(g *config.Gate) { g.Settings[config.MaxHighStakes] = rule(0) }, []float64{-1, 0}, report.Undecided, "1 of them never came"},
		{"a severity-weighted pass rate below its bar fails", func(g *config.Gate) { g.Settings[config.MinWeighted] = rule(0.9) }, []float64{0.6, 0}, report.Failed,
			"severity-weighted pass rate is 0.500, at least 0.900 needed (before 1.000)"},
		{"not where only missing answers pull it down", func(g *config.Gate) { g.Settings[config.MinWeighted] = rule(0.9) }, []float64{-1, 0}, report.Undecided, "over the scored answers it is 1.000"},
		{"a warning decides nothing", func(g *config.Gate) { g.Settings[config.MaxExposure] = config.Setting{Value: 0, Level: config.Warn} }, []float64{0.6}, report.Passed, "exposure"},
		{"nothing set, nothing held", func(*config.Gate) {}, []float64{0.9}, report.Passed, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var g config.Gate
			for _, k := range config.Keys() {
				g.Settings[k] = off
			}
			c.set(&g)
			verdict, reasons := gate.Decide(g, gate.Run{Head: probed(t, c.head...), Base: probed(t, 0), BaseState: report.BaseCompared})
			text := fmt.Sprint(reasons)
			if verdict != c.verdict || !strings.Contains(text, c.says) {
				t.Errorf("verdict %s, reasons %s, want %s and %q", verdict, text, c.verdict, c.says)
			}
		})
	}
}
