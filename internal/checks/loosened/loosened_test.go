package loosened_test

import (
	"testing"

	"github.com/failproof/failproof/internal/checks/loosened"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
)

// files are a suite with a case that has the expectation.
func files(expectation string) runtest.Files {
	return runtest.Files{
		"failproof.yml": "version: 1\nsuites: [s.yaml]\ndefault_target: kept\ntargets:\n" +
			"  kept: { provider: recorded, path: \"{suite}.jsonl\" }\n" +
			"  live: { provider: openai, model: small, base_url: \"http://127.0.0.1:1\", api_key_env: K }\n" +
			"judges: { default: { target: live } }\npolicies: { p: { description: d, patterns: [idiot], apply: all } }\n",
		"s.yaml": "version: 1\nid: s\nmessages: [{ role: user, content: \"When? {{ q }}\" }]\ncases:\n" +
			"  - { id: a, vars: { q: Now? }" + expectation + " }\n",
		"s.jsonl": `{"suite_id": "s", "case_id": "a", "raw_response": "From nine to five."}` + "\n",
	}
}

func TestACaseThatAcceptsUnrelatedTextsIsLoosened(t *testing.T) {
	const nine, short = ", expected_response: nine, match: contains", `, assert: ["response.length < 2000"]`
	for _, c := range []struct {
		rule, base, head string
		want             bool
	}{
		{"an expression that is always true", nine, `, assert: ["true"]`, true},
		{"a script that is always true", nine, `, assert: [{ javascript: "true" }]`, true},
		{"any text at all", nine, `, assert: ["response.length > 0"]`, true},
		{"without a word that nobody says", nine, `, assert: [{ not_contains: zzzz }]`, true},
		{"a pattern that fits everything", nine, `, expected_response: "/(?s).*/"`, true},
		{"a key fact that fits everything", nine, `, key_facts: ["/./"]`, true},
		{"a policy of all cases alone", nine, "", true},
		{"in place of a refusal", ", expected_classification: refusal", `, assert: ["true"]`, true},
		{"in place of a form", short, `, assert: ["true"]`, true},
		{"in place of a judge's criterion", ", rubric: [Names the hours]", `, assert: ["true"]`, true},

		{"another word", nine, ", expected_response: ten, match: contains", false},
		{"a number", nine, `, expected_response: "/\\d/"`, false},
		{"a sentence", nine, `, expected_response: "/^[A-Z].*[.]$/"`, false},
		{"a form", nine, ", expected_format: { type: json }", false},
		{"a length", nine, short, false},
		{"a refusal", nine, ", expected_classification: refusal", false},
		{"a judge's criterion", nine, ", rubric: [Names the hours]", false},
		{"another word that nobody says", `, assert: [{ not_contains: zzzz }]`, `, assert: [{ not_contains: yyyy }]`, false},
		{"as it was", nine, nine, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s, err := sides.Read(runtest.Inputs(t, files(c.head), files(c.base), nil))
			if err != nil || s.Selected == nil {
				t.Fatalf("%v, faults %v", err, s.Faults)
			}
			var found gate.Run
			loosened.New(s).Static(&found)
			if found.Loosened["s/a"] != c.want || len(found.Loosened) > 1 {
				t.Errorf("loosened %v, want s/a: %v", found.Loosened, c.want)
			}
		})
	}
}
