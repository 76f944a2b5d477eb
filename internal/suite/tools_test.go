package suite

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
)

const refundTools = `[
  { "type": "function", "function": { "name": "refund", "description": "Pays back", "parameters": { "type": "object", "properties": { "order": { "type": "string" }, "sum": { "minimum": -1.5e3 } } } } },
  { "type": "function", "function": { "name": "hang_up", "strict": true } }
]
`

// offering returns the files of a suite with tools and cases.
func offering(cases, tools string) map[string]string {
	files := one("tools: tools.json\n" + hello + "cases: [" + cases + "]\n")
	files["suites/tools.json"] = tools
	return files
}

func TestToolsAreOfferedAndExpected(t *testing.T) {
	suites, ds := loaded(offering(`{ id: a, expected_tools: [{ name: refund, arguments: { order: A-1, sum: 2 } }] }, { id: b, expected_tools: [] }, { id: c }`, refundTools))
	check(t, ds, nil)
	cases := suites[0].Cases
	for _, c := range cases {
		if !strings.HasPrefix(c.Prompt.Tools, `[{"type":"function","function":{"name":"refund",`) || c.Keys().RequestKey.String() != c.Prompt.Key() || len(c.Prompt.ToolList()) != 2 {
			t.Errorf("case %s offers %s", c.ID, c.Prompt.Tools)
		}
	}
	for i, want := range []int{0, 1, 0} { // number of criteria that a right call of refund misses
		a := expect.NewAnswer(model.Response{})
		a.ToolCalls = []model.ToolCall{{Name: "refund", Arguments: `{"sum":2.0,"order":"A-1","note":"x"}`}}
		if _, unmet, _ := cases[i].Expect.Check(a, nil); len(unmet) != want {
			t.Errorf("case %s: unmet %v", cases[i].ID, unmet)
		}
	}
	if got := suites[0].Files; len(got) != 1 || got[0].Kind != KindTools || got[0].Path != "suites/tools.json" {
		t.Errorf("files are %v", got)
	}
}

func TestToolsArePartOfTheKeys(t *testing.T) {
	keys := func(cases, tools string) [2]Key {
		suites, ds := loaded(offering(cases, tools))
		check(t, ds, nil)
		return [2]Key{suites[0].Cases[0].Keys().RequestKey, suites[0].Cases[0].Keys().ExpectationKey}
	}
	before := keys("{ id: a, expected_tools: [{ name: refund }] }", refundTools)
	if got := keys("{ id: a, expected_tools: [{ name: refund }] }", strings.ReplaceAll(refundTools, "\n", "\r\n ")); got != before {
		t.Error("the layout of a file of tools changes a key")
	}
	if got := keys("{ id: a, expected_tools: [{ name: refund }] }", strings.Replace(refundTools, "Pays", "Gives", 1)); got[0] == before[0] || got[1] != before[1] {
		t.Error("another tool is another request, and nothing else")
	}
	if got := keys("{ id: a, expected_tools: [{ name: refund, arguments: { order: x } }] }", refundTools); got[0] != before[0] || got[1] == before[1] {
		t.Error("another call is another expectation, and nothing else")
	}
}

func TestFaultsOfTools(t *testing.T) {
	with := func(tools string) map[string]string { return offering("{ id: a }", tools) }
	expecting := func(cases string) map[string]string { return offering(cases, refundTools) }
	http := one("tools: p.md\ntarget: app\n" + hello + "cases: [{ id: a }]\n")
	for _, c := range []struct {
		rule  string
		files map[string]string
		want  []string
	}{
		{"tools are JSON", with("- a\n"), []string{"suites/tools.json:1:2 syntax: not JSON: "}},
		{"tools are a list", with("{}"), []string{"suites/s.yaml:…"}},
		{"a tool is there", with("[]"), []string{"suites/tools.json:1:1 length: the file has 0 items; expected 1 to 128 items"}},
		{"a tool is a function", with(`[{"type": "web_search"}]`), []string{"suites/tools.json:1:2 missing-key: `function` is missing in item 1", "suites/tools.json:1:11 const: `type` is \"web_search\"; expected function"}},
		{"a function has a name", with(`[{"type": "function", "function": {}}]`), []string{"suites/tools.json:1:35 missing-key: `name` is missing in `function`"}},
		{"a name is plain", with(`[{"type": "function", "function": {"name": "a b"}}]`), []string{"suites/tools.json:1:44 pattern: `name` is \"a b\"; expected 1 to 64 letters"}},
		{"a name stands once", with(`[{"type": "function", "function": {"name": "a"}}, {"type": "function", "function": {"name": "a"}}]`),
			[]string{"suites/tools.json:1:93 tools: the tool \"a\" is there twice"}},
		{"an unknown key is refused", with(`[{"type": "function", "function": {"name": "a", "params": {}}}]`), []string{"suites/tools.json:1:49 unknown-key: unknown key \"params\""}},
		{"parameters are a schema", with(`[{"type": "function", "function": {"name": "a", "parameters": "x"}}]`), []string{"suites/tools.json:1:63 type: `parameters` is \"x\"; expected a map"}},
		{"an expected tool is one of them", expecting("{ id: a, expected_tools: [{ name: refnd }] }"), []string{`suites/s.yaml:4:43 tools: the suite's tools have no "refnd"; they have "refund", "hang_up"`}},
		{"a call has a name", expecting("{ id: a, expected_tools: [{ arguments: {} }] }"), []string{"suites/s.yaml:4:35 missing-key: "}},
		{"arguments are a map", expecting("{ id: a, expected_tools: [{ name: refund, arguments: [1] }] }"), []string{"suites/s.yaml:4:62 type: "}},
		{"tools are offered", one(hello + "cases: [{ id: a, expected_tools: [] }]\n"), []string{"suites/s.yaml:3:34 tools: `expected_tools` needs `tools`"}},
		{"a call is no refusal", expecting("{ id: a, expected_classification: refusal, expected_tools: [] }"), []string{"suites/s.yaml:4:52 contradiction: "}},
		{"tools lie in the tree", one("tools: ../../t.json\n" + hello + "cases: [{ id: a }]\n"), []string{"suites/s.yaml:2:8 path: …leads out"}},
		{"an application is sent none", http, []string{`suites/s.yaml:2:8 tools: target "app" is of provider http, which is sent no tools`}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			cfg := settings()
			app := cfg.Targets["fast"]
			app.Name, app.Provider = "app", "http"
			cfg.Targets["app"] = app
			_, ds := loadOpen(tree(c.files), cfg, cfg.Suites)
			if c.rule == "tools are a list" { // a map is also read as a suite and rejected
				if !document.HasErrors(ds) || !strings.Contains(strings.Join(lines(ds), "\n"), "suites/tools.json:1:1 type: the file is a map; expected a list") {
					t.Errorf("diagnostics are %v", lines(ds))
				}
				return
			}
			check(t, ds, c.want)
		})
	}
}
