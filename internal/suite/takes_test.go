package suite

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/config"
)

const taken = `version: 1
target: TARGET
messages: [{ role: user, content: "Say {{ x }}" }]
cases:
  - { id: a, vars: { x: "1", user: u-1 }, expected_format: { type: json, schema: answer.json } }
`

// takenBy loads the case of a suite with a target of a configuration.
func takenBy(t *testing.T, target, targets, suite string) (Case, []string) {
	t.Helper()
	cfg, faults := config.Load(fstest.MapFS{"failproof.yml": {Data: []byte("version: 1\nsuites: [suites/*.yaml]\ntargets:\n" + targets)}}, "failproof.yml")
	if cfg == nil {
		t.Fatal(faults)
	}
	suites, ds := Load(tree(map[string]string{"suites/s.yaml": strings.Replace(suite, "TARGET", target, 1), "suites/answer.json": "{\n \"type\": \"object\", \"properties\": { \"why\": {}, \"label\": {} } }\n"}), cfg, cfg.Suites)
	if len(suites) == 0 {
		return Case{}, lines(ds)
	}
	return suites[0].Cases[0].Open(), lines(ds)
}

const (
	replayed    = `  replay: { provider: recorded, path: r.jsonl }` + "\n"
	plainTarget = `  plain: { provider: openai, model: m }` + "\n"
	appTarget   = `  app: { provider: http, url: "https://x.org", body: { q: "{{ prompt }}", x: "{{ vars.x }}", id: "{{ vars.user }}" }, answer: response.json.a }` + "\n"
	structured  = `  schema: { provider: openai, model: m, structured_output: true, reasoning_effort: low }` + "\n"
)

func TestACaseCarriesWhatItsTargetIsSent(t *testing.T) {
	const all = replayed + plainTarget + appTarget + structured
	for _, c := range []struct {
		target   string
		vars     map[string]string
		schema   string
		settings []string
	}{
		{"plain", nil, "", nil},
		{"app", map[string]string{"x": "1", "user": "u-1"}, "", []string{"answer", "body", "url"}},
		{"schema", nil, `{"type":"object","properties":{"why":{},"label":{}}}`, []string{"reasoning_effort", "structured_output"}},
		{"replay", map[string]string{"user": "u-1"}, `{"type":"object","properties":{"why":{},"label":{}}}`, nil}, // a variable in a message is left out
	} {
		t.Run(c.target, func(t *testing.T) {
			got, ds := takenBy(t, c.target, all, taken)
			for _, line := range ds {
				if !strings.Contains(line, "unused-variable") {
					t.Error(line)
				}
			}
			var settings []string
			for key := range got.Prompt.Settings {
				settings = append(settings, key)
			}
			slices.Sort(settings)
			if diff := cmp.Diff([]any{c.vars, c.schema, c.settings}, []any{got.Prompt.Vars, got.Prompt.AnswerSchema, settings}); diff != "" {
				t.Errorf("sent (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTheRequestKeyCoversWhatIsSent checks that an application's recording becomes stale if a variable changes that is
// sent beside the messages.
func TestTheRequestKeyCoversWhatIsSent(t *testing.T) {
	other := strings.NewReplacer("user: u-1", "user: u-2").Replace(taken)
	for _, c := range []struct {
		rule, target, targets string
		differs               bool
	}{
		{"a variable that is sent", "app", appTarget, true},
		{"of a recording of it", "replay", replayed + appTarget, true},
		{"a variable that is not sent", "plain", plainTarget, false},
		{"of a recording of that", "replay", replayed + plainTarget, false},
	} {
		before, _ := takenBy(t, c.target, c.targets, taken)
		after, _ := takenBy(t, c.target, c.targets, other)
		if (before.Keys().RequestKey != after.Keys().RequestKey) != c.differs || before.Keys().RequestKey == (Key{}) {
			t.Errorf("%s: the keys differ %v, want %v", c.rule, !c.differs, c.differs)
		}
	}
	low, _ := takenBy(t, "schema", structured, taken)
	high, _ := takenBy(t, "schema", strings.Replace(structured, "low", "high", 1), taken)
	if low.Keys().RequestKey == high.Keys().RequestKey {
		t.Error("another reasoning_effort is the same request")
	}
	slow, _ := takenBy(t, "schema", strings.Replace(structured, "low", "low, timeout: 9s, api_key_env: K, base_url: \"https://x.org\"", 1), taken)
	if low.Keys().RequestKey != slow.Keys().RequestKey {
		t.Error("another place, key and time make another request")
	}
}

func TestAVariableThatTheTargetIsSentIsDefined(t *testing.T) {
	_, ds := takenBy(t, "app", appTarget, strings.Replace(taken, ", user: u-1", "", 1))
	if len(ds) != 1 || !strings.Contains(ds[0], "undefined-variable") || !strings.Contains(ds[0], `"user" is not defined in case a of suite s; add it to vars, which target "app" sends`) {
		t.Errorf("diagnostics %v, want that user is not defined", ds)
	}
	_, ds = takenBy(t, "replay", replayed+appTarget, strings.Replace(taken, ", user: u-1", "", 1))
	if len(ds) > 0 {
		t.Errorf("a recording: diagnostics %v", ds)
	}
}
