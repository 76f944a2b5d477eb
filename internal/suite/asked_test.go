package suite

import "testing"

func TestWhatAFileIsToACase(t *testing.T) {
	files := map[string]string{
		"suites/s.yaml": `version: 1
messages:
  - { role: assistant, file: told.md }
  - { role: assistant, file: both.md }
  - { role: system, file: both.md }
tools: tools.json
cases:
  - { id: a, assert: ["response.text != ''"], messages: [{ role: user, file: own.md }, { role: assistant, file: other.md }] }
  - { id: b, vars: { v: { file: value.md } }, assert: ["response.text != vars.v"], messages: [{ role: user, content: Hello }, { role: system, file: told.md }] }
`,
		"suites/tools.json": `[{"type":"function","function":{"name":"look"}}]`,
		"suites/told.md":    "told", "suites/both.md": "both", "suites/own.md": "own", "suites/other.md": "other", "suites/value.md": "value",
	}
	cfg := settings()
	suites, ds := Load(tree(files), cfg, cfg.Suites)
	if len(suites) != 1 {
		t.Fatal(lines(ds))
	}
	s := suites[0]
	for path, want := range map[string][2]FileRole{ // roles in a and in b
		"suites/told.md":    {AssistantText, PromptText},
		"suites/both.md":    {PromptText, PromptText},
		"suites/tools.json": {PromptText, PromptText},
		"suites/own.md":     {PromptText, NotSent},
		"suites/other.md":   {AssistantText, NotSent},
		"suites/value.md":   {NotSent, NotSent},
		"suites/s.yaml":     {NotSent, NotSent},
	} {
		if got := [2]FileRole{s.CaseFileRole(s.Cases[0], path), s.CaseFileRole(s.Cases[1], path)}; got != want {
			t.Errorf("%s is to a and to b %v, want %v", path, got, want)
		}
	}
}
