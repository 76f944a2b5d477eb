package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func salvage(text string) Salvaged {
	return Salvage(fstest.MapFS{"failproof.yml": &fstest.MapFile{Data: []byte(text)}}, "failproof.yml")
}

func TestAFaultyConfigurationStaysInForceEntryByEntry(t *testing.T) {
	const text = `version: 1
suites: ["suites/*.yaml", "more/*.yaml"]
default_target: fast
targets:
  replay: { provider: recorded, path: "recordings/{suite}.jsonl" }
  fast: { provider: openai, model: small, base_url: https://api.example.com/v1, api_key_env: KEY, max_tokens: 9 }
phase: finetuned
gate:
  min_run_score: 0.9
  max_regressions: 2
  on_removed: error
policies:
  no-promises: { patterns: ["promise"], apply: all }
  no-names: { patterns: ["name"] }
limits: { max_calls: 9, max_cases: 8 }
recordings: { stale: warn, verify: 7 }
`
	about := func(c *Config) string {
		names := strings.Join(bothKeys(c.Targets, nil), ",")
		policies := ""
		for _, p := range c.Policies {
			policies += p.Name + " "
		}
		return fmt.Sprintf("%v %s %s %s %v/%v/%s %s%d/%d %s/%d", c.Suites, strings.Join(c.DefaultTargets, ","), names, c.Phase, c.Gate.Settings[MinRunScore].Value, c.Gate.Settings[MaxRegressions].Value, c.Gate.Settings[OnRemoved].Level,
			policies, c.Limits.MaxCalls, c.Limits.MaxCases, c.Recordings.Stale, c.Recordings.Verify)
	}
	const whole = "[suites/*.yaml more/*.yaml] fast fast,replay finetuned 0.9/2/error no-names no-promises 9/8 warn/7"
	for _, c := range []struct {
		rule, old, new string
		dropped        string
		left           string
	}{
		{"without a fault it is whole", "", "", "", whole},
		{"a gate entry falls to its default", "0.9", "high", "gate.min_run_score", strings.Replace(whole, "0.9", "0.5", 1)},
		{"so does one out of range", "0.9", "9", "gate.min_run_score", strings.Replace(whole, "0.9", "0.5", 1)},
		{"and a level", "on_removed: error", "on_removed: fatal", "gate.on_removed", strings.Replace(whole, "2/error", "2/warn", 1)},
		{"an unknown entry costs no other", "max_regressions: 2", "max_regressions: 2\n  max_regresions: 2", "gate.max_regresions", whole},
		{"a phase", "finetuned", "finetune", "phase", strings.Replace(whole, "finetuned", "deployment", 1)},
		{"a limit", "max_calls: 9", "max_calls: nine", "limits.max_calls", strings.Replace(whole, "9/8", "0/8", 1)},
		{"how stale recordings count, and not how many are verified", "stale: warn", "stale: ignore", "recordings.stale", strings.Replace(whole, "warn/7", "error/7", 1)},
		{"a glob", "more/*.yaml", "/more", "suites", strings.Replace(whole, " more/*.yaml", "", 1)},
		{"a policy whose pattern does not compile", `"name"`, `"(name"`, "policies.no-names", strings.Replace(whole, "no-names ", "", 1)},
		{"a policy without patterns", `{ patterns: ["name"] }`, "{}", "policies.no-names", strings.Replace(whole, "no-names ", "", 1)},
		{"an entry of a target, which stays", "max_tokens: 9", "max_tokens: lots", "targets.fast.max_tokens", whole},
		{"a target that lacks what it needs", "model: small, ", "", "default_target,targets.fast", strings.Replace(whole, "fast,replay", "replay", 1)},
		{"a target's address", "https://api", "ftp://api", "targets.fast.base_url", whole},
		{"two faults of one entry cost it alone", `{ patterns: ["name"] }`, "{ pattern: x, apply: some }", "policies.no-names", strings.Replace(whole, "no-names ", "", 1)},
		{"several at once", `{ patterns: ["name"] }`, "{ pattern: x }\nphases: 1", "phases,policies.no-names", strings.Replace(whole, "no-names ", "", 1)},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if !strings.Contains(text, c.old) {
				t.Fatal("nothing to replace")
			}
			got := salvage(strings.Replace(text, c.old, c.new, 1))
			if got.Config == nil {
				t.Fatalf("nothing is in force: %v", lines(got.Faults))
			}
			slices.Sort(got.Dropped)
			if dropped := strings.Join(got.Dropped, ","); !strings.HasPrefix(dropped, c.dropped) || c.dropped == "" && dropped != "" {
				t.Errorf("dropped %s, want %s; faults %v", dropped, c.dropped, lines(got.Faults))
			}
			withheld := ""
			if strings.Contains(c.dropped, "targets.fast") && !strings.Contains(c.left, "fast,replay") {
				withheld = "fast"
			}
			if names := strings.Join(bothKeys(got.Config.Withheld, nil), ","); names != withheld {
				t.Errorf("withheld: %s, want %s", names, withheld)
			}
			if left := about(got.Config); left != c.left {
				t.Errorf("in force: %s\nwant %s", left, c.left)
			}
		})
	}
}

func TestAConfigurationThatDoesNotParseLeavesNothing(t *testing.T) {
	for _, text := range []string{"", "version: 1\n  gate: [", "version: 2\ngate: { min_run_score: 0.9 }", "gate: { min_run_score: 0.9 }", "[]", "version: 1\n\xff"} {
		if got := salvage(text); got.Config != nil || len(got.Faults) == 0 {
			t.Errorf("Salvage(%q) = %+v, want faults alone", text, got)
		}
	}
}

func TestATargetThatIsFaultyIsWithheldFromTheSuitesThatNameIt(t *testing.T) {
	got := salvage("version: 1\ndefault_target: fast\ntargets: { fast: { provider: openai } }\n")
	if got.Config == nil || !slices.Equal(got.Config.DefaultTargets, []string{"fast"}) || !strings.Contains(got.Config.Withheld["fast"], "has an error in the base's configuration, failproof.yml") {
		t.Errorf("Salvage = %+v, %v", got.Config, lines(got.Faults))
	}
}

func TestWhereTheBaseIsFaultyTheHeadMayHoldItselfToMore(t *testing.T) {
	gate := func(text string) Gate {
		cfg, ds := load("version: 1\ngate: " + text)
		if cfg == nil {
			t.Fatal(lines(ds))
		}
		return cfg.Gate
	}
	for _, c := range []struct {
		rule, base, head string
		keys             []string
		want             string // min_run_score, max_regressions, min_cases, on_removed
		taken            string
	}{
		{"a higher bar holds", "{}", "{ min_run_score: 0.95 }", nil, "0.95 error, 0 error, 0 off, warn", "gate.min_run_score"},
		{"a lower one does not", "{}", "{ min_run_score: 0.1 }", nil, "0.85 error, 0 error, 0 off, warn", ""},
		{"the same one is not taken", "{}", "{ min_run_score: 0.85, max_regressions: 0, on_removed: warn }", nil, "0.85 error, 0 error, 0 off, warn", ""},
		{"more regressions do not", "{}", "{ max_regressions: 9 }", nil, "0.85 error, 0 error, 0 off, warn", ""},
		{"fewer do", "{ max_regressions: 9 }", "{ max_regressions: 1 }", nil, "0.85 error, 1 error, 0 off, warn", "gate.max_regressions"},
		{"a rule that was off is switched on", "{}", "{ min_cases: 3 }", nil, "0.85 error, 0 error, 3 error, warn", "gate.min_cases"},
		{"a figure of a rule that is off is none", "{ max_regressions: { value: 9, level: off } }", "{ max_regressions: { value: 1, level: off } }", nil, "0.85 error, 9 off, 0 off, warn", ""},
		{"none is switched off", "{}", "{ min_run_score: off, max_regressions: { value: 0, level: warn }, on_removed: off }", nil, "0.85 error, 0 error, 0 off, warn", ""},
		{"a level is raised", "{}", "{ on_removed: error }", nil, "0.85 error, 0 error, 0 off, error", "gate.on_removed"},
		{"only where the base is faulty", "{}", "{ min_run_score: 0.95, on_removed: error }", []string{"gate.on_removed"}, "0.85 error, 0 error, 0 off, error", "gate.on_removed"},
		{"which may be all of the gate", "{}", "{ min_run_score: 0.95, on_removed: error, max_drop: 0.01 }", []string{"gate"}, "0.95 error, 0 error, 0 off, error", "gate.max_drop gate.min_run_score gate.on_removed"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			g, taken := gate(c.base).WithStricter(gate(c.head), c.keys)
			got := fmt.Sprintf("%v %s, %v %s, %v %s, %s", g.Settings[MinRunScore].Value, g.Settings[MinRunScore].Level, g.Settings[MaxRegressions].Value, g.Settings[MaxRegressions].Level,
				g.Settings[MinCases].Value, g.Settings[MinCases].Level, g.Settings[OnRemoved].Level)
			if got != c.want || strings.Join(taken, " ") != c.taken {
				t.Errorf("Stricter = %s, taken %q; want %s, %q", got, taken, c.want, c.taken)
			}
		})
	}
}
