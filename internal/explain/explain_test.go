package explain_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/explain"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/run/runtest"
)

// shop is a repository with a live case, a recorded one, and one of another suite whose prompt stays.
func shop(address, prices string) (head, base runtest.Files) {
	base = runtest.Files{
		"failproof.yml": "version: 1\nsuites: ['*.yaml']\ndefault_target: live\ntargets:\n  live: { provider: openai, model: small, base_url: \"" +
			address + "\"" + prices + " }\n  other: { provider: openai, model: large, base_url: \"" + address + "\" }\n" +
			"  kept: { provider: recorded, path: r.jsonl }\n",
		"s.yaml":  "version: 1\nid: s\nprompt: p.md\ncases:\n  - { id: a, expected_response: open, match: contains }\n",
		"k.yaml":  "version: 1\nid: k\nprompt: p.md\ntarget: kept\ncases:\n  - { id: b, expected_response: open, match: contains }\n",
		"t.yaml":  "version: 1\nid: t\nprompt: q.md\ncases:\n  - { id: c, expected_response: open, match: contains }\n",
		"p.md":    "You keep a shop.\n\nAnswer kindly.\n\nIs it open?\n",
		"q.md":    "Is it open?\n",
		"r.jsonl": `{"suite_id": "k", "case_id": "b", "raw_response": "open"}` + "\n",
	}
	return base.Merge(runtest.Files{"p.md": "You keep a large shop.\n\nBe brief.\n\nIs it open?\n"}), base
}

// A selection without a case to ask says why, and nothing is asked.
func TestWhyASelectionHasNoCase(t *testing.T) {
	for _, c := range []struct {
		want explain.Selection
		why  string
	}{
		{explain.Selection{Cases: []string{"s/none"}}, `there is no case "s/none"`},
		{explain.Selection{Cases: []string{"a", "t/a"}}, `there is no case "t/a"`},
		{explain.Selection{Cases: []string{"c"}}, `no case "c" has another request on the head than on the base`},
		{explain.Selection{Cases: []string{"a", "t/c"}}, `no case "t/c" has another request on the head than on the base`},
		{explain.Selection{Cases: []string{"k/b"}}, `no case "k/b" has another request on the head than on the base; its answers are recorded: ` +
			"finding the line needs a model: name a live target of the configuration with --target"},
		{explain.Selection{Target: "other"}, "the answers of all cases with a changed request are of other targets than --target other"},
		{explain.Selection{Target: "kept"}, `--target is "kept"; expected a live target of the configuration`},
	} {
		head, base := shop(modeltest.UnusedURL, "")
		if c.want.Target == "other" { // the recorded case could be asked of it
			delete(head, "k.yaml")
			delete(base, "k.yaml")
		}
		say := func(format string, args ...any) { t.Errorf("%+v: says "+format, append([]any{c.want}, args...)...) }
		confirm := func(cost string) bool { t.Errorf("%+v: asks %s", c.want, cost); return false }
		_, err := explain.FindLines(t.Context(), runtest.Inputs(t, head, base, nil), c.want, asking.Sinks{Confirm: confirm, Say: say, Bugs: &fault.Bugs{}})
		if err == nil || err.Error() != c.why {
			t.Errorf("%+v: %v, want %s", c.want, err, c.why)
		}
	}
}

// The user is told what finding the line may cost, and is asked if that is much. If the user declines, nothing is sent.
func TestACostAboveTheLimitNeedsConsent(t *testing.T) {
	for _, c := range []struct {
		price      string
		cases      []string
		said, asks string
	}{
		{"", []string{"a"}, "at most 120 answers, to find which line broke 1 case\n", ""},
		{"", nil, "at most 122 answers, to find which line broke up to 1 case\n", ""},
		{", price: { input_per_million: 0.01, output_per_million: 0.01 }, max_tokens: 10", []string{"a"}, "at most 120 answers, to find which line broke 1 case, for at most $0.0001\n", ""},
		{", price: { input_per_million: 100, output_per_million: 10000 }, max_tokens: 10", []string{"a"}, "", "at most 120 answers, to find which line broke 1 case, for at most $"},
	} {
		server := modeltest.Serve(t, modeltest.TextStep(func(string) string { return "it is open" }))
		head, base := shop(server.URL, c.price)
		said, asked := "", ""
		to := asking.Sinks{Bugs: &fault.Bugs{},
			Say:     func(format string, args ...any) { said += fmt.Sprintf(format, args...) + "\n" },
			Confirm: func(question string) bool { asked += question; return false }}
		_, err := explain.FindLines(t.Context(), runtest.Inputs(t, head, base, nil), explain.Selection{Cases: c.cases}, to)
		declined := c.asks != ""
		if said != c.said || !strings.HasPrefix(asked, c.asks) || (asked != "") != declined || (err != nil) != declined || (len(server.Requests()) == 0) != declined {
			t.Errorf("%s %v: says %q, asks %q, %v, %d requests", c.price, c.cases, said, asked, err, len(server.Requests()))
		}
	}
}
