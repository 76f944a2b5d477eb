package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const common = `version: 1
suites: ["suites/*.yaml"]
default_target: replay
targets:
  replay: { provider: recorded, path: "recordings/{suite}.jsonl" }
  fast: { provider: openai, model: small, base_url: https://api.example.com/v1, api_key_env: KEY, temperature: 0 }
gate: { min_run_score: 0.85 }
policies:
  no-promises: { patterns: ["promise"], apply: all }
`

// settled loads both sides and resolves them; "" is no configuration.
func settled(t *testing.T, base, head string, fork bool) (*Config, []string, []string) {
	t.Helper()
	side := func(text string) *Config {
		if text == "" {
			return nil
		}
		cfg, ds := load(text)
		if cfg == nil {
			t.Fatalf("configuration: %v", lines(ds))
		}
		return cfg
	}
	effective, changes, ds := Resolve(side(base), side(head), fork)
	var told []string
	for _, c := range changes {
		if c.Path == "" {
			t.Errorf("change %+v names no file", c)
		}
		told = append(told, fmt.Sprintf("%s: %s -> %s", c.Key, c.Base, c.Head))
	}
	return effective, told, lines(ds)
}

// with replaces a part of the common configuration.
func with(pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(common, pairs[i]) {
			panic(pairs[i])
		}
	}
	return strings.NewReplacer(pairs...).Replace(common)
}

func TestResolveTellsWhatTheHeadWanted(t *testing.T) {
	cases := []struct {
		rule string
		head string
		fork bool
		want []string
	}{
		{"nothing, if the head says the same", common, false, nil},
		{"nothing of formatting and order", "policies: {no-promises: {apply: all, patterns: [promise]}}\n" + strings.Split(common, "policies:")[0], true, nil},
		{"nothing of a default said out loud", common + "phase: deployment\nrefusal: { language: en }\n", true, nil},
		{"C601: a bar that is lowered", with("0.85", "0.5"), false, []string{"gate.min_run_score: 0.85 -> 0.5"}},
		{"a bar that is only warned of", with("0.85", "{ value: 0.85, level: warn }"), false, []string{"gate.min_run_score: 0.85 -> {value: 0.85, level: warn}"}},
		{"a bar that is left out", with("{ min_run_score: 0.85 }", "{}"), false, nil},
		{"a rule that is switched off", with("0.85 }", "0.85, max_regressions: off, on_removed: off }"), false,
			[]string{"gate.max_regressions:  -> off", "gate.on_removed:  -> off"}},
		{"a phase, and not the bar that would follow from it", common + "phase: baseline\n", false, []string{"phase:  -> baseline"}},
		{"another provider's model is not asked of the base's", with("openai, model: small", "anthropic, model: other"), false,
			[]string{"targets.fast.provider: openai -> anthropic", "targets.fast.model: small -> other"}},
		{"B1, C614: an address, a key's variable and a provider", with("https://api.example.com/v1", "https://evil.example", "KEY", "OTHER", "openai", "anthropic"), false,
			[]string{"targets.fast.provider: openai -> anthropic", `targets.fast.base_url: "https://api.example.com/v1" -> "https://evil.example"`, "targets.fast.api_key_env: KEY -> OTHER"}},
		{"a model is the head's to choose", with("small", "large", "temperature: 0", "temperature: 1, max_tokens: 5"), false, nil},
		{"a fork's to ask for", with("small", "large", "temperature: 0", "temperature: 1, max_tokens: 5"), true,
			[]string{"targets.fast.model: small -> large", "targets.fast.temperature: 0 -> 1", "targets.fast.max_tokens:  -> 5"}},
		{"a new target and one that is gone", with("  fast:", "  slow:"), false, []string{
			`targets.fast: {provider: openai, model: small, base_url: "https://api.example.com/v1", api_key_env: KEY, temperature: 0} -> `,
			`targets.slow:  -> {provider: openai, model: small, base_url: "https://api.example.com/v1", api_key_env: KEY, temperature: 0}`}},
		{"a policy that is gone", strings.Split(common, "policies:")[0], false, []string{"policies.no-promises: {patterns: [promise], apply: all} -> "}},
		{"a policy that is weakened", with(", apply: all", ""), false, []string{"policies.no-promises: {patterns: [promise], apply: all} -> {patterns: [promise]}"}},
		{"a policy that is new is no weakening", common + "  more: { patterns: [x] }\n", true, nil},
		{"limits, secrets, refusal and scoring", common + "limits: { max_calls: 9, max_cost_usd: 9, max_cases: 9, max_wall: 9m }\nsecrets: { redact_patterns: [x] }\n" +
			"refusal: { extra_patterns: [y] }\nscoring: { label: { unclear_score: 0.7 }, grounding: { unsupported: count }, synonyms: { a: [b] }, strategies: { B1: safety }, penalties: { fail: 1 }, latency: { good: 1s, bad: 2s } }\n" +
			"semantic: { provider: http, model: m, endpoint: \"https://evil.example\", api_key_env: KEY, threshold: 0.1, on_unavailable: lexical }\n", false,
			[]string{"refusal.extra_patterns:  -> [y]", "scoring.label.unclear_score:  -> 0.7", "scoring.grounding.unsupported:  -> count", "scoring.synonyms:  -> {a: [b]}",
				"scoring.strategies:  -> {B1: safety}", "scoring.penalties:  -> {fail: 1}", "scoring.latency:  -> {good: 1s, bad: 2s}",
				"semantic.provider:  -> http", "semantic.model:  -> m", `semantic.endpoint:  -> "https://evil.example"`, "semantic.api_key_env:  -> KEY", "semantic.threshold:  -> 0.1",
				"semantic.on_unavailable:  -> lexical", "limits.max_calls:  -> 9", "limits.max_cost_usd:  -> 9",
				"limits.max_cases:  -> 9", "limits.max_wall:  -> 9m", "secrets.redact_patterns:  -> [x]"}},
		{"suites and default_target, which are taken", with("suites/*.yaml", "more/*.yaml", "default_target: replay", "default_target: fast"), true,
			[]string{`suites: [suites/*.yaml] -> [more/*.yaml]`, "default_target: replay -> fast"}},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			_, told, ds := settled(t, common, c.head, c.fork)
			if !slices.Equal(told, c.want) {
				t.Errorf("changes:\n\t%s\nwant:\n\t%s", strings.Join(told, "\n\t"), strings.Join(c.want, "\n\t"))
			}
			if len(ds) > 0 {
				t.Errorf("diagnostics %v", ds)
			}
		})
	}
}

// everything is a head that asks for all it must not have.
const everything = `version: 1
suites: ["mine/*.yaml"]
default_target: replay
targets:
  replay: { provider: exec, command: [sh] }
  fast: { provider: openai, model: large, base_url: https://evil.example, api_key_env: OTHER, temperature: 1, max_tokens: 7, concurrency: 100 }
  new: { provider: openai, model: x, base_url: https://evil.example, api_key_env: KEY }
phase: baseline
gate: { min_run_score: 0, max_regressions: off, max_unscored: off, on_policy_change: off }
policies:
  no-promises: { patterns: ["never"] }
  own: { patterns: ["x"] }
scoring: { label: { unclear_score: 1 }, synonyms: { wrong: [right] }, strategies: { B1: accuracy }, penalties: { pass: 1 } }
semantic: { provider: http, model: m, endpoint: https://evil.example, api_key_env: KEY, on_unavailable: lexical }
limits: { max_calls: 1000000 }
`

func TestResolveObeysTheBase(t *testing.T) {
	for _, fork := range []bool{false, true} {
		effective, _, _ := settled(t, common, everything, fork)
		want, _ := load(common)
		want.Suites = []string{"mine/*.yaml"}
		want.Policies = append(want.Policies, effective.Policies[1])
		if own := effective.Policies[1]; own.Name != "own" || own.Patterns[0].String() != "x" {
			t.Errorf("fork %v: the head's own policy is %+v", fork, own)
		}
		if !fork {
			fast, tokens := want.Targets["fast"], 7
			fast.Model, fast.Temperature, fast.MaxTokens = "large", at(1), &tokens
			want.Targets["fast"] = fast
		}
		if diff := cmp.Diff(want, effective, same); diff != "" {
			t.Errorf("fork %v: Resolve (-want +got):\n%s", fork, diff)
		}
	}
}

func TestADefaultTargetThatIsNotMergedIsWarnedOf(t *testing.T) {
	_, _, ds := settled(t, common, strings.Replace(everything, "default_target: replay", "default_target: new", 1), false)
	if want := []string{`0:0 warning target: default_target "new" is not in the base's configuration, from which targets are taken; it can be used when it is merged`}; !slices.Equal(ds, want) {
		t.Errorf("diagnostics %v, want %v", ds, want)
	}
}

func TestResolveWithoutABase(t *testing.T) {
	cases := []struct {
		rule    string
		fork    bool
		targets string
		ds      int
	}{
		{"the head's is used, announced", false, "fast,replay", 0},
		{"a fork's names recordings only", true, "replay", 1},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			effective, told, ds := settled(t, "", common, c.fork)
			names := strings.Join(bothKeys(effective.Targets, nil), ",")
			if names != c.targets || len(ds) != c.ds || !slices.Equal(told, []string{"configuration:  -> failproof.yml"}) {
				t.Errorf("targets %s, changes %q, diagnostics %q", names, told, ds)
			}
			if effective.Gate.MinRunScore.Value != 0.85 || len(effective.Policies) != 1 {
				t.Errorf("effective %+v", effective)
			}
		})
	}
}

func TestAForkDoesNotSayWhereTextsAreSent(t *testing.T) {
	head := common + "semantic: { provider: http, model: m, endpoint: \"https://evil.example\", api_key_env: KEY }\n"
	for _, c := range []struct {
		rule       string
		base, want string
		fork       bool
	}{
		{"a fork without a base", "", ProviderOff, true},
		{"a fork with one", common, ProviderAuto, true},
		{"the repository itself, with a base", common, ProviderAuto, false},
		{"the repository itself, before it has one", "", ProviderHTTP, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			effective, _, _ := settled(t, c.base, head, c.fork)
			if s := effective.Semantic; s.Provider != c.want || (s.Endpoint != "") != (c.want == ProviderHTTP) {
				t.Errorf("semantic %+v, want provider %s", s, c.want)
			}
		})
	}
}

func TestResolveWithoutAHeadKeepsTheBase(t *testing.T) {
	effective, told, _ := settled(t, common, "", false)
	want, _ := load(common)
	if diff := cmp.Diff(want, effective, same); diff != "" || !slices.Equal(told, []string{"configuration: failproof.yml -> "}) {
		t.Errorf("changes %q, (-want +got):\n%s", told, diff)
	}
	effective, told, _ = settled(t, "", "", true)
	if diff := cmp.Diff(Default(), effective, same); diff != "" || told != nil {
		t.Errorf("without either: changes %q, (-default +got):\n%s", told, diff)
	}
}

func TestTheResultSharesNothing(t *testing.T) {
	base, _ := load(common)
	head, _ := load(common)
	effective, _, _ := Resolve(base, head, false)
	*effective.Targets["fast"].Temperature = 2
	effective.Suites[0], effective.Policies[0].Name = "x", "x"
	delete(effective.Targets, "replay")
	effective.Gate.MinRunScore.Value = 0
	want, _ := load(common)
	for name, side := range map[string]*Config{"base": base, "head": head} {
		if diff := cmp.Diff(want, side, same); diff != "" {
			t.Errorf("%s was changed through the result:\n%s", name, diff)
		}
	}
}
