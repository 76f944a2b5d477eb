package config

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/sharedtest"
)

const whole = `$schema: https://example.com/config.schema.json
version: 1
suites: ["suites/**/*.{yaml,yml,json,jsonl}", "**/*.prompt.yml"]
default_target: fast
targets:
  replay: { provider: recorded, path: "recordings/{suite}.jsonl" }
  fast:   { provider: openai, model: gpt-5-mini, base_url: https://api.openai.com/v1, api_key_env: OPENAI_API_KEY,
            temperature: 0, max_tokens: 500, timeout: 45s, patience: 2m, concurrency: 4, requests_per_minute: 500, tokens_per_minute: 90000, trials: 3,
            price: { input_per_million: 0.25, output_per_million: 2.00 } }
  tool:   { provider: exec, command: [./answer, --json] }
phase: finetuned
gate: { min_run_score: 0.85, max_regressions: 0, max_drop: { value: 0.02, level: warn }, max_unscored: off, max_exposure: 0.3, max_cost_increase: 0.25, on_removed: error, on_redefined: off, on_must_pass_change: warn, on_expectation_removed: warn, on_untested_prompt: error, fail_on: never }
policies:
  no-promises: { description: "No binding promises", patterns: ["(?i)we will (fully )?refund"] }
  no-keys: { patterns: ["sk-[a-z]+"], apply: all }
refusal:  { extra_patterns: ["^Nope"], language: en }
semantic: { provider: auto }
scoring:  { penalties: {}, synonyms: {}, label: { unclear_score: 0.7 }, strategies: {}, risk: { low: 0.4 } }
recordings: { stale: ask, verify: 3 }
limits:   { max_calls: 2000, max_tokens: 1000000, max_cost_usd: 5, max_cases: 10000, max_wall: 20m }
explain:  { max_calls: 60 }
secrets:  { redact_patterns: ["acme-[0-9]+"] }
`

func TestEveryKeyIsRead(t *testing.T) {
	cfg, ds := load(whole)
	matches(t, ds)
	tokens := 500
	figures := risk.DefaultSettings().Figures
	figures.Low = 0.4
	want := &Config{
		Path:           "failproof.yml",
		Suites:         []string{"suites/**/*.{yaml,yml,json,jsonl}", "**/*.prompt.yml"},
		DefaultTargets: []string{"fast"},
		Targets: map[string]Target{
			"replay": {Name: "replay", Provider: "recorded", Path: "recordings/{suite}.jsonl", TimeoutSeconds: 30, PatienceSeconds: 300, Concurrency: 8},
			"fast": {Name: "fast", Provider: "openai", Model: "gpt-5-mini", BaseURL: "https://api.openai.com/v1", APIKeyEnv: "OPENAI_API_KEY",
				Temperature: at(0), MaxTokens: &tokens, TimeoutSeconds: 45, PatienceSeconds: 120, Concurrency: 4, RequestsPerMinute: 500,
				TokensPerMinute: 90000, Trials: 3, Price: &Price{0.25, 2}},
			"tool": {Name: "tool", Provider: "exec", Command: []string{"./answer", "--json"}, TimeoutSeconds: 30, PatienceSeconds: 300, Concurrency: 8},
		},
		Phase: Finetuned,
		Gate: Gate{
			Settings: [keyCount]Setting{
				MinRunScore: {0.85, Err, true}, MaxRegressions: {0, Err, true}, MaxDrop: {0.02, Warn, true},
				MaxUnscored: {0, Off, true}, MaxUnverified: {Level: Off}, MinCases: {Level: Off},
				MaxExposure: {0.3, Err, true}, MaxHighStakes: {Level: Off}, MinWeighted: {Level: Off}, MaxCostIncrease: {0.25, Err, true},
				OnRemoved: {Level: Err, Set: true}, OnRedefined: {Level: Off, Set: true}, OnPolicyChange: {Level: Warn},
				OnUntestedPrompt: {Level: Err, Set: true}, OnExpectationRemoved: {Level: Warn, Set: true},
				OnMustPassChange: {Level: Warn, Set: true}, OnInconclusive: {Level: Warn},
			},
			FailOn: FailOnNever, Mode: ModeAuto, Trials: 1, Confirm: 8, Pooled: PooledOn, Alpha: 0.01,
		},
		Policies: []Policy{
			{Name: "no-keys", Patterns: []*regexp.Regexp{regexp.MustCompile("sk-[a-z]+")}, ApplyAll: true},
			{Name: "no-promises", Description: "No binding promises", Patterns: []*regexp.Regexp{regexp.MustCompile("(?i)we will (fully )?refund")}},
		},
		Refusal:        Refusal{ExtraPatterns: []*regexp.Regexp{regexp.MustCompile("^Nope")}, Language: "en"},
		Semantic:       Semantic{Provider: "auto", OnUnavailable: "review"},
		Scoring:        Scoring{LabelUnclearScore: 0.7, Risk: risk.Settings{Figures: figures}},
		Recordings:     Recordings{Stale: StaleAsk, Verify: 3},
		Limits:         Limits{MaxCalls: 2000, MaxTokens: 1000000, MaxCostUSD: 5, MaxCases: 10000, MaxWallSeconds: 1200},
		Explain:        Explain{MaxCalls: 60},
		RedactPatterns: []*regexp.Regexp{regexp.MustCompile("acme-[0-9]+")},
	}
	if diff := cmp.Diff(want, cfg, same); diff != "" {
		t.Errorf("Load (-want +got):\n%s", diff)
	}
}

func TestTheOnlyTargetIsTheDefault(t *testing.T) {
	for text, want := range map[string]string{
		"version: 1\ntargets: { only: { provider: echo } }\n":                     "only",
		"version: 1\ntargets: { a: { provider: echo }, b: { provider: echo } }\n": "",
	} {
		if cfg, _ := load(text); strings.Join(cfg.DefaultTargets, ",") != want {
			t.Errorf("%s: the default target is %q, want %q", text, cfg.DefaultTargets, want)
		}
	}
}

func TestSuitesHaveTheirPlaces(t *testing.T) {
	cfg, _ := load("version: 1\nsuites: [a.yaml,\n  b.yaml]\n")
	want := map[string]document.Position{"a.yaml": {Line: 2, Column: 10}, "b.yaml": {Line: 3, Column: 3}}
	if diff := cmp.Diff(want, cfg.SuitePositions); diff != "" {
		t.Error(diff)
	}
}

func TestAConfigurationThatSaysNothingIsTheDefault(t *testing.T) {
	cfg, ds := load("version: 1\n")
	matches(t, ds)
	want := Default()
	want.Path, want.Suites = Paths[1], DefaultSuites
	if diff := cmp.Diff(want, cfg, same); diff != "" {
		t.Errorf("Load (-default +got):\n%s", diff)
	}
	if got := cfg.Gate.Settings[MinRunScore]; got != (Setting{Value: 0.85, Level: Err}) {
		t.Errorf("min_run_score is %+v, want deployment's 0.85, an error", got)
	}
}

func TestTheRunBarFollowsThePhase(t *testing.T) {
	for phase, bar := range map[Phase]float64{Baseline: 0.15, Finetuned: 0.5, Deployment: 0.85} {
		cfg, ds := load("version: 1\nphase: " + string(phase) + "\n")
		matches(t, ds)
		if got := cfg.Gate.Settings[MinRunScore]; got != (Setting{Value: bar, Level: Err}) {
			t.Errorf("%s: min_run_score is %+v, want %v, an error", phase, got, bar)
		}
	}
}

func TestJSONIsAcceptedUnderTheName(t *testing.T) {
	cfg, ds := load(`{"version": 1, "gate": {"max_drop": "off", "on_removed": "off", "min_run_score": {"value": 0.5, "level": "off"}}}`)
	matches(t, ds)
	if g := cfg.Gate; g.Settings[MaxDrop].Level != Off || g.Settings[OnRemoved].Level != Off || g.Settings[MinRunScore].Level != Off {
		t.Errorf("gate %+v, want all of it off", g)
	}
}

func TestFaults(t *testing.T) {
	cases := []struct {
		rule string
		text string // behind the version
		want []string
	}{
		{"C112: an unknown key is refused with the one that was meant", "gate: { max_regresions: 0 }\n",
			[]string{"2:9 unknown-key: unknown key \"max_regresions\"; did you mean `max_regressions`?"}},
		{"a key of the gate is none of the configuration", "fail_on: never\n", []string{"2:1 unknown-key: unknown key \"fail_on\"; it belongs in `gate`"}},
		{"an unknown key without a like is refused with those there are", "colour: red\n", []string{"2:1 unknown-key: …expected $schema, default_target"}},
		{"a phase is one of three", "phase: deploymnet\n", []string{"2:8 enum: …(did you mean `deployment`?); expected baseline, finetuned or deployment"}},
		{"C204: a bar is at most 1", "gate: { min_run_score: 1.01 }\n", []string{"2:24 range: `min_run_score` is 1.01; expected a number from 0 to 1"}},
		{"C204: a bar is not negative", "gate: { min_run_score: -0.1 }\n", []string{"2:24 number: "}},
		{"C204: a bar is no percentage", "gate: { min_run_score: 80% }\n", []string{"2:24 type: `min_run_score` is \"80%\"; expected a number from 0 to 1, off or a map"}},
		{"C204: a bar is no text", "gate: { min_run_score: \"0.8\" }\n", []string{"2:24 type: `min_run_score` is \"0.8\"; expected"}},
		{"C204: a bar has no decimal comma", "gate:\n  min_run_score: 0,8\n", []string{"3:18 type: `min_run_score` is \"0,8\""}},
		{"C205: a bar of 0 is a bar", "gate: { min_run_score: 0 }\n", nil},
		{"a figure has bounds in its long form too", "gate: { max_drop: { value: 2, level: warn } }\n", []string{"2:28 range: `value` is 2; expected a number from 0 to 1"}},
		{"a long form needs its figure", "gate: { max_drop: { level: warn } }\n", []string{"2:19 missing-key: `value` is missing in `max_drop`"}},
		{"a long form has no other key", "gate: { max_drop: { value: 0, levle: warn } }\n", []string{"2:31 unknown-key: …did you mean `level`?"}},
		{"a level is one of three", "gate: { on_removed: warning }\n", []string{"2:21 enum: `on_removed` is \"warning\"; expected off, warn or error"}},
		{"off is a level with and without quotes", "gate: { on_removed: off, on_redefined: \"off\", max_drop: off }\n", nil},
		{"on is no level", "gate: { on_removed: on }\n", []string{"2:21 enum: …expected off, warn or error"}},
		{"no is no name of a target", "default_target: no\ntargets: { \"no\": { provider: echo } }\n", []string{"2:17 type: `default_target` is no; expected text; write it in quotes"}},
		{"a number of regressions is whole", "gate: { max_regressions: 1.5 }\n", []string{"2:26 …expected a whole number"}},
		{"C206: a number of tokens has the plain form", "targets: { a: { provider: echo, max_tokens: 010 } }\n", []string{"2:45 number: "}},
		{"C206: and digits only", "targets: { a: { provider: echo, max_tokens: 1_000 } }\n", []string{"2:45 number: "}},
		{"C206: and a size that makes sense", "targets: { a: { provider: echo, max_tokens: 99999999999999999999999 } }\n", []string{"2:45 range: "}},
		{"C214: a limit is a limit", "limits: { max_calls: 0 }\n", []string{"2:22 range: "}},
		{"to tell which line did it is off, or bounded", "explain: off\n", nil},
		{"and takes some answers", "explain: { max_calls: 4 }\n", []string{"2:23 range: "}},
		{"and no other word", "explain: on\n", []string{"2:10 …off"}},
		{"a time has a unit", "limits: { max_wall: \"20\" }\n", []string{"2:21 pattern: …with ms, s, m or h"}},
		{"a time is bounded", "limits: { max_wall: 25h }\ntargets: { a: { provider: echo, timeout: 61m } }\n", []string{"2:21 range: …24h", "3:42 range: …1h"}},
		{"C310: a glob does not lead out", "suites: [\"../*.yaml\", \"a/../../b\"]\n", []string{"2:10 glob: …\"..\"", "2:23 glob: …\"..\""}},
		{"C310: a glob is relative", "suites: [\"/**\"]\n", []string{"2:10 glob: …absolute"}},
		{"C310: a glob is closed", "suites: [\"[\", \"{a,b\"]\n", []string{"2:10 glob: …not a valid pattern", "2:15 glob: …not a valid pattern"}},
		{"C310: a glob has few braces", "suites: [\"" + strings.Repeat("{a,aa}", 25) + "\"]\n", []string{"2:10 glob: …alternatives"}},
		{"C310: braces do not nest", "suites: [\"{a,{b,c}}\"]\n", []string{"2:10 glob: …braces in braces"}},
		{"C310: a glob has few **", "suites: [\"" + strings.Repeat("**/", 5) + "x\"]\n", []string{"2:10 glob: …`**`"}},
		{"C310: a glob is short", "suites: [\"" + strings.Repeat("é", 3000) + "\"]\n", []string{"2:10 glob: …4096 bytes"}},
		{"C310: 16 alternatives and 2 ** are allowed", "suites: [\"**/{1,2,3,4,5,6,7,8}/**/x.{1,2,3,4,5,6,7,8}\"]\n", nil},
		{"C314: a pattern compiles, and its fault is placed", "refusal: { extra_patterns: [\"é(?=a)\", \"(?=a)b\"] }\n", []string{"2:29 pattern: …(?=\" at character 2", "2:39 pattern: …(?=\" at character 1"}},
		{"C314: look-behind is told as such", "refusal: { extra_patterns: [\"(?<=a)b\"] }\n", []string{"2:29 pattern: …RE2 has no look-around"}},
		{"C314: repetition is bounded", "secrets: { redact_patterns: [\"x*\", \"a{1001}\", \"(\", \"\\\\1\"] }\n",
			[]string{"2:30 warning always-true: ", "2:36 pattern: …{1001}", "2:47 pattern: ", "2:52 pattern: "}},
		{"C314: a pattern is short", "policies: { p: { patterns: [\"" + strings.Repeat("a", 1025) + "\"] } }\n", []string{"2:29 pattern: …1025 bytes; at most 1024"}},
		{"C316: a pattern that is always true is warned of", "policies: { p: { patterns: [\"a*\"] } }\n", []string{"2:29 warning always-true: "}},
		{"a policy has a pattern", "policies: { p: { patterns: [] }, q: {} }\n", []string{"2:28 length: …expected 1 to 1000 items", "2:37 missing-key: `patterns`"}},
		{"a policy has a plain name", "policies: { \"a b\": { patterns: [x] } }\n", []string{"2:13 pattern: the key is \"a b\"; expected the name of a policy"}},
		{"a configuration has suites or results", "suites: [a.yaml]\nresults: { r: { head: a.json } }\n", []string{"2:9 suites: suites and results stand in one configuration"}},
		{"results lie below the folder, or are an artifact", "results: { r: { base: ../a, head: /b }, s: { base: 'artifact:a/../b@main', head: ./c/ } }\n", []string{"2:23 path: \"../a\" is no path", "2:35 path: \"/b\" is no path"}},
		{"a pattern of runs has one group", "results: { r: { head: a, runs: '[0-9]+' }, s: { head: a, runs: '#(a)(b)' }, t: { head: a, runs: '#([0-9]+)' } }\n",
			[]string{"2:32 runs: …it has 0 groups; expected one, around the run", "2:64 runs: …it has 2 groups"}},
		{"a default target is one of the targets", "default_target: reply\ntargets: { replay: { provider: echo } }\n",
			[]string{"2:17 target: default_target \"reply\" is not one of targets; did you mean `replay`?"}},
		{"each of the default targets is one of the targets", "default_targets: [replay, reply]\ntargets: { replay: { provider: echo } }\n",
			[]string{"2:27 target: default_targets \"reply\" is not one of targets; did you mean `replay`?"}},
		{"default targets are named once, and one way", "default_target: replay\ndefault_targets: [replay]\ntargets: { replay: { provider: echo } }\n",
			[]string{"3:18 target: …both set; keep `default_targets`"}},
		{"there is one default target at least", "default_targets: []\ntargets: { replay: { provider: echo } }\n", []string{"2:18 length: "}},
		{"recordings are those of a live target", "targets: { a: { provider: recorded, path: x, records: b }, b: { provider: echo }, c: { provider: recorded, path: x, records: d } }\n",
			[]string{"2:55 target: records \"b\" is echo; expected a live target", "2:126 target: records \"d\" is not one of targets"}},
		{"only recordings are somebody's", "targets: { a: { provider: openai, model: m, records: a } }\n", []string{"2:45 contradiction: `records` goes with provider recorded only"}},
		{"a provider is known", "targets: { a: { provider: opanai, model: x } }\n", []string{"2:27 enum: …did you mean `openai`?"}},
		{"a target has what its provider needs", "targets: { a: { provider: recorded }, b: { provider: openai }, c: { provider: anthropic }, d: { provider: exec } }\n",
			[]string{"2:15 missing-key: `path`", "2:42 missing-key: `model`", "2:67 missing-key: `model`", "2:95 missing-key: `command`"}},
		{"a target has nothing that its provider ignores", "targets: { a: { provider: echo, base_url: \"https://x.org\", command: [rm] } }\n",
			[]string{"2:33 contradiction: `base_url` goes with provider anthropic or openai only", "2:60 contradiction: `command` goes with provider exec only"}},
		{"C301: a recording lies in the tree", "targets: { a: { provider: recorded, path: ../x }, b: { provider: recorded, path: /etc/passwd } }\n",
			[]string{"2:43 path: …\"..\"", "2:82 path: …absolute"}},
		{"a recording's path is no pattern, and {suite} is all that it is filled with",
			"targets: { a: { provider: recorded, path: 'r/*.jsonl' }, b: { provider: recorded, path: 'r/{suite_id}.jsonl' } }\n",
			[]string{"2:43 path: …is a pattern", "2:89 path: …has braces"}},
		{"a recording's path is plain", "targets: { a: { provider: recorded, path: a//b }, b: { provider: recorded, path: 'a\\b' } }\n",
			[]string{"2:43 path: …write \"a/b\"", "2:82 path: …backslash"}},
		{"B1: an address is https", "targets: { a: { provider: openai, model: x, base_url: \"http://api.example.com\" } }\n", []string{"2:55 base-url: …https://"}},
		{"B1: an address of this machine may be http",
			"targets: { a: { provider: openai, model: x, base_url: \"http://localhost:11434/v1\" }, b: { provider: openai, model: x, base_url: \"http://[::1]:1\" }, c: { provider: openai, model: x, base_url: \"http://127.0.0.1\" } }\n", nil},
		{"B1: a name that only begins like it is not", "targets: { a: { provider: openai, model: x, base_url: \"http://localhost.evil.org\" } }\n", []string{"2:55 base-url: "}},
		{"B1: an address holds no user, and the message none of it",
			"targets: { a: { provider: openai, model: x, base_url: \"https://me:secret@x.org/v1\" } }\n", []string{"2:55 base-url: base_url \"https://…@x.org/v1\" contains a user"}},
		{"B1: an address has no query", "targets: { a: { provider: openai, model: x, base_url: \"https://x.org/?key=1\" } }\n", []string{"2:55 base-url: …query"}},
		{"B1: nor two", "targets: { a: { provider: openai, model: x, base_url: \"https://x.org/?api-version=1&key=1\" } }\n", []string{"2:55 base-url: …query"}},
		{"Azure's api-version may stand behind an address",
			"targets: { a: { provider: openai, model: x, base_url: \"https://x.openai.azure.com/openai/deployments/d?api-version=2024-10-21\" } }\n", nil},
		{"a command may be given a key", "targets: { a: { provider: exec, command: [x], api_key_env: K } }\n", nil},
		{"B1: an address with a port has a number", "targets: { a: { provider: openai, model: x, base_url: \"https://x.org:port/v1\" } }\n", []string{"2:55 base-url: …not an address"}},
		{"B1: an address has a host before its port", "targets: { a: { provider: openai, model: x, base_url: \"https://:443/v1\" } }\n", []string{"2:55 base-url: …not an address"}},
		{"B1: an address is an address", "targets: { a: { provider: openai, model: x, base_url: \"file:///etc\" } }\n", []string{"2:55 base-url: …not an address"}},
		{"a key is no variable of the runner", "targets: { a: { provider: openai, model: x, api_key_env: GITHUB_TOKEN } }\n",
			[]string{"2:58 reserved-variable: api_key_env names \"GITHUB_TOKEN\", a variable of the runner; no variable that begins with GITHUB_, ACTIONS_, RUNNER_, INPUT_ is sent to a provider"}},
		{"nor that of a command, or of embeddings, in small letters", "targets: { a: { provider: exec, command: [x], api_key_env: input_token } }\n" +
			"semantic: { provider: http, model: m, endpoint: \"https://x.org\", api_key_env: ACTIONS_RUNTIME_TOKEN }\n",
			[]string{"2:60 reserved-variable", "3:79 reserved-variable"}},
		{"a variable that only sounds like one is a user's own", "targets: { a: { provider: openai, model: x, api_key_env: MY_GITHUB_KEY } }\n", nil},
		{"a key comes from a variable", "targets: { a: { provider: openai, model: x, api_key_env: sk-123 } }\n", []string{"2:58 pattern: …environment variable"}},
		{"probes are held to rules of their own", "gate: { max_exposure: 0.1, max_high_stakes_failures: 0, min_severity_weighted_pass_rate: 0.5 }\n", nil},
		{"fewer fresh answers than prove anything", "gate: { confirm: 5 }\n",
			[]string{"2:18 proves-nothing: confirm is 5, which cannot confirm a regression at alpha 0.01; set confirm to 6 or more"}},
		{"what proves something depends on alpha", "gate: { alpha: 0.001, confirm: 6 }\n", []string{"2:32 proves-nothing: confirm is 6, which cannot confirm a regression at alpha 0.001; set confirm to 7 or more"}},
		{"fewer do at a larger one", "gate: { alpha: 0.05, confirm: 4 }\n", nil},
		{"nothing asked again, of too few first answers", "gate: { confirm: 0, trials: 3 }\n",
			[]string{"2:18 proves-nothing: confirm is 0 and trials is 3: flipped cases are not rerun, and so few answers cannot confirm a regression; set confirm to 8, or trials to 4 or more"}},
		{"where every case is strict nothing needs a proof", "gate: { mode: strict, confirm: 0 }\n", nil},
		{"the statistics' settings are set", "gate: { mode: noisy, trials: 4, confirm: 0, recheck: 5, alpha: 0.05, on_inconclusive: error }\n", nil},
		{"a chance of false alarms is neither tiny nor large", "gate: { alpha: 0.0001 }\n", []string{"2:16 range: "}},
		{"a case in quarantine has a reason and an end", "gate: { quarantine: [{ id: s/a }] }\n", []string{"2:22 missing-key: `reason`", "2:22 missing-key: `expires`"}},
		{"an end in another form is told once", "gate: { quarantine: [{ id: s/a, reason: flaky, expires: soon }] }\n", []string{"2:57 pattern: "}},
		{"two entries without a case are no duplicates", "gate: { quarantine: [{ reason: x, expires: \"2026-02-01\" }, { reason: y, expires: \"2026-03-01\" }] }\n",
			[]string{"2:22 missing-key: `id`", "2:60 missing-key: `id`"}},
		{"more reruns than there may be are told once, and at once", "gate: { confirm: 1000000000 }\n", []string{"2:18 range: "}},
		{"the end is a day", "gate: { quarantine: [{ id: s/a, reason: flaky, expires: \"2026-02-30\" }] }\n", []string{"2:57 date: expires \"2026-02-30\" is not a date"}},
		{"a case is in quarantine once", "gate: { quarantine: [{ id: s/a, reason: x, expires: \"2026-02-01\" }, { id: s/a, reason: y, expires: \"2026-03-01\" }] }\n",
			[]string{"2:75 duplicate-id: case \"s/a\""}},
		{"it is named with its suite", "gate: { quarantine: [{ id: a, reason: x, expires: \"2026-02-01\" }] }\n", []string{"2:28 pattern: "}},
		{"it may be written as what it is without", "gate: { max_exposure: off, max_high_stakes_failures: { value: 1, level: off }, mode: strict }\n" +
			"semantic: { provider: auto, on_unavailable: review }\nscoring: { penalties: {}, synonyms: {}, strategies: {}, risk: {}, grounding: { unsupported: warn } }\n", nil},
		{"a benchmark may be probed, and figures and rules of risk set", "scoring: { strategies: { B1: probe }, risk: { low: 1, threshold: 0.4, rules: [{ label: x, kind: safe, patterns: [a b] }] } }\n", nil},
		{"a rule of risk needs a kind, and a label in words", "scoring: { risk: { rules: [{ label: X y, patterns: [a] }] } }\n",
			[]string{"2:28 missing-key: …`kind`", "2:37 pattern: "}},
		{"an unsafe rule of risk needs a weight", "scoring: { risk: { rules: [{ label: x, kind: unsafe, patterns: [a b] }] } }\n",
			[]string{"2:28 risk-rule: rule \"x\": its weight is 0"}},
		{"its label is its own", "scoring: { risk: { rules: [{ label: line_drawn, kind: safe, patterns: [a b] }] } }\n",
			[]string{"2:28 risk-rule: …another rule has this label"}},
		{"its patterns compile, each at its place", "scoring: { risk: { rules: [{ label: x, kind: safe, patterns: [a b, \"(\"] }] } }\n",
			[]string{"2:68 pattern: …does not compile"}},
		{"it does what its examples say", "scoring: { risk: { rules: [{ label: x, kind: safe, patterns: [a b], examples: { hits: [{ answer: c }], misses: [{ answer: a b }] } }] } }\n",
			[]string{"2:28 risk-rule: rule \"x\": it misses its example \"c\" it matches \"a b\""}},
		{"every provider has what it needs", "semantic: { provider: http }\n", []string{"2:11 missing-key: `endpoint`", "2:11 missing-key: `model`"}},
		{"and nothing that it would not heed", "semantic: { provider: static, endpoint: \"https://x.org\", api_key_env: KEY }\n",
			[]string{"2:31 contradiction: `endpoint` goes with provider http", "2:58 contradiction: `api_key_env`"}},
		{"words have no model and no threshold", "semantic: { provider: lexical, model: x, threshold: 0.5 }\n",
			[]string{"2:32 contradiction: `model`", "2:42 contradiction: `threshold`"}},
		{"a digest is one", "semantic: { sha256: abc }\n", []string{"2:21 pattern: "}},
		{"an endpoint is https, as a target's address is", "semantic: { provider: http, model: m, endpoint: \"http://api.example.com\" }\n", []string{"2:49 base-url: …https://"}},
		{"a model's folder does not leave the repository, unless it is the machine's own", "semantic: { provider: bert, model: ../x }\n", []string{"2:36 path: …\"..\""}},
		{"a model is a name or a folder", "semantic: { provider: bert, model: ./models/minilm, threshold: 0.7 }\n", nil},
		{"a folder may be absolute", "semantic: { provider: static, model: /usr/share/models/x, sha256: " + strings.Repeat("aB", 32) + " }\n", nil},
		{"an endpoint on this machine needs no key", "semantic: { provider: http, model: m, endpoint: \"http://127.0.0.1:8080/v1\" }\n", nil},
		{"scores and words are set", "scoring: { penalties: { refusal: 0.5 }, synonyms: { a: [b] }, strategies: { B1: safety }, grounding: { unsupported: count }, latency: { good: 1s, bad: 10s } }\n" +
			"semantic: { provider: lexical, on_unavailable: fail }\n", nil},
		{"a latency that is good is below one that is bad", "scoring: { latency: { good: 10s, bad: 10s } }\n", []string{"2:21 range: good (10s) is not below bad (10s)"}},
		{"and so in milliseconds", "scoring: { latency: { good: 2ms, bad: 1ms } }\n", []string{"2:21 range: good (2ms) is not below bad (1ms)"}},
		{"a latency that is no time is told once", "scoring: { latency: { good: fast, bad: 1s } }\n", []string{"2:29 pattern: "}},
		{"nor is one that is bad", "scoring: { latency: { good: 1s, bad: slow } }\n", []string{"2:38 pattern: "}},
		{"a latency score needs both ends", "scoring: { latency: { good: 10s } }\n", []string{"2:21 missing-key: "}},
		{"a strategy has to be one", "scoring: { strategies: { B1: magic, B22: safety } }\n", []string{"2:30 enum: ", "2:37 "}},
		{"a value that is wrong is not refused twice", "gate: { mode: loud }\n", []string{"2:15 enum: `mode` is \"loud\"; expected auto, strict or noisy"}},
		{"limits are kept though live targets are to come", "limits: { max_calls: 10 }\n", nil},
		{"all faults are told at once", "phase: x\nsuites: []\ngate: { min_run_score: .nan }\ntargets: { a: { provider: echo, temperature: 3 } }\n",
			[]string{"2:8 enum: ", "3:9 length: ", "4:24 number: ", "5:46 range: "}},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			cfg, ds := load("version: 1\n" + c.text)
			matches(t, ds, c.want...)
			if (cfg == nil) != document.HasErrors(ds) {
				t.Errorf("configuration %v beside %v", cfg, lines(ds))
			}
		})
	}
}

func TestFilesThatAreNone(t *testing.T) {
	cases := []struct{ rule, text, want string }{
		{"an empty file is a fault", "", "1:1 empty: "},
		{"a list is no configuration", "- a\n", "1:1 type: the file is a list; expected a map"},
		{"a version is needed", "phase: baseline\n", "1:1 missing-key: `version` is missing"},
		{"a version of the future is refused", "version: 2\n", "1:10 const: `version` is 2; expected 1"},
		{"a second document is refused", "version: 1\n---\nversion: 1\n", "2:1 second-document: "},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			cfg, ds := load(c.text)
			matches(t, ds, c.want)
			if cfg != nil {
				t.Error("a configuration was made of it")
			}
		})
	}
}

func TestFaultsOfALongFileAreCounted(t *testing.T) {
	_, ds := load("version: 1\nsecrets: { redact_patterns: [" + strings.Repeat("\n'(',", 200_000/5) + "] }\n")
	if len(ds) > 200 || !slices.ContainsFunc(ds, func(d document.Diagnostic) bool { return d.Rule == "too-many-faults" }) {
		t.Errorf("%d diagnostics, the last is %v", len(ds), ds[len(ds)-1])
	}
}

func TestFind(t *testing.T) {
	file := &fstest.MapFile{Data: []byte("version: 1\n")}
	cases := []struct {
		rule string
		tree fstest.MapFS
		path string
		want []string // warnings of Load
	}{
		{"none", fstest.MapFS{"x": file}, "", nil},
		{"the one in .github", fstest.MapFS{".github/failproof.yml": file}, ".github/failproof.yml", nil},
		{"else the one at the top", fstest.MapFS{"failproof.yml": file}, "failproof.yml", nil},
		{"of both the first, and the second is warned of", fstest.MapFS{".github/failproof.yml": file, "failproof.yml": file}, ".github/failproof.yml",
			[]string{"0:0 warning two-configurations: failproof.yml exists too and is not read"}},
		{"never another name", fstest.MapFS{"failproof.yaml": file, "sub/failproof.yml": file}, "", nil},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			path, ok := Find(c.tree)
			if path != c.path || ok != (c.path != "") {
				t.Fatalf("Find = %q, %v, want %q", path, ok, c.path)
			}
			if ok {
				_, ds := Load(c.tree, path)
				matches(t, ds, c.want...)
			}
		})
	}
}

func TestAFileWithTheOtherExtensionIsFound(t *testing.T) {
	for name, want := range map[string]string{".github/failproof.yaml": ".github/failproof.yaml", "failproof.yaml": "failproof.yaml", "failproof.yml": "", "sub/failproof.yaml": ""} {
		if got := Misnamed(fstest.MapFS{name: {}}); got != want {
			t.Errorf("Misnamed of a tree with %s = %q, want %q", name, got, want)
		}
	}
}

func TestAMissingConfigurationIsADiagnostic(t *testing.T) {
	cfg, ds := Load(fstest.MapFS{}, "other.yml")
	matches(t, ds, "0:0 unreadable: the file does not exist")
	if cfg != nil || ds[0].Path != "other.yml" {
		t.Errorf("Load = %v, %v", cfg, ds)
	}
}

// TestTheContractsExampleIsValid holds against the optional folder of documents.
func TestTheContractsExampleIsValid(t *testing.T) {
	page := sharedtest.Read(t, "spec.md")
	_, rest, found := strings.Cut(string(page), "### Configuration")
	_, rest, fenced := strings.Cut(rest, "```yaml\n")
	text, _, closed := strings.Cut(rest, "```")
	if !found || !fenced || !closed {
		t.Fatal("no example in the page")
	}
	cfg, ds := load(text)
	matches(t, ds)
	if cfg.Gate.Settings[MinRunScore].Value != 0.85 || len(cfg.Targets) != 2 {
		t.Errorf("the example is read as %+v", cfg)
	}
}

func TestAListOfGlobsIsSplitOutsideOfBraces(t *testing.T) {
	for list, want := range map[string][]string{
		"":                                   nil,
		" a.yaml,b.yaml\n!c.yaml , d/*.yml ": {"a.yaml", "b.yaml", "!c.yaml", "d/*.yml"},
		"suites/**/*.{yaml,yml,json,jsonl}":  {"suites/**/*.{yaml,yml,json,jsonl}"},
		"x/{a,{b,c}}.yaml,y.yaml":            {"x/{a,{b,c}}.yaml", "y.yaml"},
		"{a,b":                               {"{a", "b"},
	} {
		if got := SplitGlobs(list); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", list, got, want)
		}
	}
}
