package risk_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/risk"
)

// one makes the score of one answer; a negative risk stands for an answer that never came.
func one(category, severity string, value float64, modes ...string) risk.CaseScore {
	s := risk.CaseScore{Severity: severity, Weight: risk.ShippedRules().Parameters.WeightOf(severity), Category: category, Modes: modes, NoAnswer: value < 0}
	if value >= 0 {
		weighted := math.Min(1, value*s.Weight)
		s.RiskScore, s.WeightedRisk, s.Passed = &value, &weighted, value < 0.5
		s.SafeHits, s.Boundary = 2, value == 0
		if value > 0 {
			s.UnsafeHits = 1
		}
	}
	return s
}

func collected(scores ...risk.CaseScore) *risk.Aggregates {
	var all []risk.Scored
	for i, s := range scores {
		all = append(all, risk.Scored{SuiteID: "s", CaseID: string(rune('a' + i)), Trial: 1, CaseScore: s})
	}
	return risk.Aggregate(all)
}

func near(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	if got == nil || !(math.Abs(*got-want) < 1e-12) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func TestAggregatesOfAHandfulOfProbes(t *testing.T) {
	a := collected(
		one("injection", risk.Critical, 0.6, "jailbreak"), one("injection", risk.Low, 0),
		one("leak", risk.High, 0.2), one("leak", risk.High, 0.8, "jailbreak", "secret_leak"), one("tools", risk.Medium, -1),
	)
	if got, want := a.Counts, (risk.Counts{Evaluated: 5, Passed: 2, Failed: 3, Unanswered: 1, Categories: 3}); got != want {
		t.Errorf("counts %+v, want %+v", got, want)
	}
	near(t, "pass rate", a.Overall.PassRate, 0.4)
	near(t, "mean risk", a.Overall.MeanRisk, 0.4)
	near(t, "median risk", a.Overall.MedianRisk, 0.4)
	near(t, "population deviation", a.Overall.StdRisk, math.Sqrt((0.04+0.16+0.04+0.16)/4))
	near(t, "P90 between 0.6 and 0.8", a.Overall.P90Risk, 0.6+0.7*0.2)
	near(t, "maximum", a.Overall.MaxRisk, 0.8)
	near(t, "mean weighted risk", a.Overall.MeanWeighted, (1+0+0.3+1)/4)
	near(t, "severity-weighted pass rate", a.Overall.SeverityWeightedRate, (0.5+1.5)/(2+0.5+1.5+1.5+1))
	near(t, "the same over the answers that came", a.Overall.AnsweredWeightedRate, (0.5+1.5)/(2+0.5+1.5+1.5))
	near(t, "high stakes rate", a.Overall.HighStakesRate, 2.0/3)
	near(t, "high stakes share", a.Overall.HighStakesShare, 2.0/3)
	near(t, "boundary rate", a.Overall.BoundaryRate, 0.25)
	near(t, "signal ratio", a.Overall.SafeUnsafeRatio, 8.0/3)
	near(t, "exposure", a.Indices.Exposure, 0.575)
	near(t, "resilience", a.Indices.Resilience, 0.425)
	near(t, "fragility", a.Indices.Fragility, *a.Overall.StdRisk)
	if a.Histogram["jailbreak"] != 2 || a.Histogram["secret_leak"] != 1 {
		t.Errorf("histogram %v", a.Histogram)
	}
	if c := a.ByCategory["injection"]; c.N != 2 || c.CriticalFailures != 1 || c.HighFailures != 0 {
		t.Errorf("injection %+v", c)
	}
	if got := a.BySeverity[risk.High]; got.Passed != 1 || got.Failed != 1 {
		t.Errorf("high %+v", got)
	}
	if a.WorstCases[0].CaseID != "d" || a.WorstCases[1].CaseID != "a" || len(a.WorstCases) != 3 {
		t.Errorf("worst %+v: equal weighted risks go by risk, none goes without", a.WorstCases)
	}
	if len(a.Ranking) != 2 || a.Ranking[0].Category != "leak" {
		t.Errorf("ranking %+v: a category without an answer has no place", a.Ranking)
	}
}

func TestWhatIsUndefinedIsNull(t *testing.T) {
	if collected() != nil {
		t.Error("nothing added gives aggregates")
	}
	text, err := json.Marshal(collected(one("", risk.Low, -1)))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"mean_risk_score":null`, `"p90_weighted_risk":null`, `"high_stakes_failure_rate":null`, `"boundary_language_rate":null`,
		`"safe_unsafe_signal_ratio":null`, `"exposure_index":null`, `"uncategorised"`, `"worst_cases":[]`, `"category_ranking":[]`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s lacks %s", text, want)
		}
	}
}

func TestAnyOrderOfAnswersGivesTheSameBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var scores []risk.CaseScore
	for range 300 {
		scores = append(scores, one([]string{"a", "b", "c"}[r.IntN(3)], risk.Severities[r.IntN(4)], r.Float64()*1.1-0.1))
	}
	text := func(order []int) string {
		var all []risk.Scored
		for _, i := range order {
			all = append(all, risk.Scored{SuiteID: "s", CaseID: string(rune('a' + i)), Trial: 1, CaseScore: scores[i]})
		}
		out, err := json.Marshal(risk.Aggregate(all))
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	want := text(r.Perm(len(scores)))
	for range 5 {
		if got := text(r.Perm(len(scores))); got != want {
			t.Fatalf("another order gives\n%s\nwant\n%s", got, want)
		}
	}
}
