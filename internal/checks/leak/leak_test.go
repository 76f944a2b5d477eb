package leak_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/checks/leak"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
)

// files are a suite whose two cases expect 14 May and 30 April, with a prompt.
func files(prompt string) runtest.Files {
	return runtest.Files{
		"failproof.yml": "version: 1\nsuites: [s.yaml]\ntargets: { kept: { provider: recorded, path: \"{suite}.jsonl\" } }\n",
		"s.yaml": "version: 1\nid: s\nmessages: [{ role: user, content: \"" + prompt + "\" }]\ncases:\n" +
			"  - { id: a, vars: { m: May, d: 14, date: 14 May, mo: 14 M, n: ay }, expected_response: 14 May, match: contains }\n" +
			"  - { id: b, vars: { m: April, d: 30, date: 30 April, mo: 30 Ap, n: ril }, expected_response: 30 April, match: contains }\n",
		"s.jsonl": `{"suite_id": "s", "case_id": "a", "raw_response": "14 May"}` + "\n" + `{"suite_id": "s", "case_id": "b", "raw_response": "30 April"}` + "\n",
	}
}

func TestVariablesThatTellTheAnswerAloneOrTogether(t *testing.T) {
	for _, c := range []struct {
		rule, base, head string
		want             string
	}{
		{"one alone", "When?", "When? {{ date }}", "date"},
		{"one alone, beside another", "When?", "When? {{ m }} {{ date }}", "date"},
		{"a half", "When?", "When? {{ d }}", ""},
		{"two halves", "When?", "When? {{ d }} {{ m }}", "d and m"},
		{"two halves far apart", "When?", "{{ d }} When? {{ m }}", "d and m"},
		{"two halves that are sent in another order", "When?", "When? {{ m }} {{ d }}", ""},
		{"parts of a word", "When?", "When? {{ mo }}{{ n }}", "mo and n"},
		{"one half that was sent before", "When? {{ d }}", "When? {{ d }} {{ m }}", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s, err := sides.Read(runtest.Inputs(t, files(c.head), files(c.base), nil))
			if err != nil || s.Selected == nil {
				t.Fatalf("%v, faults %v", err, s.Faults)
			}
			var found gate.Run
			leak.New(s).Static(&found)
			var want []gate.Leak
			if c.want != "" {
				want = []gate.Leak{{Variable: c.want, Suite: "s", Cases: 2, Checked: 2}}
			}
			if diff := cmp.Diff(want, found.Leaks); diff != "" {
				t.Errorf("leaks (-want +got):\n%s", diff)
			}
		})
	}
}
