package suite

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/expect"
)

// edits has for each part of an expectation key two ways to write it, which are lines of a suite and of its case.
var edits = []struct{ part, was, is string }{
	{"expected_response", `expected_response: "yes"`, `expected_response: "no"`},
	{"mode", `expected_response: "yes"`, "expected_response: \"yes\"\n    match: contains"},
	{"mode", `expected_response: "/yes/"`, "expected_response: \"/yes/\"\n    match: regex"},
	{"mode", "expected_response: \"yes\"\nstrategy: reasoning", "expected_response: \"yes\"\n    match: exact\nstrategy: reasoning"},
	{"type", "expected_format: json", "expected_format: yaml"},
	{"strict", "expected_format: json", "expected_format: { type: json, strict: true }"},
	{"pattern", "expected_format: { type: regex, pattern: a }", "expected_format: { type: regex, pattern: b }"},
	{"schema", "expected_format: { type: json, schema: a.schema.json }", "expected_format: { type: json, schema: b.schema.json }"},
	{"expected_classification", "expected_classification: pass", "expected_classification: refusal"},
	{"assert", "assert: [{ contains: a }]", "assert: [{ contains: b }]"},
	{"expected_tools", "expected_tools: [{ name: find }]", "expected_tools: []"},
	{"expected_label", "expected_label: a\n    labels: [a, b]", "expected_label: b\n    labels: [a, b]"},
	{"labels", "expected_label: a\n    labels: [a, b]", "expected_label: a\n    labels: [a, b, c]"},
	{"labels", "expected_label: a\n    labels: [a, \"b, c\", d]", "expected_label: a\n    labels: [a, b, \"c, d\"]"},
	{"label_in", "expected_label: a\n    labels: [a, b]\n    label_in: { json: x }", "expected_label: a\n    labels: [a, b]\n    label_in: { json: y }"},
	{"strategy", "key_facts: [ten euros]", "key_facts: [ten euros]\nstrategy: classification"},
	{"reference", "key_facts: [ten euros]\n    expected_response: It is ten\nstrategy: reasoning", "key_facts: [ten euros]\n    expected_response: It is nine\nstrategy: reasoning"},
	{"key_facts", "key_facts: [ten euros]", "key_facts: [nine euros]"},
	{"forbidden_claims", "forbidden_claims: [it is free]", "forbidden_claims: [it is cheap]"},
	{"allowed_terms", "key_facts: [ten euros]\n    allowed_terms: [must]", "key_facts: [ten euros]\n    allowed_terms: [shall]"},
	{"grounding", "key_facts: [ten euros]\nstrategy: accuracy", "key_facts: [ten euros]\nstrategy: safety"},
	{"criteria", "rubric: [Is kind]", "rubric: [Is short]"},
	{"optional", "rubric: [Is kind]", "rubric: [{ criterion: Is kind, optional: true }]"},
	{"fact", "key_facts: [ten euros]", "key_facts: [ten euros]\n    facts: { unclear: judge }"},
	{"rubric", "rubric: [Is kind]\n    reference: Sure", "rubric: [Is kind]\n    reference: Never"},
	{"asked", "rubric: [Is kind]", "rubric: { asked: [], criteria: [Is kind] }"},
	{"context", "rubric: { criteria: [Is kind] }", "rubric: { context: [x], criteria: [Is kind] }"},
	{"policies", "policies: [no-promises]", "policies: [no-secrets]"},
	{"case_threshold", "case_threshold: 0.5", "case_threshold: 0.6"},
	{"wants_refusal", "failure_modes: [is rude]\nstrategy: probe", "failure_modes: [harmful_compliance]\nstrategy: probe"},
}

func TestAnEditThatRedefinesACaseIsToldInItsDemands(t *testing.T) {
	cfg := settings()
	cfg.Judge = &config.Judge{Target: "fast", Votes: 1}
	read := func(t *testing.T, written string) (*Case, []expect.Requirement) {
		at, more, _ := strings.Cut(written, "\nstrategy")
		if more != "" {
			more = "strategy" + more + "\n"
		}
		files := map[string]string{"suites/a.schema.json": `{"minProperties": 1}`, "suites/b.schema.json": `{"minProperties": 2}`,
			"suites/tools.json": `[{"type": "function", "function": {"name": "find", "parameters": {"type": "object"}}}]`,
			"suites/s.yaml": "version: 1\ntarget: fast\nmessages: [{ role: user, content: \"{{ x }}\" }]\n" + more +
				"tools: tools.json\ncases:\n  - id: a\n    vars: { x: 1 }\n    " + at + "\n"}
		suites, ds := loadOpen(tree(files), cfg, cfg.Suites)
		for _, line := range lines(ds) {
			t.Fatal(line)
		}
		c := suites[0].Cases[0].Open()
		return &c, c.Demands()
	}
	told := map[string]bool{}
	for _, e := range edits {
		told[e.part] = true
		t.Run(e.part, func(t *testing.T) {
			base, before := read(t, e.was)
			head, now := read(t, e.is)
			if !Redefined(base, head) {
				t.Fatal("the edit redefines nothing")
			}
			if slices.Equal(before, now) {
				t.Errorf("both are told as %v", now)
			}
		})
	}
	untold := []string{"vars", "turns", "text", "measured", "format", "expects_fail", "otherwise", "needs"}
	for _, of := range []any{expectationContent{}, metricTexts{}, criterion{}, formatKey{}, Rubric{}, Criterion{}} {
		for field := range reflect.TypeOf(of).Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name != "" && name != "-" && !told[name] && !slices.Contains(untold, name) {
				t.Errorf("%T: the key has %s, and no edit of it is here: %v", of, name, slices.Sorted(maps.Keys(told)))
			}
		}
	}
}

func TestAVariableThatOnlyChecksReadIsADemand(t *testing.T) {
	cfg := settings()
	cfg.Judge = &config.Judge{Target: "fast", Votes: 1}
	for _, c := range []struct{ rule, checks, want string }{
		{"a script may read any", "assert: [{ javascript: output === context.vars.want }]", "vars.note: n, vars.want: w"},
		{"an expression reads those that it names", "assert: [response.text == vars.want]", "vars.want: w"},
		{"a judge sees all", "rubric: [Is kind]", "vars.note: n, vars.want: w"},
		{"or those that the rubric names", "rubric: { asked: [x], context: [note], criteria: [Is kind] }", "vars.note: n"},
		{"no check reads one", "assert: [{ contains: a }]", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			suites, _ := loadOpen(tree(map[string]string{"suites/s.yaml": "version: 1\ntarget: fast\nmessages: [{ role: user, content: \"{{ x }}\" }]\n" +
				"cases: [{ id: a, vars: { x: 1, want: w, note: n }, " + c.checks + " }]\n"}), cfg, cfg.Suites)
			var got []string
			for _, d := range suites[0].Cases[0].Open().Demands() {
				if strings.HasPrefix(d.Criterion, "vars.") {
					got = append(got, d.Criterion+": "+d.Expected)
				}
			}
			if got := strings.Join(got, ", "); got != c.want {
				t.Errorf("the demands have %q, want %q", got, c.want)
			}
		})
	}
}
