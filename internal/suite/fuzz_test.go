package suite

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/score"
)

// FuzzLoadSuite loads random bytes as each kind of suite file. The result must be diagnostics with an error, or suites
// in which each case can be run.
func FuzzLoadSuite(f *testing.F) {
	for form, texts := range [][]string{
		{full, keyed, "version: 1\n" + hello + "cases: [{ id: a }]\n", "", "~", "version: 1\nid: [", "cases: [{ id: a, assert: ['vars.x'] }]"},
		{`{"version":1,"messages":[{"role":"user","content":"{{ x }}"}],"cases":[{"id":"a","vars":{"x":1}}]}`, "{}"},
		{`{"case_id":"a","suite_id":"s","prompt":"{{ x }}","prompt_vars":{"x":"\ud83d\ude00"}}`, `{"case_id":"a","suite_id":"s","prompt":"\u00e9${X}"}`},
		{promptText, "messages: [{}]\nevaluators: [{ string: { equals: [] } }]"},
		{csvRows, "id,q,assert,tags,trials\na,x,\"[{\"\"contains\"\":1}]\",t,2\n,\"\",,,\n", "q\n\"x", "a;b\n1"},
		{jsonRows, `{"q":{"file":"p.md"},"messages":[{"role":"user","file":"p.md"}],"expected_tools":[]}`, `{"vars":null,"assert":{"replace":[]}}`},
		{yamlRows, "- ~\n- { q: ~, vars: { q: [] } }\n- { messages: ~ }"},
		{refundTools, `[{"type":"function","function":{"name":"a","parameters":{}}}]`, `[{}]`},
		{`[{"role":"user","content":"{{ q }}"}]`, `[{"role":"user","content":"file://x"}]`, `[null]`},
	} {
		for _, text := range texts {
			f.Add(byte(form), []byte(text))
		}
	}
	paths := []string{"suites/s.yaml", "suites/s.json", "suites/s.jsonl", "suites/s.prompt.yml", "suites/d.csv", "suites/d.jsonl", "suites/d.yaml", "suites/t.json", "suites/c.json"}
	naming := map[string]string{"suites/d.csv": "cases: { file: d.csv }", "suites/d.jsonl": "cases: { file: d.jsonl }", "suites/d.yaml": "cases: { file: d.yaml }",
		"suites/t.json": "tools: t.json\ncases: [{ id: a, vars: { q: 1 } }]", "suites/c.json": "cases: [{ id: a, vars: { q: 1 } }]"}
	f.Fuzz(func(t *testing.T, form byte, data []byte) {
		path := paths[int(form)%len(paths)]
		files := map[string]string{path: string(data), "suites/p.md": "Say {{ x }}"}
		if named, of := naming[path]; of {
			prompt := "messages: [{ role: user, content: 'Say {{ q }}' }]\n"
			if path == "suites/c.json" {
				prompt = "prompt: c.json\n"
			}
			files["suites/s.yaml"], path = "version: 1\n"+prompt+named+"\n", "suites/s.yaml"
		}
		suites, ds := loadOpen(tree(files), settings(), []string{path})
		for _, d := range ds {
			if d.Path == "" || d.Rule == "" || d.Message == "" || !utf8.ValidString(d.Message) || strings.ContainsAny(d.Message, "\r\n") ||
				d.Line < 0 || d.Column < 0 || d.Line > strings.Count(string(data), "\n")+5 { // what is missing at the end stands on the line after it, and what names data has three
				t.Errorf("diagnostic %+v", d)
			}
		}
		if document.HasErrors(ds) != (len(suites) == 0) {
			t.Fatalf("%d suites and %v", len(suites), lines(ds))
		}
		for _, s := range suites {
			runnable(t, s)
		}
	})
}

// runnable fails the test unless every case of s can be asked and judged.
func runnable(t *testing.T, s *Suite) {
	t.Helper()
	if _, known := score.StrategyMap(nil).Strategies[s.Plan.Strategy]; !known || !validSuiteID(s.ID) || s.Target == "" || s.Trials < 1 ||
		s.Trials > 100 || !(s.Weight >= 0) || len(s.Cases) == 0 {
		t.Errorf("suite %+v", s)
	}
	seen := map[string]bool{}
	for _, c := range s.Cases {
		if !validCaseID(c.ID) || seen[strings.ToLower(c.ID)] || c.Expect == nil || c.Severity == "" || c.Pos.Line < 1 ||
			len(c.Keys().RequestKey) != 32 || len(c.Keys().ExpectationKey) != 32 || len(c.Prompt.Messages) == 0 || c.Prompt.Provider == "" {
			t.Errorf("case %+v", c)
		}
		seen[strings.ToLower(c.ID)] = true
	}
}
