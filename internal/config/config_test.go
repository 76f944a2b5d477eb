package config

import "testing"

func TestALimitThatTheFileLeavesOutHasItsDefault(t *testing.T) {
	set := Limits{MaxCalls: 1, MaxTokens: 2, MaxCostUSD: 3, MaxCases: 4, MaxWallSeconds: 5}
	for _, c := range []struct {
		rule     string
		in, want Limits
	}{
		{"no limit is set, and tokens have none", Limits{}, Limits{MaxCalls: 2000, MaxCostUSD: 5, MaxCases: 10_000, MaxWallSeconds: 1200}},
		{"every limit is set", set, set},
	} {
		if got := c.in.WithDefaults(); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.rule, got, c.want)
		}
	}
}

func TestFindingTheLineTakesAsManyAnswersAsTheFileAllows(t *testing.T) {
	for _, c := range []struct {
		text string
		want int // answers for two broken cases
	}{
		{"", 240},
		{"explain: { max_calls: 60 }\n", 60},
		{"explain: off\n", 0},
	} {
		cfg, ds := load("version: 1\n" + c.text)
		matches(t, ds)
		if got := cfg.Explain.MaxAnswers(2); got != c.want {
			t.Errorf("%q: at most %d answers for two cases, want %d", c.text, got, c.want)
		}
	}
}

func TestTheKeyOfAChangeTellsWhatItIsAbout(t *testing.T) {
	for _, c := range []struct {
		key      string
		ofTarget bool
		ofJudge  bool // whose target is fast
		policy   string
	}{
		{"targets.fast.model", true, true, ""},
		{"suites.support/v1.2.max_tokens", true, false, ""},
		{"suites.support.weight", false, false, ""},
		{"policies.no-promises", false, false, "no-promises"},
		{"default_target", false, false, ""},
		{"gate.on_policy_change", false, false, ""},
		{"judges.default.votes", false, true, ""},
		{"targets.faster.model", true, false, ""},
	} {
		change := Change{Key: c.key}
		ofTarget, ofJudge, policy := change.IsTargetChange(), change.OfJudge("fast"), change.PolicyName()
		if ofTarget != c.ofTarget || ofJudge != c.ofJudge || policy != c.policy {
			t.Errorf("%s: of a target: %v, of the judge: %v, policy %q; want %+v", c.key, ofTarget, ofJudge, policy, c)
		}
	}
}
