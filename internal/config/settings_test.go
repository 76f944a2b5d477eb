package config

import (
	"encoding/json"
	"flag"
	"fmt"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write testdata/settings.txt")

// TestSettings reads configurations at and beyond each limit, and compares what is wrong with them, or else what they
// come to, with testdata/settings.txt.
func TestSettings(t *testing.T) {
	const (
		live   = "targets: { fast: { provider: openai, model: m, api_key_env: KEY } }\n"
		served = "targets: { own: { provider: http, url: \"https://api.example.com/v1\", answer: response.json.text, body: %s } }\n"
	)
	target := func(more string) string {
		return "targets: { fast: { provider: openai, model: m, api_key_env: KEY, " + more + " } }\n"
	}
	gate := func(more string) string { return "gate: { " + more + " }\n" }
	suites := func(glob string) string { return "suites: [ \"" + glob + "\" ]\n" }
	judge := func(more string) string { return live + "judges: { default: { target: fast, " + more + " } }\n" }
	unset, _ := load("version: 1\n")
	usual := maps.Collect(fieldsOf(t, unset))
	var out strings.Builder
	for _, text := range []string{
		"", live, whole[len("$schema: https://example.com/config.schema.json\nversion: 1\n"):],
		gate("confirm: 0, trials: 3"), gate("confirm: 0, trials: 4"), gate("confirm: 1"), gate("confirm: 2, alpha: 1"), gate("confirm: 4, alpha: 0.05"),
		gate("alpha: 0.001"), gate("alpha: 0.0009"), gate("alpha: 1"), gate("alpha: 1.1"), gate("confirm: 100, alpha: 0.001"), gate("confirm: 101"),
		gate("mode: strict, confirm: 0"), gate("min_run_score: 1"), gate("min_run_score: 1.01"), gate("max_regressions: -1"), gate("max_drop: { value: 0.5, level: warn }"),
		gate("max_drop: off"), gate("on_removed: off"), gate("on_removed: 0.3"), gate("pooled: off"), gate("recheck: 0"), gate("recheck: auto"), gate("fail_on: sometimes"),
		gate("quarantine: [ { id: s/a, reason: flaky, expires: 2026-02-30 } ]"), gate("quarantine: [ { id: s/a, reason: flaky, expires: 2026-02-28 } ]"),
		gate("quarantine: [ { id: s/a, reason: x, expires: 2026-02-28 }, { id: s/a, reason: y, expires: 2026-02-28 } ]"),
		"phase: baseline\n", "phase: finetuned\n", "phase: later\n",
		suites(""), suites("./suites/*.yaml"), suites("../suites/*.yaml"), suites("/suites/*.yaml"), suites("suites/[a.yaml"), suites("{a,b}/*.yaml"), suites("{a,{b,c}}/*.yaml"),
		suites("!drafts/**"), suites("**/**/**/**/**/*.yaml"), suites(strings.Repeat("**/", maxDoubleStars) + "a.yaml"), suites(strings.Repeat("**/", maxDoubleStars+1) + "a.yaml"),
		suites("{" + strings.Repeat("a,", maxAlternatives-2) + "a}.yaml"), suites("{" + strings.Repeat("a,", maxAlternatives) + "a}.yaml"),
		suites(strings.Repeat("a", maxGlob)), suites(strings.Repeat("a", maxGlob+1)),
		"policies: { p: { patterns: [ \"(\" ] } }\n", "policies: { p: { patterns: [ \"a*\" ] } }\n", "policies: { p: { patterns: [ \"b[\" ], apply: all } }\n",
		"policies: { b: { patterns: [ b ] }, a: { patterns: [ a ], description: A, apply: all } }\n",
		"refusal: { extra_patterns: [ 'a\\', '(', '(a', 'a(?=b)' ] }\n",
		"refusal: { extra_patterns: [ \"x{2000}\" ] }\n", "secrets: { redact_patterns: [ \"\" ] }\n",
		"recordings: { verify: 1 }\n", "recordings: { stale: ask }\n", live + "recordings: { stale: ask, verify: 1 }\n", "recordings: { stale: warn }\n",
		target("timeout: 10m"), target("timeout: 11m"), target("timeout: 600ms"), target("patience: 1h"), target("patience: 25h"), target("temperature: 3"), target("concurrency: 0"),
		target("trials: 100"), target("trials: 101"), target("base_url: \"http://api.example.com\""), target("base_url: \"http://127.0.0.1:8080\""), target("base_url: \"https://user:secret@api.example.com\""),
		target("api_key_file: /run/secrets/key"), target("headers: { Authorization: x }"), target("headers: { X-Team: blue }"), target("headers: { X-Team: { env: TEAM, prefix: \"Team \" } }"),
		target("headers: { X-Team: { env: GITHUB_TOKEN } }"), target("headers: { X-A: a, x-a: b }"), target("headers: { Host: a }"), target("headers: { X-Key: sk-proj-0123456789abcdefghijklmnopqrstuvwxyz }"),
		target("headers: { X-Team: \"${TEAM}\" }"), target("extra_body: { top_k: 3 }"), target("extra_body: { temperature: 0 }"), target("extra_body: { stream: true }"), target("api: responses, seed: 1"),
		target("url: \"https://api.example.com\""), target("command: [ ./a ]"), target("price: { input_per_million: 1 }"),
		"targets: { fast: { provider: openai } }\n", "targets: { fast: { provider: opanai, model: m } }\n", "targets: { tool: { provider: exec } }\n", "targets: { replay: { provider: recorded } }\n",
		"targets: { replay: { provider: recorded, path: \"../r.jsonl\" } }\n", "targets: { replay: { provider: recorded, path: r.jsonl, records: fast } }\n",
		"targets: { fast: { provider: openai, model: m, api_key_env: GITHUB_TOKEN } }\n", "targets: { fast: { provider: openai, model: m, api_key_file: keys/key } }\n",
		live + "default_target: fats\n", live + "default_targets: [ fast, slow ]\n", live + "default_target: fast\ndefault_targets: [ fast ]\n",
		fmt.Sprintf(served, "{ q: \"{{ prompt }}\" }"), fmt.Sprintf(served, "{ q: hello }"), fmt.Sprintf(served, "{ q: \"{{ promt }}\" }"), fmt.Sprintf(served, "{ q: \"{{ prompt }}\", m: \"{{ model }}\" }"),
		judge("votes: 3"), judge("votes: 2"), judge("min_agreement: 0.9"), judge("labeled: people.jsonl"), judge("labeled: people.jsonl, min_agreement: 0.9"), judge("labeled: people.csv"), judge("labeled: ../people.jsonl"),
		live + "judges: { default: { target: fats } }\n", live + "judges: { default: { votes: 1 } }\n", "targets: { replay: { provider: recorded, path: r.jsonl } }\njudges: { default: { target: replay } }\n",
		fmt.Sprintf(served, "{ q: \"{{ prompt }}\" }") + "judges: { default: { target: own } }\n",
		"semantic: { provider: off }\n", "semantic: { provider: http }\n", "semantic: { provider: auto, url: \"https://e.example.com\" }\n", "semantic: { provider: auto, good: 0.5, bad: 0.6 }\n",
		"scoring: { risk: { low: 2 } }\n", "scoring: { label: { unclear_score: 2 } }\n", "limits: { max_wall: 10h, max_calls: 0 }\n", "limits: { max_wall: 100h }\n", "explain: { max_calls: -1 }\n", "colour: red\n",
		"explain: off\n", "explain: { max_calls: 7 }\n", "limits: { max_calls: 1, max_cases: 1, max_cost_usd: 0.5, max_wall: 90s }\n",
		"results: { b: { base: b.xml, head: c.xml }, a: { base: a.xml, head: d.xml, runs: \"x{\" } }\n",
		"results: { b: { base: b.xml, head: c.xml, runs: \"run(\\\\d)\" }, a: { base: a.xml, head: d.xml, pass_at: 0.5, must_pass: [ x ] } }\n",
		"scoring: { latency: { good: 1ms, bad: 1ms } }\n", "scoring: { latency: { good: 1ms, bad: 2ms } }\n", "scoring: { latency: { bad: 2s } }\n",
		"semantic: { provider: lexical }\n", "semantic: { provider: lexical, model: m }\n", "semantic: { provider: auto, on_unavailable: lexical }\n", "semantic: { provider: auto, on_unavailable: fail }\n",
		"semantic: { provider: bort, model: a/../b }\n", "semantic: { provider: bert, model: /models/m }\n", "semantic: { provider: bert, model: \"C:\\\\models\" }\n", "semantic: { provider: bert, model: models/m }\n",
		"semantic: { provider: http, endpoint: \"http://e.example.com\", model: m }\n", "semantic: { provider: http, endpoint: \"https://e.example.com\", model: m, api_key_env: GITHUB_TOKEN }\n",
		target("api_key_file: \"C:\\\\keys\\\\key\""), target("api_key_file: C:key"), target("api_key_file: /proc/self/environ"), target("api_key_file: /run/../key"), target("api_key_file: /dev/fd/3"),
		"targets: { fast: { provider: openai, model: m, api_key_file: \"C:\\\\keys\\\\key\" } }\n", "targets: { fast: { provider: openai, model: m, api_key_file: /run/secrets/key } }\n",
		gate("recheck: 5"), gate("recheck: off"), gate("max_unscored: 0.05"), gate("max_drop: 0.02"),
	} {
		cfg, ds := load("version: 1\n" + text)
		shown := text
		if len(text) > 300 && cfg == nil {
			shown = text[:100] + "…\n"
		}
		fmt.Fprintf(&out, "--- %s", shown)
		if text == "" {
			out.WriteByte('\n')
		}
		for _, line := range lines(ds) {
			fmt.Fprintln(&out, line)
		}
		if cfg != nil {
			for name, value := range fieldsOf(t, cfg) {
				if value != usual[name] {
					fmt.Fprintln(&out, name, value)
				}
			}
		}
	}
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("testdata/settings.txt", []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/settings.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(out.String(), "\n")); diff != "" {
		t.Errorf("the settings differ (-want +got):\n%s\nif it is meant: go test ./internal/config -run TestSettings -update", diff)
	}
}

// fieldsOf yields the fields of a configuration, and of its gate, as JSON has them, in the order of their names.
func fieldsOf(t *testing.T, cfg *Config) iter.Seq2[string, string] {
	t.Helper()
	var all, gate map[string]json.RawMessage
	for into, from := range map[*map[string]json.RawMessage]any{&all: cfg, &gate: cfg.Gate} {
		text, err := json.Marshal(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, into); err != nil {
			t.Fatal(err)
		}
	}
	delete(all, "Gate")
	for name, value := range gate {
		all["gate."+name] = value
	}
	for name, value := range consequences(cfg) {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		all["so "+name] = text
	}
	return func(yield func(string, string) bool) {
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if !yield(name, string(all[name])) {
				return
			}
		}
	}
}

// consequences are what other packages learn from a configuration by its methods.
func consequences(cfg *Config) map[string]any {
	out := map[string]any{
		"the limits are":                    cfg.Limits.WithDefaults(),
		"a broken case is explained with":   cfg.Explain.MaxAnswers(1),
		"ten are explained with":            cfg.Explain.MaxAnswers(10),
		"similarity is lexical":             cfg.Semantic.AppliesLexical(),
		"a missing embedder ends the run":   cfg.Semantic.FailsWithout(),
		"there are embeddings":              cfg.Semantic.Embeds(),
		"the quarantines are":               cfg.Gate.quarantineText(),
		"cases are rechecked":               cfg.Gate.recheckText(),
		"without answers, recorded":         cfg.Gate.UnscoredSetting(false),
		"without answers, of a noisy model": cfg.Gate.UnscoredSetting(true),
		"a drop of one suite":               cfg.Gate.DropSetting(false),
		"a drop of several suites":          cfg.Gate.DropSetting(true),
	}
	for name, t := range cfg.Targets {
		out["target "+name] = fmt.Sprintln(t.Address(), t.Live(), t.StatesCost(), t.Toolless(), t.IsLocal(), t.EnvVars(), t.Settings())
	}
	return out
}
