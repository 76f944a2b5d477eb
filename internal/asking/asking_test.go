package asking_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
)

// read reads a head whose cases a and b are recorded, with the given live targets.
func read(t *testing.T, targets, lines string, env map[string]string) *sides.Sides {
	t.Helper()
	in := runtest.Inputs(t, runtest.Files{
		"failproof.yml": "version: 1\nsuites: [s.yaml]\ndefault_target: kept\ntargets:\n  kept: { provider: recorded, path: \"recordings/{suite}.jsonl\" }\n" + targets,
		"s.yaml": "version: 1\nid: s\nprompt: p.md\ncases:\n" +
			"  - { id: a, expected_response: open, match: contains }\n  - { id: b, expected_response: open, match: contains }\n",
		"p.md":               "Is it open?\n",
		"recordings/s.jsonl": lines,
	}, nil, env)
	s, err := sides.Read(in)
	if err != nil || s.Selected == nil {
		t.Fatalf("%v, faults %v", err, s.Faults)
	}
	return s
}

func TestWhichLiveTargetAnswersForARecording(t *testing.T) {
	const fast = "  fast: { provider: openai, model: small, base_url: \"http://127.0.0.1:1\", api_key_env: MODEL_KEY }\n"
	const slow = "  slow: { provider: openai, model: large, base_url: \"http://127.0.0.1:1\" }\n"
	const plain = `{"suite_id": "s", "case_id": "a", "raw_response": "open"}` + "\n"
	const ofSlow = `{"suite_id": "s", "case_id": "a", "target": {"name": "slow", "provider": "openai"}, "raw_response": "open"}` + "\n"
	for _, c := range []struct {
		rule, targets, lines, key string
		want                      string
		known                     bool
	}{
		{"the only one", fast, plain, "k", "fast", true},
		{"the only one, whose key is not here", fast, plain, "", "fast", false},
		{"none", "", plain, "", "", false},
		{"one of several, which nothing names", fast + slow, plain, "k", "", false},
		{"that which the recording names", fast + slow, ofSlow, "", "slow", true},
		{"a name that is gone, and one is left", fast, ofSlow, "k", "fast", true},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := read(t, c.targets, c.lines, map[string]string{"MODEL_KEY": c.key})
			target, known := asking.LiveTargetFor(s, s.Head.Suites[0], "a")
			if target.Name != c.want || known != c.known {
				t.Errorf("LiveFor = %q, %v; want %q, %v", target.Name, known, c.want, c.known)
			}
		})
	}
}

// If the head's recording is new, the base's says who answered.
func TestTheTargetOfTheBasesRecordingAnswersToo(t *testing.T) {
	files := func(lines string) runtest.Files {
		return with(live(""), "failproof.yml", "default_target: live\ntargets:\n", "default_target: kept\ntargets:\n  kept: { provider: recorded, path: r.jsonl }\n"+
			"  slow: { provider: openai, model: large, base_url: \"http://127.0.0.1:1\" }\n").Merge(runtest.Files{"r.jsonl": lines})
	}
	const ofSlow = `{"suite_id": "s", "case_id": "a", "target": {"name": "slow", "provider": "openai", "model": "large"}, "raw_response": "open"}` + "\n"
	of := func(s *sides.Sides) string {
		target, _ := asking.LiveTargetFor(s, s.Head.Suites[0], "a")
		return target.Name
	}
	records := with(files(ofSlow), "failproof.yml", "path: r.jsonl", "path: r.jsonl, records: live")
	if got := of(readBoth(t, files(""), files(ofSlow), nil)); got != "slow" {
		t.Errorf("without a recording on the head: %q", got)
	}
	if got := of(readBoth(t, records, records, nil)); got != "live" {
		t.Errorf("though the recorded target names another: %q", got)
	}
}

// A case that is switched sends what the target sends, and a prompt file's own settings come first.
func TestWhatASwitchedCaseSends(t *testing.T) {
	temperature, own, top, most := 0.5, 0.1, 0.9, 100
	target := config.Target{Name: "live", Provider: "openai", Model: "small", Temperature: &temperature, TopP: &top, MaxTokens: &most, ReasoningEffort: "low"}
	for _, c := range []struct {
		rule   string
		inputs config.CaseInputs
		vars   map[string]string
		schema string
	}{
		{"neither variables nor a schema", config.CaseInputs{}, nil, ""},
		{"all variables", config.CaseInputs{AllVars: true}, map[string]string{"q": "door"}, ""},
		{"a schema", config.CaseInputs{Schema: true}, nil, "{}"},
	} {
		one := suite.Case{ID: "a", Body: &suite.Body{Vars: map[string]string{"q": "door"}}}
		one.Body.Prompt.Model, one.Body.Prompt.Parameters.Temperature, one.Body.Prompt.AnswerSchema = "own", &own, "{}"
		target.Inputs = c.inputs
		was := asking.SwitchToLive(&one, target)
		q := one.Prompt
		if !maps.Equal(q.Vars, c.vars) || q.AnswerSchema != c.schema || q.Settings["reasoning_effort"] != "low" {
			t.Errorf("%s: it sends %+v", c.rule, q)
		}
		if q.Model != "own" || *q.Parameters.Temperature != own || *q.Parameters.TopP != top || *q.Parameters.MaxTokens != most {
			t.Errorf("%s: it sends %+v", c.rule, q)
		}
		if was.Prompt.AnswerSchema != "{}" || was.Target != "" || was.Prompt.Settings != nil {
			t.Errorf("%s: the case itself was changed: %+v", c.rule, was.Prompt)
		}
	}
}

func TestACaseInPlaceOfItsRecordingAsksTheTarget(t *testing.T) {
	s := read(t, "", "", nil)
	c := s.Head.Suites[0].Cases[0]
	key, half := c.Keys().RequestKey, 0.5
	was := asking.SwitchToLive(c, config.Target{Name: "live", Provider: "openai", Model: "small", Temperature: &half, Inputs: config.CaseInputs{}})
	if c.Target != "live" || c.Prompt.Provider != "openai" || c.Prompt.Model != "small" || *c.Prompt.Parameters.Temperature != half {
		t.Errorf("it asks %s %+v", c.Target, c.Prompt)
	}
	if c.Keys().RequestKey == key || was.Keys().RequestKey != key || was.Prompt.Model == "small" {
		t.Errorf("the case as it was has key %v, want %v; now it has %v", was.Keys().RequestKey, key, c.Keys().RequestKey)
	}
}

func TestAForksPromptMayNotAskForMore(t *testing.T) {
	s := read(t, "  live: { provider: openai, model: small, base_url: \"http://127.0.0.1:1\" }\n", "", nil)
	one, target := s.Head.Suites[0], s.Rules.Targets["live"]
	c := one.Cases[0]
	if asking.ExceedsBounds(s, one, c, target) {
		t.Error("there are no bounds, and the case is beyond them")
	}
	s.Rules.PromptBounds = suite.NewPromptBounds(s.Rules, nil)
	if asking.ExceedsBounds(s, one, c, target) {
		t.Error("the prompt names no model, and is beyond the bounds")
	}
	limited := target
	limited.MaxTokens = new(7)
	if asking.ExceedsBounds(s, one, c, limited) {
		t.Error("the limit is the target's own, and is beyond the bounds")
	}
	opened := c.Open()
	body := *opened.Body
	body.Prompt.Model = "dear"
	opened.Body = &body
	if !asking.ExceedsBounds(s, one, &opened, target) {
		t.Error("the prompt names a model that the base does not, and is within the bounds")
	}
}

func TestWhatIsWrittenHoldsNoSecrets(t *testing.T) {
	const secret = "canary-4f1d9b7e"
	hide := redact.New([]string{secret}, nil)
	was := model.Response{Text: "say " + secret, Refusal: "no " + secret, ToolCalls: []model.ToolCall{{Name: secret, Arguments: secret}},
		Failure: &model.Failure{Message: "key " + secret}, Verdicts: []model.Verdict{{Why: secret}}}
	got := asking.Redacted(hide, was)
	for _, text := range []model.Untrusted{got.Text, got.Refusal, got.ToolCalls[0].Name, got.ToolCalls[0].Arguments, got.Failure.Message, got.Verdicts[0].Why} {
		if strings.Contains(string(text), secret) {
			t.Errorf("%q holds the secret", text)
		}
	}
	if was.ToolCalls[0].Name != secret || was.Failure.Message != "key "+secret || was.Verdicts[0].Why != secret {
		t.Error("the answer itself was changed")
	}
}

// The line of a rerun has its round and side, the keys of both requests, and no secret.
func TestTheLineOfARerun(t *testing.T) {
	one := &suite.Case{ID: "a", Body: &suite.Body{}}
	for at, side := range map[suite.Side]string{suite.Head: "head", suite.Base: "base"} {
		a := evaluate.Answer{HeadName: suiteid.Name{Suite: "s", Case: "a"}, Side: at, Suite: &suite.Suite{ID: "s"}, Case: one, Request: model.Request{Trial: 3}, Response: model.Response{Text: "open canary-4f1d9b7e"}}
		line := string(asking.RerunLine(redact.New([]string{"canary-4f1d9b7e"}, nil), a, suite.Pair{Head: one, Base: one}, recorded.Target{Name: "live"}))
		for _, want := range []string{`"suite_id":"s","case_id":"a","trial":3`, `"fresh":"` + side + `"`, `"request_key":"0000`, `"base_key":"0000`, `"name":"live"`, `"raw_response":"open `} {
			if !strings.Contains(line, want) || strings.Contains(line, "canary") {
				t.Errorf("%s lacks %s", line, want)
			}
		}
	}
}

// A price is that of the target's own model. Where a change asks another, the cost is an estimate.
func TestAModelWhosePriceNobodyToldIsNamed(t *testing.T) {
	const priced = "  live: { provider: openai, model: small, base_url: \"http://127.0.0.1:1\", price: { input_per_million: 1, output_per_million: 2 } }\n"
	files := func(prompt string) runtest.Files {
		return runtest.Files{"failproof.yml": "version: 1\nsuites: [\"*.prompt.yml\"]\ndefault_target: live\ntargets:\n" + priced, "a.prompt.yml": prompt}
	}
	const prompt = "model: %\nmessages: [{ role: user, content: Is it open? }]\ntestData: [{ input: x, expected: open }]\nevaluators: [{ name: e, string: { contains: open } }]\n"
	for model, want := range map[string]int{"small": 0, "large": 1} {
		s, err := sides.Read(runtest.Inputs(t, files(strings.ReplaceAll(prompt, "%", model)), files(strings.ReplaceAll(prompt, "%", "small")), nil))
		if err != nil || s.Selected == nil {
			t.Fatalf("%v, faults %v", err, s.Faults)
		}
		if got := asking.PriceWarnings(s); len(got) != want {
			t.Errorf("model %s: warnings %+v, want %d", model, got, want)
		}
	}
}

// If the head asks for another model, the price of the base's model is all that is known.
func TestAPriceOfAnotherModelIsNamedWithTheModelThatItIsOf(t *testing.T) {
	priced := live(", price: { input_per_million: 1, output_per_million: 2 }")
	for _, c := range []struct {
		rule string
		head runtest.Files
		want []string
	}{
		{"the same model", priced, nil},
		{"another one", with(priced, "failproof.yml", "small", "large"),
			[]string{"no price is set for large (target live): limits.max_cost_usd uses the price of small"}},
		{"without a price", with(live(""), "failproof.yml", "small", "large"), nil},
	} {
		base := priced
		if c.rule == "without a price" {
			base = live("")
		}
		s := readBoth(t, c.head.Merge(runtest.Files{"p.md": "Is it really open?\n"}), base, nil)
		var got []string
		for _, w := range asking.PriceWarnings(s) {
			got = append(got, w.Message)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.rule, got, c.want)
		}
	}
}

func TestAnEvenSampleIsSpreadFromItsOffset(t *testing.T) {
	all := []int{0, 1, 2, 3, 4, 5}
	for _, c := range []struct {
		n      int
		offset uint64
		want   []int
	}{{0, 0, nil}, {2, 0, []int{0, 3}}, {2, 10, []int{4, 1}}, {4, 0, []int{0, 1, 3, 4}}, {9, 0, all}} {
		if got := asking.EvenSample(all, c.n, c.offset); !slices.Equal(got, c.want) {
			t.Errorf("%d from %d: %v, want %v", c.n, c.offset, got, c.want)
		}
	}
}
