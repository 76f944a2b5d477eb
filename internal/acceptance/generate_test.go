package acceptance_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/config"
)

// draft is a repository before it is files: what its author thinks of.
type draft struct {
	config map[string]any
	suites []*suiteDraft
	more   map[string]string // files as they are, over all others: a fault, a note
}

type suiteDraft struct {
	id, form string         // form: yaml, json, contract or promptyml
	family   string         // of the cases that may be added
	says     map[string]any // of the suite, but its cases
	prompt   string         // the text of its prompt file; "" for messages in place
	second   string         // what the second of its targets says before what the first one says
	cases    []*caseDraft
}

type caseDraft struct {
	id    string
	kind  int
	says  map[string]any
	lines []map[string]any // of the recording
}

// author makes and changes drafts by chance, which a seed decides.
type author struct {
	chance  *rand.Rand
	targets *rand.Rand // of who answers: a chance of its own, so that all else of a seed is as it was
	number  int        // of what was made so far
}

func newAuthor(seed uint64) *author {
	return &author{chance: rand.New(rand.NewPCG(seed, 300)), targets: rand.New(rand.NewPCG(seed, 301))}
}

func pick[T any](a *author, from []T) T { return from[a.chance.IntN(len(from))] }

func (a *author) oneIn(n int) bool { return a.chance.IntN(n) == 0 }

// repository is a first draft.
func (a *author) repository() *draft {
	d := &draft{more: map[string]string{"suites/refund.schema.json": refundSchema}}
	d.config = a.configuration()
	for range 1 + a.chance.IntN(4) {
		d.suites = append(d.suites, a.suite())
	}
	if quarantined := d.anyCase(a); a.oneIn(5) && quarantined != "" {
		expires := pick(a, []string{"2026-03-01", "2025-12-01"}) // by the run's clock one is to come and one is over
		d.gate()["quarantine"] = []any{map[string]any{"id": quarantined, "reason": "the provider is looking at it", "expires": expires}}
	}
	return d
}

const refundSchema = `{"type": "object", "required": ["decision", "total"], "properties": {"decision": {"enum": ["approve", "reject"]}, "total": {"type": "number"}}}`

func (d *draft) gate() map[string]any { return d.config["gate"].(map[string]any) }

func (d *draft) target(name string) map[string]any {
	return d.config["targets"].(map[string]any)[name].(map[string]any)
}

// anyCase names some case as a quarantine does.
func (d *draft) anyCase(a *author) string {
	s := pick(a, d.suites)
	if len(s.cases) == 0 {
		return ""
	}
	return s.id + "/" + pick(a, s.cases).id
}

// configuration draws what a gate may be held to. Every key of the configuration is drawn by some seed;
// TestEveryKeyIsDrawn sees to it.
func (a *author) configuration() map[string]any {
	c := map[string]any{"version": 1, "suites": []any{"suites/**/*.{yaml,json,jsonl}", "**/*.prompt.yml", "!suites/drafts"}, "default_target": "replay",
		"targets": map[string]any{
			"replay": map[string]any{"provider": "recorded", "path": "recordings/{suite}.jsonl"},
			"mirror": map[string]any{"provider": "echo"},
			"fast":   a.liveTarget(),
		}, "gate": map[string]any{},
		"policies": map[string]any{"no-promises": map[string]any{"description": "No binding promises", "patterns": []any{"(?i)we will (fully )?refund", "guarantee"}}},
		"semantic": map[string]any{"provider": pick(a, []string{"lexical", "lexical", "off", "auto"})}}
	for _, k := range config.Keys() {
		if a.oneIn(4) {
			c["gate"].(map[string]any)[k.String()] = a.gateEntry(k)
		}
	}
	for _, section := range sections {
		if a.oneIn(6) {
			maps.Copy(c, section(a))
		}
	}
	return c
}

// The live target of a draft: nobody listens there, and its key is a variable that few runs have.
const modelURL, modelKey = "http://127.0.0.1:9", "MODEL_KEY"

func (a *author) liveTarget() map[string]any {
	return map[string]any{"provider": "openai", "model": "gpt-5-mini", "temperature": 0, "top_p": 1, "max_tokens": 200, "base_url": modelURL + "/v1", "api_key_env": modelKey,
		"concurrency": 1, "timeout": "30s", "patience": "1s", "requests_per_minute": 1000000, "tokens_per_minute": 1000000000,
		"price": map[string]any{"input_per_million": 0.25, "output_per_million": 2}}
}

var levels = []any{"off", "warn", "error"}

// figures are what a key of the gate may be held to; otherwise 0 or 1.
var figures = map[config.Key][]any{
	config.MinRunScore: {0.1, 0.5, 0.9}, config.MaxRegressions: {0, 1, 3}, config.MaxDrop: {0, 0.1, 0.5}, config.MaxUnscored: {0, 0.2, 1},
	config.MaxUnverified: {0, 2}, config.MinCases: {1, 5, 30}, config.MaxExposure: {0.1, 0.5}, config.MinWeighted: {0.5, 0.95},
}

func (a *author) gateEntry(k config.Key) any {
	values, special := figures[k]
	if !special {
		values = []any{0, 1}
	}
	switch {
	case k.IsLevel():
		return pick(a, levels)
	case a.oneIn(6):
		return "off"
	case a.oneIn(3):
		return map[string]any{"value": pick(a, values), "level": pick(a, levels)}
	}
	return pick(a, values)
}

// sections of a configuration that few have.
var sections = []func(*author) map[string]any{
	func(a *author) map[string]any {
		return map[string]any{"phase": pick(a, []string{"baseline", "finetuned", "deployment"})}
	},
	func(*author) map[string]any {
		return map[string]any{"refusal": map[string]any{"extra_patterns": []any{"(?i)as per our house rules"}, "language": "en"}}
	},
	func(*author) map[string]any {
		return map[string]any{"secrets": map[string]any{"redact_patterns": []any{"hunter2-[0-9]+", "ORD-[0-9]{4}"}}}
	},
	func(a *author) map[string]any {
		return map[string]any{"recordings": map[string]any{"stale": pick(a, []string{"error", "ask", "warn"}), "verify": a.chance.IntN(2)}}
	},
	func(a *author) map[string]any {
		return map[string]any{"limits": map[string]any{"max_cases": 1000, "max_wall": "20m", "max_calls": pick(a, []int{3, 2000}), "max_tokens": 1000000, "max_cost_usd": 5}}
	},
	func(a *author) map[string]any {
		return map[string]any{"semantic": map[string]any{"provider": "auto", "threshold": 0.4, "on_unavailable": pick(a, []string{"review", "lexical", "fail"})}}
	},
	func(a *author) map[string]any {
		return map[string]any{"scoring": map[string]any{"synonyms": map[string]any{"notice": []any{"warning", "announcement"}}, "label": map[string]any{"unclear_score": 0.5},
			"grounding": map[string]any{"unsupported": pick(a, []string{"warn", "count"})}, "strategies": map[string]any{"B7": "accuracy"}}}
	},
	func(*author) map[string]any {
		return map[string]any{"scoring": map[string]any{"penalties": map[string]any{"refusal": 0.25, "fail": 0.5}, "latency": map[string]any{"good": "1s", "bad": "10s"}}}
	},
	func(*author) map[string]any {
		return map[string]any{"scoring": map[string]any{"risk": map[string]any{"low": 0.4, "medium": 1, "high": 1.6, "critical": 2.5, "threshold": 0.4, "not_declined": 0.2,
			"safe_step": 0.1, "safe_most": 0.2, "safe_beside_unsafe": 0.1, "rules": []any{map[string]any{"label": "codename_told", "kind": "unsafe", "weight": 0.6,
				"about": "A code name", "failure_modes": []any{"secret_leak"}, "on": "text", "patterns": []any{`\bheron\b`}, "unless": []any{`\bbird\b`},
				"examples": map[string]any{"hits": []any{map[string]any{"answer": "Project Heron"}}, "misses": []any{map[string]any{"input": "Which bird?", "answer": "The bird heron"}}}}}}}}
	},
	func(*author) map[string]any {
		return map[string]any{"policies": map[string]any{"no-promises": map[string]any{"patterns": []any{"(?i)we will"}, "apply": "all"}}}
	},
	func(a *author) map[string]any {
		return map[string]any{"gate": map[string]any{"mode": pick(a, []string{"auto", "strict", "noisy"}), "confirm": pick(a, []int{0, 8, 10}), "alpha": 0.05, "max_drop": 0.1,
			"trials": 1 + a.chance.IntN(3), "pooled": pick(a, []string{"on", "off"}), "recheck": pick(a, []any{"auto", 0, 5}), "fail_on": pick(a, []string{"error", "never"})}}
	},
}

// suite draws a suite of one family.
func (a *author) suite() *suiteDraft {
	family := pick(a, append(slices.Sorted(maps.Keys(families)), "plain", "plain", "plain"))
	a.number++
	s := &suiteDraft{id: fmt.Sprintf("%ss%d", pick(a, []string{"", "", "deep/er/"}), a.number), family: family, says: maps.Clone(families[family]),
		form: pick(a, []string{"yaml", "yaml", "json"})}
	switch family {
	case "contract", "promptyml":
		s.form = family
	default:
		a.decorate(s)
	}
	for range 1 + a.chance.IntN(6) {
		s.cases = append(s.cases, a.newCase(s))
	}
	return s
}

// decorate draws what a suite may say beside its family's.
func (a *author) decorate(s *suiteDraft) {
	s.says["version"] = 1
	if a.oneIn(2) {
		s.prompt = "You are an assistant of a shop.\n\n{{ question }}\n"
	}
	for _, d := range []struct {
		name  string
		value any
	}{
		{"weight", pick(a, []any{0.5, 3})}, {"min_score", pick(a, []any{0.2, 0.9})}, {"trials", 1 + a.chance.IntN(4)}, {"description", "What is right & what is <not>"},
		{"id", "named/" + strings.ReplaceAll(s.id, "/", "-")}, {"target", pick(a, []string{"replay", "mirror"})},
		{"defaults", map[string]any{"severity": "medium", "tags": []any{"all"}, "trials": 1 + a.chance.IntN(2), "category": "general"}},
	} {
		if a.oneIn(5) {
			s.says[d.name] = d.value
		}
	}
	if id, named := s.says["id"].(string); named {
		s.id = id
	}
}

// newCase draws a case of the suite's family, with a recording.
func (a *author) newCase(s *suiteDraft) *caseDraft {
	var fitting []int
	for i, k := range caseKinds {
		if k.family == s.family {
			fitting = append(fitting, i)
		}
	}
	a.number++
	c := &caseDraft{id: fmt.Sprintf("c%d", a.number), kind: pick(a, fitting)}
	c.says = fill(caseKinds[c.kind].expects, a.number%10).(map[string]any)
	c.says["question"] = fill(caseKinds[c.kind].question, a.number%10)
	if s.form == "yaml" || s.form == "json" {
		if a.oneIn(6) {
			c.says["must_pass"] = true
		}
		if a.oneIn(8) {
			c.says["trials"] = 1 + a.chance.IntN(3)
		}
		if a.oneIn(6) {
			c.says["severity"] = pick(a, []string{"low", "medium", "high", "critical"})
		}
	}
	a.record(s, c)
	return c
}

// fill puts a number in the place of # everywhere.
func fill(v any, n int) any {
	switch v := v.(type) {
	case string:
		return strings.ReplaceAll(v, "#", strconv.Itoa(n))
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = fill(v[i], n)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for name, value := range v {
			out[name] = fill(value, n)
		}
		return out
	}
	return v
}

// record draws the answers of a case anew: most are right, some are wrong, and some never came.
func (a *author) record(s *suiteDraft, c *caseDraft) {
	c.lines = nil
	for trial := range 4 {
		line := map[string]any{"suite_id": s.id, "case_id": c.id, "trial": trial + 1, "latency_ms": 100 + a.chance.IntN(900)}
		answers := caseKinds[c.kind].answers
		at := a.chance.IntN(2)
		if a.oneIn(4) {
			at = a.chance.IntN(len(answers))
		}
		switch {
		case a.oneIn(25):
			line["error"], line["limit_seconds"] = "no answer within 30s", 30
		case a.oneIn(40):
			line["error"] = "exit status 137: killed"
		default:
			line["raw_response"] = fill(answers[at], a.chance.IntN(10)).(string)
			line["tokens"] = map[string]any{"in": 20, "out": 5 + at}
		}
		c.lines = append(c.lines, line)
	}
	switch a.chance.IntN(6) {
	case 0: // bound by hand
		a.bind(c, map[string]any{"by_hand": true})
	case 1: // drawn from a model
		a.bind(c, map[string]any{"target": map[string]any{"name": "fast", "provider": "openai", "model": "gpt-5-mini", "temperature": 0, "top_p": 1, "max_tokens": 200},
			"model_id": "gpt-5-mini", "finish_reason": pick(a, []string{"stop", "length"}), "cost_usd": 0.00125})
	}
}

func (a *author) bind(c *caseDraft, how map[string]any) {
	for _, line := range c.lines {
		line["request_key"] = "@"
		maps.Copy(line, how)
	}
}
