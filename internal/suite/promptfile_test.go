package suite

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
)

const promptText = `name: Summariser
description: Summarises text
model: openai/gpt-4o-mini
modelParameters:
  temperature: 0.5
  topP: 0.9
  maxTokens: 200
messages:
  - role: system
    content: You are brief.
  - role: user
    content: "Summarise: {{input}}"
responseFormat: json_schema
jsonSchema: |
  { "name": "s", "schema": {"minimum": -1} }
testData:
  - input: The fox
    expected: a Fox
    id: fox
  - input: The dog
    expected: DOG
evaluators:
  - name: mentions
    string:
      contains: "{{expected}}"
      startsWith: "Summary -"
  - name: quality
    llm: { modelId: openai/gpt-4o, prompt: "good?" }
  - uses: github/coherence
`

// promptFile loads one prompt file.
func promptFile(text string) ([]*Suite, []document.Diagnostic) {
	cfg := settings()
	return loadOpen(tree(map[string]string{"prompts/sum.prompt.yml": text}), cfg, []string{"**/*.prompt.yml"})
}

func TestPromptFilesOfGitHubModels(t *testing.T) {
	suites, ds := promptFile(promptText)
	check(t, ds, nil)
	s := suites[0]
	if got, want := fmt.Sprint(s.ID, "|", s.Description, "|", s.Plan.Strategy, "|", s.Target, "|", s.Trials, "|", s.Weight),
		"prompts/sum|Summarises text|accuracy|replay|1|1"; got != want {
		t.Errorf("suite %s, want %s", got, want)
	}
	want := model.Request{
		SuiteID: "prompts/sum", CaseID: "fox", Provider: "recorded", Model: "openai/gpt-4o-mini",
		Messages: []model.Message{{Role: "system", Content: "You are brief."}, {Role: "user", Content: "Summarise: The fox"}},
		Parameters: model.Parameters{Temperature: ref(0.5), TopP: ref(0.9), MaxTokens: ref(200), ResponseFormat: "json_schema",
			JSONSchema: `{"name":"s","schema":{"minimum":-1}}`},
	}
	if diff := cmp.Diff(want, s.Cases[0].Prompt); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	if got, want := fmt.Sprint(s.Cases[1].ID, " ", s.Cases[1].Pos, s.Cases[1].SkippedEvaluators), "case-743e1d874764 {20 5} [quality github/coherence]"; got != want {
		t.Errorf("second case %s, want %s", got, want)
	}
	for answer, missed := range map[string]string{
		"summary - a fOX.": "", "a fox": "mentions", "Summary - a dog": "mentions", "dog": "mentions mentions",
	} {
		_, unmet, _ := s.Cases[0].Expect.Check(expect.NewAnswer(model.Response{Text: model.Untrusted(answer)}), nil)
		var got []string
		for _, u := range unmet {
			got = append(got, u.Criterion)
		}
		if strings.Join(got, " ") != missed {
			t.Errorf("answer %q misses %v, want %q", answer, got, missed)
		}
	}
}

func TestPromptFileFaults(t *testing.T) {
	const prompt = "messages: [{ role: user, content: '{{ a }}' }]\n"
	const rows = "testData: [{ a: 1 }]\n"
	cases := []struct {
		rule, text string
		want       []string
	}{
		{"an unknown key is warned of", prompt + rows + "tesdData: []\n", []string{"prompts/sum.prompt.yml:3:1 warning unknown-key: …did you mean `testData`?"}},
		{"a key that was meant to judge is refused", prompt + rows + "evaluator: [{ name: x, string: { contains: x } }]\n",
			[]string{`prompts/sum.prompt.yml:3:1 unknown-key: "evaluator" is not read and changes nothing; did you mean ` + "`evaluators`?"}},
		{"a comparison beside others that was meant to be made is refused", prompt + rows + "evaluators: [{ name: x, string: { contains: x, startWith: y } }]\n",
			[]string{`prompts/sum.prompt.yml:3:48 unknown-key: "string.startWith" is not read…did you mean ` + "`startsWith`?"}},
		{"a parameter that was meant to be sent is refused", prompt + rows + "modelParameters: { max_tokens: 9 }\n",
			[]string{`prompts/sum.prompt.yml:3:20 unknown-key: "modelParameters.max_tokens" is not read…did you mean ` + "`maxTokens`?"}},
		{"a prompt whose test data is misspelled is no prompt without", prompt + "testdata: [{ a: 1 }]\n", []string{"prompts/sum.prompt.yml:2:1 unknown-key: …did you mean `testData`?"}},
		{"a key that changes nothing may be misspelled", prompt + rows + "descripton: x\n", []string{"prompts/sum.prompt.yml:3:1 warning unknown-key: …did you mean `description`?"}},
		{"an unknown parameter is warned of", prompt + rows + "modelParameters: { stop: x }\n",
			[]string{`prompts/sum.prompt.yml:3:20 warning unknown-key: "modelParameters.stop"`}},
		{"a parameter is in its range", prompt + rows + "modelParameters: { temperature: 3, topP: x, maxTokens: 1.5 }\n", []string{
			"prompts/sum.prompt.yml:3:33 range: `temperature`", "prompts/sum.prompt.yml:3:42 type: `topP`", "prompts/sum.prompt.yml:3:56 type: `maxTokens`"}},
		{"C206: tokens are few enough to be sent", prompt + rows + "modelParameters: { maxTokens: 99999999999999999999999 }\n",
			[]string{"prompts/sum.prompt.yml:3:31 range: "}},
		{"C206: tokens have a plain form", prompt + rows + "modelParameters: { maxTokens: 0x10 }\n", []string{"prompts/sum.prompt.yml:3:31 number: "}},
		{"there are messages", rows, []string{"prompts/sum.prompt.yml:1:1 messages: "}},
		{"a message has a known role and text", "messages: [{ role: tool, content: x }, { role: user, content: [] }]\n" + rows, []string{
			"prompts/sum.prompt.yml:1:12 messages: ", "prompts/sum.prompt.yml:1:40 messages: "}},
		{"a prompt without test data is no suite, and some file is one", prompt, []string{
			"prompts/sum.prompt.yml:0:0 no-suites: no file holds a case", "prompts/sum.prompt.yml:1:1 warning no-cases: …is skipped"}},
		{"test data is a list", prompt + "testData: {}\n", []string{"prompts/sum.prompt.yml:2:11 type: "}},
		{"a row is a map", prompt + "testData: [{ a: 1 }, x]\n", []string{"prompts/sum.prompt.yml:2:22 type: "}},
		{"a row holds no lists", prompt + "testData: [{ a: [1] }]\n", []string{"prompts/sum.prompt.yml:2:17 type: "}},
		{"rows have ids of their own", prompt + "testData: [{ a: 1, id: x }, { a: 2, id: X }]\n", []string{"prompts/sum.prompt.yml:2:29 duplicate-id: "}},
		{"a row defines what is used", prompt + "testData: [{ a: 1 }, { b: 2 }]\n", []string{
			`prompts/sum.prompt.yml:1:36 undefined-variable: variable "a" is not defined in case case-9268a0dfde6a`,
			`prompts/sum.prompt.yml:2:24 warning unused-variable: variable "b"`}},
		{"an evaluator's text is filled from the row too", prompt + rows + "evaluators: [{ string: { equals: 'x {{ expected }}' } }]\n",
			[]string{`prompts/sum.prompt.yml:3:37 undefined-variable: variable "expected"`}},
		{"an evaluator has no way to the environment", prompt + rows + "evaluators: [{ string: { equals: '{{ env.X }}' } }]\n",
			[]string{"prompts/sum.prompt.yml:3:35 template: "}},
		{"parameters and evaluators have their forms", prompt + rows + "modelParameters: 5\nevaluators: [5, { string: 5 }, { string: { equals: {} } }]\n", []string{
			"prompts/sum.prompt.yml:3:18 type: `modelParameters` is 5; expected a map", "prompts/sum.prompt.yml:4:14 type: item 1 of `evaluators` is 5; expected a map",
			"prompts/sum.prompt.yml:4:27 type: `string` is 5; expected a map", "prompts/sum.prompt.yml:4:52 type: `equals` is a map; expected text"}},
		{"evaluators are a list", prompt + rows + "evaluators: 5\n", []string{"prompts/sum.prompt.yml:3:13 type: `evaluators` is 5; expected a list"}},
		{"an evaluator judges something", prompt + rows + "evaluators: [{ name: x }]\n", []string{"prompts/sum.prompt.yml:3:14 evaluator: "}},
		{"a string evaluator compares something", prompt + rows + "evaluators: [{ string: { contain: x } }]\n", []string{
			"prompts/sum.prompt.yml:3:24 evaluator: …compares nothing", "prompts/sum.prompt.yml:3:26 unknown-key: …did you mean `contains`?"}},
		{"a text that every answer holds is warned of", prompt + rows + "evaluators: [{ string: { contains: '' } }]\n",
			[]string{"prompts/sum.prompt.yml:3:36 warning always-true: "}},
		{"similarity and groundedness compare with the row's expected text", prompt + rows + "evaluators: [{ uses: github/similarity }, { uses: github/groundedness }]\n", []string{
			"prompts/sum.prompt.yml:2:12 missing-key: the row has no `expected`"}},
		{"a row with an expected text can be compared", prompt + "testData: [{ a: 1, expected: \"It is one.\" }]\nevaluators: [{ uses: github/similarity }]\n", nil},
		{"a schema is JSON", prompt + rows + "jsonSchema: '{'\n", []string{"prompts/sum.prompt.yml:3:13 …in jsonSchema, line 1"}},
		{"a format has a known name", prompt + rows + "responseFormat: xml\n", []string{"prompts/sum.prompt.yml:3:17 enum: "}},
		{"a format by schema has one", prompt + rows + "responseFormat: json_schema\n", []string{"prompts/sum.prompt.yml:3:17 missing-key: "}},
		{"a file is a map", "[]\n", []string{"prompts/sum.prompt.yml:1:1 type: "}},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			_, ds := promptFile(c.text)
			check(t, ds, c.want)
		})
	}
}

func TestAPromptFileInAHiddenFolderNeedsAGlobThatNamesIt(t *testing.T) {
	fsys := tree(map[string]string{".github/prompts/a.prompt.yml": promptText})
	_, ds := Load(fsys, settings(), []string{"**/*.prompt.yml"})
	check(t, ds, []string{`.github/prompts/a.prompt.yml:1:1 id: the path gives the suite the id ".github/prompts/a"`})
	suites, ds := loadOpen(fsys, settings(), []string{".github/prompts/*.prompt.yml"})
	check(t, ds, nil)
	if suites[0].ID != "a" {
		t.Errorf("id %q, want a", suites[0].ID)
	}
}

func TestTheTargetFillsWhatAPromptFileLeavesOpen(t *testing.T) {
	cfg := settings()
	target := config.Target{Name: "replay", Provider: "openai", Model: "m", Temperature: ref(1.0), MaxTokens: ref(9)}
	cfg.Targets["replay"] = target
	fsys := tree(map[string]string{"a.prompt.yml": "modelParameters: { temperature: 0 }\nmessages: [{ role: user, content: x }]\ntestData: [{}]\n"})
	suites, ds := loadOpen(fsys, cfg, []string{"*.prompt.yml"})
	check(t, ds, nil)
	got := suites[0].Cases[0].Prompt
	if got.Model != "m" || *got.Parameters.Temperature != 0 || *got.Parameters.MaxTokens != 9 {
		t.Errorf("request %+v, want the target's model and tokens and the file's temperature", got)
	}
	target.Provider = "recorded"
	cfg.Targets["replay"] = target
	suites, ds = loadOpen(fsys, cfg, []string{"*.prompt.yml"})
	check(t, ds, nil)
	if got := suites[0].Cases[0].Prompt; got.Model != "" || *got.Parameters.Temperature != 0 || got.Parameters.MaxTokens != nil {
		t.Errorf("recorded, the request is %+v; want what the file sets alone", got)
	}
}

func TestRowsThatAskTheSameAreTwoCases(t *testing.T) {
	fsys := tree(map[string]string{"a.prompt.yml": "messages: [{ role: user, content: '{{ q }}' }]\n" +
		"testData: [{ q: x, expected: x }, { q: x, expected: y }, { id: own, q: x }, { q: y }]\n"})
	suites, ds := Load(fsys, settings(), []string{"*.prompt.yml"})
	check(t, ds, nil)
	var got []string
	for i := range len(suites[0].Cases) {
		got = append(got, suites[0].Cases[i].ID)
	}
	if want := []string{got[0], got[0] + "-2", "own", got[3]}; !slices.Equal(got, want) || got[0] == got[3] {
		t.Errorf("cases %q, want %q", got, want)
	}
}
