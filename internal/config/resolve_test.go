package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/document"
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
		{"a bar that is left out, which noise alone may then keep from being met", with("{ min_run_score: 0.85 }", "{}"), false, []string{"gate.min_run_score: 0.85 -> "}},
		{"a rule that is switched off", with("0.85 }", "0.85, max_regressions: off, on_removed: off }"), false,
			[]string{"gate.max_regressions:  -> off", "gate.on_removed:  -> off"}},
		{"a phase, and not the bar that would follow from it", common + "phase: baseline\n", false, []string{"phase:  -> baseline"}},
		{"another provider's model is not asked of the base's", with("openai, model: small", "anthropic, model: other"), false,
			[]string{"targets.fast.provider: openai -> anthropic", "targets.fast.model: small -> other"}},
		{"B1, C614: an address, a key's variable and a provider", with("https://api.example.com/v1", "https://evil.example", "KEY", "OTHER", "openai", "anthropic"), false,
			[]string{"targets.fast.provider: openai -> anthropic", `targets.fast.base_url: "https://api.example.com/v1" -> "https://evil.example"`, "targets.fast.api_key_env: KEY -> OTHER"}},
		{"a model is the head's to choose, and named", with("small", "large", "temperature: 0", "temperature: 1, max_tokens: 5"), false,
			[]string{"targets.fast.model: small -> large", "targets.fast.temperature: 0 -> 1", "targets.fast.max_tokens:  -> 5"}},
		{"a fork's to ask for", with("small", "large", "temperature: 0", "temperature: 1, max_tokens: 5"), true,
			[]string{"targets.fast.model: small -> large", "targets.fast.temperature: 0 -> 1", "targets.fast.max_tokens:  -> 5"}},
		{"a new target and one that is gone", with("  fast:", "  slow:"), false, []string{
			`targets.fast: {provider: openai, model: small, base_url: "https://api.example.com/v1", api_key_env: KEY, temperature: 0} -> `,
			`targets.slow:  -> {provider: openai, model: small, base_url: "https://api.example.com/v1", api_key_env: KEY, temperature: 0}`}},
		{"a policy that is gone", strings.Split(common, "policies:")[0], false, []string{"policies.no-promises: {patterns: [promise], apply: all} -> "}},
		{"a policy that is weakened", with(", apply: all", ""), false, []string{"policies.no-promises: {patterns: [promise], apply: all} -> {patterns: [promise]}"}},
		{"nothing of a new policy, which decides the cases that name it", common + "  more: { patterns: [x] }\n", true, nil},
		{"a new policy for all cases", common + "  more: { patterns: [x], apply: all }\n", false, []string{"policies.more:  -> {patterns: [x], apply: all}"}},
		{"limits, secrets, refusal and scoring", common + "limits: { max_calls: 9, max_cost_usd: 9, max_cases: 9, max_wall: 9m }\nsecrets: { redact_patterns: [x] }\n" +
			"refusal: { extra_patterns: [y] }\nscoring: { label: { unclear_score: 0.7 }, grounding: { unsupported: count, required: true }, synonyms: { a: [b] }, strategies: { B1: safety }, penalties: { fail: 1 }, latency: { good: 1s, bad: 2s } }\n" +
			"semantic: { provider: http, model: m, endpoint: \"https://evil.example\", api_key_env: KEY, threshold: 0.1, on_unavailable: lexical }\n", false,
			[]string{"refusal.extra_patterns:  -> [y]", "scoring.label.unclear_score:  -> 0.7", "scoring.grounding.unsupported:  -> count", "scoring.grounding.required:  -> true", "scoring.synonyms:  -> {a: [b]}",
				"scoring.strategies:  -> {B1: safety}", "scoring.penalties:  -> {fail: 1}", "scoring.latency:  -> {good: 1s, bad: 2s}",
				"semantic.provider:  -> http", "semantic.model:  -> m", `semantic.endpoint:  -> "https://evil.example"`, "semantic.api_key_env:  -> KEY", "semantic.threshold:  -> 0.1",
				"semantic.on_unavailable:  -> lexical", "limits.max_calls:  -> 9", "limits.max_cost_usd:  -> 9",
				"limits.max_cases:  -> 9", "limits.max_wall:  -> 9m", "secrets.redact_patterns:  -> [x]"}},
		{"a case in quarantine", with("0.85 }", "0.85, quarantine: [{ id: s/a, reason: flaky, expires: \"2026-01-31\" }] }"), false,
			[]string{`gate.quarantine:  -> [{id: s/a, reason: flaky, expires: "2026-01-31"}]`}},
		{"how the statistics work", with("0.85 }", "0.85, mode: noisy, trials: 3, confirm: 9, pooled: off, recheck: 2, alpha: 0.02 }"), false,
			[]string{"gate.mode:  -> noisy", "gate.trials:  -> 3", "gate.confirm:  -> 9", "gate.pooled:  -> off", "gate.recheck:  -> 2", "gate.alpha:  -> 0.02"}},
		{"nothing of a default of the statistics said out loud", with("0.85 }", "0.85, recheck: auto, confirm: 8 }"), false, nil},
		{"what finding the line may take", common + "explain: off\n", false, []string{"explain:  -> off"}},
		{"what becomes of recordings", common + "recordings: { stale: warn, verify: 1 }\n", false, []string{"recordings.stale:  -> warn", "recordings.verify:  -> 1"}},
		{"suites and default_target, which are taken", with("suites/*.yaml", "more/*.yaml", "default_target: replay", "default_target: fast"), true,
			[]string{`suites: [suites/*.yaml] -> [more/*.yaml]`, "default_target: replay -> fast"}},
		{"several default targets, which are taken", with("default_target: replay", "default_targets: [replay, fast]"), true,
			[]string{"default_target: replay -> ", "default_targets:  -> [replay, fast]"}},
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

func TestResultsAreTheBases(t *testing.T) {
	const ours = "evals: { format: junit, base: old, head: ./new/, runs: '#([0-9]+)', pass_at: 0.5, mode: strict, must_pass: [pay] }"
	for _, c := range []struct {
		rule, head string
		changes    int
		names      []string
	}{
		{"the same results, written otherwise", strings.Replace(ours, "./new/", "new", 1), 0, []string{"evals"}},
		{"another format", strings.Replace(ours, "junit", "jsonl", 1), 1, []string{"evals"}},
		{"another file before", strings.Replace(ours, "old", "older", 1), 1, []string{"evals"}},
		{"another file now", strings.Replace(ours, "new", "newer", 1), 1, []string{"evals"}},
		{"other runs", strings.Replace(ours, "#", "-", 1), 1, []string{"evals"}},
		{"a lower bar", strings.Replace(ours, "0.5", "0.1", 1), 1, []string{"evals"}},
		{"another mode", strings.Replace(ours, "strict", "noisy", 1), 1, []string{"evals"}},
		{"fewer cases that must pass", strings.Replace(ours, ", must_pass: [pay]", "", 1), 1, []string{"evals"}},
		{"results that the head leaves out", "", 1, []string{"evals"}},
		{"results that only the head has are its own, in their place", ours + ", a: { head: x }", 1, []string{"a", "evals"}},
		{"and those are in the order of their names", "c: { head: x }, b: { head: x }, " + ours, 2, []string{"b", "c", "evals"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			text := func(results string) string { return "version: 1\nresults: { " + results + " }\n" }
			effective, told, _ := settled(t, text(ours), text(c.head), false)
			var names []string
			for _, one := range effective.Results {
				names = append(names, one.Name)
			}
			if len(told) != c.changes || !slices.Equal(names, c.names) {
				t.Fatalf("changes %q of %v, want %d of %v", told, names, c.changes, c.names)
			}
			want := Results{Name: "evals", Format: "junit", Base: "old", Head: "new", RunPattern: regexp.MustCompile("#([0-9]+)"), PassThreshold: at(0.5), Mode: ModeStrict, MustPass: []string{"pay"}}
			if diff := cmp.Diff(want, effective.Results[len(names)-1], same); diff != "" {
				t.Errorf("the base's results (-want +got):\n%s", diff)
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
  own-for-all: { patterns: ["y"], apply: all }
scoring: { label: { unclear_score: 1 }, synonyms: { wrong: [right] }, strategies: { B1: accuracy }, penalties: { pass: 1 } }
semantic: { provider: http, model: m, endpoint: https://evil.example, api_key_env: KEY, on_unavailable: lexical }
limits: { max_calls: 1000000 }
`

// announced returns the policy of a name as it will be after the merge, or nil.
func announced(c *Config, name string) *Policy {
	at := slices.IndexFunc(c.Announced, func(p Policy) bool { return p.Name == name })
	if at < 0 {
		return nil
	}
	return &c.Announced[at]
}

func TestAnEditedPolicyIsAnnouncedAsItWillBe(t *testing.T) {
	for _, c := range []struct{ rule, base, head, want string }{
		{"a new pattern", `{ patterns: [a] }`, `{ patterns: [b] }`, "b false"},
		{"a new pattern for all cases", `{ patterns: [a], apply: all }`, `{ patterns: [b], apply: all }`, "b true"},
		{"one for all cases now", `{ patterns: [a] }`, `{ patterns: [a], apply: all }`, "a true"},
		{"one for all cases no longer", `{ patterns: [a], apply: all }`, `{ patterns: [b] }`, ""},
		{"the same", `{ patterns: [a], apply: all }`, `{ patterns: [a], apply: all }`, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			const is = `{ patterns: ["promise"], apply: all }`
			effective, _, _ := settled(t, with(is, c.base), with(is, c.head), false)
			got := ""
			if p := announced(effective, "no-promises"); p != nil {
				got = fmt.Sprint(p.Patterns[0], " ", p.ApplyAll)
			}
			if got != c.want {
				t.Errorf("announced %q, want %q", got, c.want)
			}
			if at := effective.Policies[0]; at.Patterns[0].String() != "a" {
				t.Errorf("the policy in force is %v; want the base's", at)
			}
		})
	}
}

func TestResolveObeysTheBase(t *testing.T) {
	for _, fork := range []bool{false, true} {
		effective, _, _ := settled(t, common, everything, fork)
		want, _ := load(common)
		want.Suites = []string{"mine/*.yaml"}
		want.Withheld = map[string]string{"new": effective.Withheld["new"]}
		want.Policies, want.Announced = append(want.Policies, effective.Policies[1:]...), effective.Announced
		if own := effective.Policies[1]; own.Name != "own" || own.Patterns[0].String() != "x" {
			t.Errorf("fork %v: the head's own policy is %+v", fork, own)
		}
		if own := effective.Policies[2]; own.Name != "own-for-all" || own.ApplyAll || announced(effective, own.Name) == nil {
			t.Errorf("fork %v: the head's own policy for all cases is %+v, want it announced", fork, own)
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

func TestAnotherDefaultTargetIsToldByTheKeyThatWasWritten(t *testing.T) {
	const targets = "version: 1\ntargets: { a: { provider: echo }, b: { provider: echo }, c: { provider: echo } }\n"
	for _, c := range []struct{ base, head, want string }{
		{"default_target: a", "default_target: a", ""},
		{"default_target: a", "default_target: b", "default_target: a -> b"},
		{"default_targets: [a, b]", "default_targets: [b, a]", "default_targets: [a, b] -> [b, a]"},
		{"default_targets: [a, b]", "default_target: a", "default_target:  -> a default_targets: [a, b] -> "},
		{"default_targets: [a, b]", "default_targets: [a]", "default_targets: [a, b] -> [a]"},
		{"default_target: a", "", "default_target: a -> "},
	} {
		effective, told, _ := settled(t, targets+c.base, targets+c.head, false)
		if strings.Join(told, " ") != c.want {
			t.Errorf("%s, then %s: changes %q, want %s", c.base, c.head, told, c.want)
		}
		if head, _ := load(targets + c.head); !slices.Equal(effective.DefaultTargets, head.DefaultTargets) {
			t.Errorf("%s, then %s: %q apply, want the head's", c.base, c.head, effective.DefaultTargets)
		}
	}
	_, more, _ := settled(t, "version: 1\ntargets: { a: { provider: echo } }\n", targets+"default_targets: [a, b]", false)
	if slices.Contains(more, "default_target:  -> ") {
		t.Errorf("a second target: changes %q, want none of default_target", more)
	}
	_, told, _ := settled(t, "version: 1\ntargets: { a: { provider: echo } }\n", "version: 1\ntargets: { b: { provider: echo } }\n", false)
	if want := "default_target:  -> "; !slices.Contains(told, want) {
		t.Errorf("another only target: changes %q, want %q among them", told, want)
	}
}

func TestTheFirstConfigurationsResultsAreRead(t *testing.T) {
	head, _ := load("version: 1\nresults: { evals: { head: new.xml } }\n")
	effective, _ := ResolveFirst(head, WithholdNew)
	if len(effective.Results) != 1 || effective.Results[0].Head != "new.xml" {
		t.Errorf("results %+v, want those of the head", effective.Results)
	}
}

func TestARunIsJudgedByTheRulesAndAsksTheTargetsOfItsOwn(t *testing.T) {
	rules, _ := load(with("0.85", "0.7"))
	own, _ := load(strings.Replace(common, "suites/*.yaml", "more/*.yaml", 1) + "limits: { max_calls: 9 }\nphase: baseline\n")
	own.Path = "old.yml"
	own.Targets["more"] = Target{Name: "more"}
	got := own.WithSettingsOf(rules)
	want := *rules
	want.Path, want.Suites, want.DefaultTargets, want.Targets = own.Path, own.Suites, own.DefaultTargets, own.Targets
	if diff := cmp.Diff(&want, got, same); diff != "" {
		t.Errorf("JudgedBy (-want +got):\n%s", diff)
	}
	if got.entryTexts["phase"] != "baseline" {
		t.Error("its changes are told as written in the rules")
	}
}

func TestARecordingHoldsForWhatTheLiveTargetsTake(t *testing.T) {
	cfg, _ := load("version: 1\ntargets: { fast: { provider: openai, model: m, structured_output: true } }\n")
	want := Target{Name: "replay", Provider: "recorded", Path: "r.jsonl", Inputs: CaseInputs{Schema: true}}
	if diff := cmp.Diff(want, cfg.RecordingTarget("replay", "r.jsonl")); diff != "" {
		t.Errorf("Recording (-want +got):\n%s", diff)
	}
	const app = ": { provider: http, url: \"https://x.org\", answer: response.json.a, body: { a: "
	several, _ := load("version: 1\ntargets:\n  x" + app + "\"{{ vars.c }}\", b: \"{{ vars.b }}\" } }\n  y" + app + "\"{{ vars.a }}\", b: \"{{ vars.b }}\" } }\n")
	if got := several.RecordingTarget("replay", "r.jsonl").Inputs.Vars; !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("variables %v, want each once, in order", got)
	}
}

func TestADefaultTargetThatIsNotMergedIsWarnedOf(t *testing.T) {
	_, _, ds := settled(t, common, strings.Replace(everything, "default_target: replay", "default_target: new", 1), false)
	if want := []string{`0:0 warning target: default_target "new" is not in the base's configuration, which defines the targets; it can be used after the merge`}; !slices.Equal(ds, want) {
		t.Errorf("diagnostics %v, want %v", ds, want)
	}
}

func TestTheFirstConfigurationIsNotObeyedBeforeItIsMerged(t *testing.T) {
	head, _ := load(everything)
	for _, targets := range []NewTargets{CallNew, WithholdNew} {
		effective, changes := ResolveFirst(head, targets)
		want := Default()
		want.Path, want.Suites, want.DefaultTargets = head.Path, head.Suites, head.DefaultTargets
		want.Targets, want.Withheld, want.Unmerged = effective.Targets, effective.Withheld, targets == WithholdNew
		want.Policies, want.Announced = effective.Policies, effective.Announced
		if diff := cmp.Diff(want, effective, same); diff != "" {
			t.Errorf("First is not the defaults (-want +got):\n%s", diff)
		}
		if len(effective.Policies) != 3 {
			t.Errorf("policies %+v, want those of the head for the cases that name them", effective.Policies)
		}
		for _, p := range effective.Policies {
			if p.ApplyAll || announced(effective, p.Name) != nil != (p.Name == "own-for-all") {
				t.Errorf("policy %+v: want those for all cases, and no other, announced", p)
			}
		}
		if len(changes) != 1 || changes[0].Key != "configuration" || changes[0].Head != "failproof.yml" || changes[0].Effective {
			t.Errorf("changes %+v, want the configuration's, which is not in force", changes)
		}
	}
}

func TestNewLiveTargetsAreAskedWhereSomebodyVouchesForThem(t *testing.T) {
	head, _ := load(common + "semantic: { provider: http, model: m, endpoint: \"https://evil.example\", api_key_env: KEY }\n")
	for _, c := range []struct {
		rule             string
		targets          NewTargets
		names, withheld  string
		provider, semant string
	}{
		{"they are", CallNew, "fast,replay", "", "openai", ProviderHTTP},
		{"else recordings alone are left, and no text is sent", WithholdNew, "replay", "fast", "", ProviderOff},
	} {
		t.Run(c.rule, func(t *testing.T) {
			own := ResolveAlone(head, c.targets)
			names, withheld := strings.Join(bothKeys(own.Targets, nil), ","), strings.Join(bothKeys(own.Withheld, nil), ",")
			if names != c.names || withheld != c.withheld || own.Semantic.Provider != c.semant || own.Gate.Settings[MinRunScore].Value != 0.85 {
				t.Errorf("targets %s, withheld %s, semantic %s", names, withheld, own.Semantic.Provider)
			}
			first, _ := ResolveFirst(head, c.targets)
			if got := strings.Join(bothKeys(first.Targets, nil), ","); got != c.names || first.Semantic.Provider != "auto" {
				t.Errorf("First: targets %s, semantic %s", got, first.Semantic.Provider)
			}
		})
	}
}

func TestAConfigurationThatWouldShadowTheBasesIsAFault(t *testing.T) {
	const hidden, plain = ".github/failproof.yml", "failproof.yml"
	files := func(names ...string) fstest.MapFS {
		out := fstest.MapFS{}
		for _, name := range names {
			out[name] = &fstest.MapFile{Data: []byte("version: 1")}
		}
		return out
	}
	for _, c := range []struct {
		rule         string
		before, head fstest.MapFS
		shadows      bool
		moved        string
	}{
		{"a second one that takes the place of the first", files(plain), files(hidden, plain), true, "failproof.yml -> .github/failproof.yml"},
		{"one that moves it", files(plain), files(hidden), false, "failproof.yml -> .github/failproof.yml"},
		{"one that moves it back", files(hidden), files(plain), false, ".github/failproof.yml -> failproof.yml"},
		{"the same one", files(plain), files(plain), false, ""},
		{"a second one that nobody reads", files(hidden), files(hidden, plain), false, ""},
		{"two that were there before", files(hidden, plain), files(hidden, plain), false, ""},
		{"one of two that is removed", files(hidden, plain), files(plain), false, ".github/failproof.yml -> failproof.yml"},
		{"two of which there was none", files(), files(hidden, plain), false, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			fault, found := ShadowError(c.before, c.head)
			if found != c.shadows || found && (fault.Path != hidden || fault.Severity != document.Error) {
				t.Errorf("Shadows = %+v, %v; want %v", fault, found, c.shadows)
			}
			told := ""
			for _, m := range PathChange(c.before, c.head) {
				told = m.Base + " -> " + m.Head
			}
			if told != c.moved {
				t.Errorf("Moved = %q, want %q", told, c.moved)
			}
		})
	}
}

func TestNobodyButTheBaseSaysWhereTextsAreSent(t *testing.T) {
	head := common + "semantic: { provider: http, model: m, endpoint: \"https://evil.example\", api_key_env: KEY }\n"
	for _, fork := range []bool{false, true} {
		if effective, _, _ := settled(t, common, head, fork); effective.Semantic.Provider != ProviderAuto || effective.Semantic.Endpoint != "" {
			t.Errorf("fork %v: semantic %+v, want the base's", fork, effective.Semantic)
		}
	}
}

func TestResolveWithoutAHeadKeepsTheBase(t *testing.T) {
	effective, told, _ := settled(t, common, "", false)
	want, _ := load(common)
	if diff := cmp.Diff(want, effective, same); diff != "" || !slices.Equal(told, []string{"configuration: failproof.yml -> "}) {
		t.Errorf("changes %q, (-want +got):\n%s", told, diff)
	}
}

// A lost expectation is an error unless the base says otherwise; whoever writes that down wants nothing new.
func TestALostExpectationIsAnErrorUnlessTheBaseSaysOtherwise(t *testing.T) {
	const bar = "min_run_score: 0.85 }"
	for _, c := range []struct {
		rule, base, head string
		told             []string
		inForce          Level
	}{
		{"the default is written down", common, with(bar, "min_run_score: 0.85, on_expectation_removed: error }"), nil, Err},
		{"a head that wants less is announced", common, with(bar, "min_run_score: 0.85, on_expectation_removed: warn }"), []string{"gate.on_expectation_removed:  -> warn"}, Err},
		{"the base's level holds", with(bar, "min_run_score: 0.85, on_expectation_removed: warn }"), common, []string{"gate.on_expectation_removed: warn -> "}, Warn},
	} {
		effective, told, _ := settled(t, c.base, c.head, true)
		if got := effective.Gate.ForHead(true).Settings[OnExpectationRemoved].Level; got != c.inForce || !slices.Equal(told, c.told) {
			t.Errorf("%s: %q in force, %q told; want %q, %q", c.rule, got, told, c.inForce, c.told)
		}
	}
}

// What is changed of a configuration in force, its targets and policies, is not changed in the sides that it came of.
func TestTheSidesStayAsTheyAre(t *testing.T) {
	other := strings.Replace(common, "temperature: 0", "temperature: 1", 1)
	base, _ := load(common)
	head, _ := load(other)
	effective, _, _ := Resolve(base, head, false)
	effective = effective.WithTarget(Target{Name: "more"})
	effective.withhold("replay", "x")
	effective.Policies[0].Name = "x"
	effective.Gate.Settings[MinRunScore].Value = 0
	for text, side := range map[string]*Config{common: base, other: head} {
		want, _ := load(text)
		if diff := cmp.Diff(want, side, same); diff != "" {
			t.Errorf("a side was changed through the result:\n%s", diff)
		}
	}
}

func TestTheGateIsStricterForAForkUnlessItSaysOtherwise(t *testing.T) {
	for _, c := range []struct {
		rule, gate string
		fork       bool
		want       string // on_removed, on_redefined, on_policy_change, on_must_pass_change
	}{
		{"the repository's own are warned", "{}", false, "warn warn warn error"},
		{"a stranger's fail", "{}", true, "error error error error"},
		{"a level that is named holds for everybody", "{ on_removed: warn, on_policy_change: off, on_must_pass_change: warn }", true, "warn error off warn"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			cfg, ds := load("version: 1\ngate: " + c.gate)
			if cfg == nil {
				t.Fatal(lines(ds))
			}
			before := fmt.Sprint(cfg.Gate)
			g := cfg.Gate.ForHead(c.fork)
			if got := fmt.Sprint(g.Settings[OnRemoved].Level, " ", g.Settings[OnRedefined].Level, " ", g.Settings[OnPolicyChange].Level, " ", g.Settings[OnMustPassChange].Level); got != c.want {
				t.Errorf("ForHead(%v) = %s, want %s", c.fork, got, c.want)
			}
			if after := fmt.Sprint(cfg.Gate); after != before {
				t.Errorf("For changed the gate itself: %s", after)
			}
		})
	}
}

func TestTheOldPriceIsNotTrustedForAnotherModel(t *testing.T) {
	priced := func(model string, in, out int) string {
		return with("model: small", fmt.Sprintf("model: %s, price: { input_per_million: %d, output_per_million: %d }", model, in, out))
	}
	another := func(text string) string {
		return strings.Replace(text, "  fast:", "  other: { provider: openai, model: large, base_url: https://api.example.com/v1, price: { input_per_million: 7, output_per_million: 8 } }\n  fast:", 1)
	}
	for _, c := range []struct {
		rule       string
		base, head string
		fork       bool
		want       string // price, and the model that it is of
	}{
		{"the same model keeps it", priced("small", 1, 2), priced("small", 5, 6), false, "1 2 "},
		{"another is counted at the dearer of both, as that of the base's model", priced("small", 1, 6), priced("large", 5, 2), false, "5 6 small"},
		{"a cheaper word of the head changes nothing", priced("small", 1, 2), priced("large", 0, 0), false, "1 2 small"},
		{"nor does its silence", priced("small", 1, 2), with("small", "large"), false, "1 2 small"},
		{"what the base says of that model elsewhere is known", another(priced("small", 1, 2)), another(priced("large", 0, 0)), false, "7 8 "},
		{"without a price there is none", common, with("small", "large"), false, "none"},
		{"a fork asks the base's model", priced("small", 1, 2), priced("large", 5, 6), true, "1 2 "},
	} {
		t.Run(c.rule, func(t *testing.T) {
			effective, _, _ := settled(t, c.base, c.head, c.fork)
			fast := effective.Targets["fast"]
			got := "none"
			if fast.Price != nil {
				got = fmt.Sprint(fast.Price.InputPerMillion, fast.Price.OutputPerMillion, " "+fast.PricedModel)
			}
			if got != c.want {
				t.Errorf("price %q, want %q", got, c.want)
			}
		})
	}
}
