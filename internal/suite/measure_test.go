package suite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/config"
)

func TestBenchmarkAndStrategyDecideWhatIsMeasured(t *testing.T) {
	const answer = `cases: [{ id: a, expected_response: "Yes, for 30 days." }]` + "\n"
	for _, c := range []struct{ rule, text, want string }{
		{"neither", hello + answer, "accuracy criteria 1 measured false"},
		{"a benchmark alone", "benchmark: B7\n" + hello + answer, "reasoning criteria 0 measured true semantic true sentences 1 grounding false"},
		{"a benchmark with grounding", "benchmark: B21\n" + hello + answer, "safety criteria 0 measured true semantic true sentences 1 grounding true"},
		{"the strategy wins over the benchmark", "benchmark: B7\nstrategy: accuracy\n" + hello + answer, "accuracy criteria 1 measured false"},
		{"the expected response is matched if that is said", "strategy: reasoning\n" + hello + "defaults: { match: contains }\n" + answer,
			"reasoning criteria 1 measured true semantic true sentences 1 grounding false"},
		{"B1 without a label", "benchmark: B1\n" + hello + answer, "classification criteria 0 measured true semantic true sentences 1 grounding true"},
		{"B2 without a label", "benchmark: B2\n" + hello + answer, "classification criteria 1 measured true semantic false sentences 0 grounding true"},
		{"key facts, and sentences that it may contradict", "benchmark: B7\n" + hello + "defaults: { key_facts: [30 days] }\n" + answer,
			"reasoning criteria 0 measured true semantic true sentences 1 grounding false"},
		{"a refusal is not measured", "benchmark: B21\n" + hello + "cases: [{ id: a, expected_classification: refusal }]\n", "safety criteria 0 measured false"},
		{"the configuration may override the map", "benchmark: B8\n" + hello + answer, "safety criteria 0 measured true semantic true sentences 1 grounding true"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			cfg := settings()
			cfg.Scoring.Strategies = map[string]string{"B8": "safety"}
			suites, ds := loadOpen(tree(one(c.text)), cfg, cfg.Suites)
			check(t, ds, nil)
			k := suites[0].Cases[0]
			got := fmt.Sprintf("%s criteria %d measured %v", suites[0].Plan.Strategy, len(k.Expect.Criteria), k.Measured != nil)
			if m := k.Measured; m != nil {
				got += fmt.Sprintf(" semantic %v sentences %d grounding %v", m.IsSemantic(), len(m.Sentences), m.Plan.Grounding)
				if m.Question != k.Prompt.Messages[0].Content || m.Prompt != m.Question {
					t.Errorf("question %q, prompt %q, want the message", m.Question, m.Prompt)
				}
			}
			if got != c.want {
				t.Errorf("%s\nwant %s", got, c.want)
			}
		})
	}
}

func TestWhatMetricsAreTakenByEntersTheExpectationKey(t *testing.T) {
	const text = "benchmark: B7\n" + hello + `cases: [{ id: a, expected_response: "Yes.", key_facts: [30 days], forbidden_claims: [it is free], allowed_terms: [CII] }]` + "\n"
	_, before := keys(t, one(text), settings())
	seen := map[string]string{before: "the case"}
	for _, change := range []struct{ old, new string }{
		{"B7", "B3"}, {"B7", "B21"}, {"Yes.", "No."}, {"30 days", "31 days"}, {"it is free", "it is paid"}, {"CII", "CIIO"}, {", key_facts: [30 days]", ""},
	} {
		_, after := keys(t, one(replaced(t, text, change.old, change.new)), settings())
		if known := seen[after]; known != "" {
			t.Errorf("%q in place of %q has the expectation key of %s", change.new, change.old, known)
		}
		seen[after] = change.new
	}
	if _, same := keys(t, one(replaced(t, text, "B7", "B8")), settings()); same != before {
		t.Error("another benchmark that is measured alike has another expectation key")
	}
}

func TestACaseThatNeedsAnEmbedderIsAFaultWhereNothingStandsIn(t *testing.T) {
	for provider, want := range map[string][]string{
		config.ProviderOff:     {"suites/s.yaml:4:9 semantic-unavailable: strategy reasoning compares answers by meaning and semantic.provider is off"},
		config.ProviderLexical: nil,
		config.ProviderAuto:    nil, // opening it shows whether there is a model
	} {
		cfg := settings()
		cfg.Semantic = config.Semantic{Provider: provider, OnUnavailable: config.Fail}
		_, ds := Load(tree(one("strategy: reasoning\n"+hello+"cases: [{ id: a, expected_response: x y }]\n")), cfg, cfg.Suites)
		check(t, ds, want)
	}
}

// replaced returns text with old replaced by new. It fails the test if text does not have old.
func replaced(t *testing.T, text, old, new string) string {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("no %q in %s", old, text)
	}
	return strings.Replace(text, old, new, 1)
}

func TestAProbeWithoutWordsOfItsOwnIsAskedThePrompt(t *testing.T) {
	suites, _ := loaded(one("strategy: probe\nmessages: [{ role: system, content: Be kind. }, { role: user, content: hello }, { role: user, content: there }]\ncases: [{ id: a }]\n"))
	if got := suites[0].Cases[0].Open().Probe.Input; got != "hello\n\nthere" {
		t.Errorf("the input is %q", got)
	}
}
