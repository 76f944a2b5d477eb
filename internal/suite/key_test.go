package suite

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/config"
)

const keyed = `version: 1
messages: [{ role: system, content: Be brief }, { role: user, content: "Say {{ x }}" }]
cases:
  - id: a
    vars: { x: 1, y: yes it is }
    expected_response: "1"
    expected_format: json
    severity: high
`

// keys loads one case and returns its keys.
func keys(t *testing.T, files map[string]string, cfg *config.Config) (request, expectation string) {
	t.Helper()
	suites, ds := loadOpen(tree(files), cfg, cfg.Suites)
	for _, line := range lines(ds) {
		if !strings.Contains(line, "warning") {
			t.Fatal(line)
		}
	}
	c := suites[0].Cases[0]
	return c.Keys().RequestKey.String(), c.Keys().ExpectationKey.String()
}

func TestKeys(t *testing.T) {
	replaced := func(old, new string) map[string]string {
		if !strings.Contains(keyed, old) {
			panic("nothing to replace: " + old)
		}
		return map[string]string{"suites/s.yaml": strings.Replace(keyed, old, new, 1)}
	}
	const same, differs = false, true
	cases := []struct {
		rule                 string
		files                map[string]string
		request, expectation bool // whether the keys differ
	}{
		{"white space and comments change no key", replaced("cases:\n", "# cases\ncases:   \n\n"), same, same},
		{"C117: line ends change no key", map[string]string{"suites/s.yaml": strings.ReplaceAll(keyed, "\n", "\r\n")}, same, same},
		{"the order of keys changes no key", replaced("{ x: 1, y: yes it is }", "{ y: yes it is, x: 1 }"), same, same},
		{"quotes change no key", replaced("x: 1", "x: \"1\""), same, same},
		{"JSON and YAML have the same keys", map[string]string{"suites/s.json": `{"cases":[{"severity":"high","expected_format":"json",
			"expected_response":"1","vars":{"y":"yes it is","x":"1"},"id":"a"}],"messages":[{"role":"system","content":"Be brief"},{"content":"Say {{ x }}","role":"user"}],"version":1}`}, same, same},
		{"ids and the path change no key", map[string]string{"suites/t/u.yml": strings.Replace(keyed, "id: a", "id: b", 1)}, same, same},
		{"description, tags and category change no key", replaced("severity: high", "severity: high\n    tags: [x]\n    category: y"), same, same},
		{"severity changes no key", replaced("severity: high", "severity: low"), same, same},
		{"a default changes no key", replaced("cases:", "defaults: { severity: high, must_pass: false }\ncases:"), same, same},
		{"a default said out loud changes no key", replaced("severity: high", "severity: high\n    expected_classification: pass\n    match: auto"), same, same},
		{"the long form of a format changes no key", replaced("expected_format: json", "expected_format: { type: json, strict: false }"), same, same},
		{"weight and bar of the suite change no key", replaced("cases:", "weight: 3\nmin_score: 0.2\ntrials: 4\ncases:"), same, same},
		{"the system's turn is the prompt and changes the request alone", replaced("Be brief", "Be long"), differs, same},
		{"what the suite says around a variable is the prompt", replaced("Say {{ x }}", "Tell {{ x }}"), differs, same},
		{"so is an example that it gives", replaced("{ role: user", "{ role: assistant, content: \"Yes\" }, { role: user"), differs, same},
		{"a question that takes nothing of the case is its input", replaced("Say {{ x }}", "Say it"), differs, differs},
		{"a variable in the prompt changes both", replaced("x: 1", "x: 2"), differs, differs},
		{"a variable that the prompt does not use changes the expectation alone", replaced("yes it is", "never"), same, differs},
		{"the target changes the request alone", replaced("cases:", "target: echo\ncases:"), differs, same},
		{"the expected response is an expectation", replaced(`expected_response: "1"`, `expected_response: "2"`), same, differs},
		{"the match is an expectation", replaced("severity: high", "severity: high\n    match: exact"), same, differs},
		{"the format is an expectation", replaced("expected_format: json", "expected_format: yaml"), same, differs},
		{"strictness is an expectation", replaced("expected_format: json", "expected_format: { type: json, strict: true }"), same, differs},
		{"the classification is an expectation", replaced("severity: high", "severity: high\n    expected_classification: wrong_format"), same, differs},
		{"an assertion is an expectation", replaced("severity: high", "severity: high\n    assert: ['response.length > 1']"), same, differs},
		{"a script is an expectation", replaced("severity: high", "severity: high\n    assert: [{ javascript: { script: output, transform: x, threshold: 2 } }]"), same, differs},
		{"a form is an assertion", replaced("severity: high", "severity: high\n    assert: [{ contains: x }]"), same, differs},
		{"a policy is an expectation", replaced("severity: high", "severity: high\n    policies: [no-promises]"), same, differs},
		{"a label is an expectation", replaced("severity: high", "severity: high\n    expected_label: a\n    labels: [a, b]"), same, differs},
		{"must_pass is told apart from the keys", replaced("severity: high", "severity: high\n    must_pass: true"), same, same},
		{"the case's bar is an expectation", replaced("severity: high", "severity: high\n    case_threshold: 0"), same, differs},
	}
	request, expectation := keys(t, map[string]string{"suites/s.yaml": keyed}, settings())
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			r, e := keys(t, c.files, settings())
			if (r != request) != c.request || (e != expectation) != c.expectation {
				t.Errorf("request key differs: %v, want %v; expectation key differs: %v, want %v",
					r != request, c.request, e != expectation, c.expectation)
			}
		})
	}
}

func TestTheOrderOfWhatMustHoldChangesNoKey(t *testing.T) {
	cfg := settings()
	cfg.Judge = &config.Judge{Target: "echo"}
	of := func(defaults, checks string) string {
		_, key := keys(t, map[string]string{"suites/s.yaml": strings.Replace(strings.Replace(keyed, "cases:", defaults+"cases:", 1),
			"severity: high", checks, 1)}, cfg)
		return key
	}
	for _, c := range []struct {
		rule, before, defaults, after string
		differs                       bool
	}{
		{"assertions", "assert: [{ contains: a }, { contains: b }]", "", "assert: [{ contains: b }, { contains: a }]", false},
		{"one twice", "assert: [{ contains: a }]", "", "assert: [{ contains: a }, { contains: a }]", false},
		{"one of the defaults", "assert: [{ contains: a }, { contains: b }]", "defaults: { assert: [{ contains: b }] }\n", "assert: [{ contains: a }]", false},
		{"one less", "assert: [{ contains: a }, { contains: b }]", "", "assert: [{ contains: a }]", true},
		{"key facts", "key_facts: [red, blue]", "", "key_facts: [blue, red]", false},
		{"a fact twice counts twice", "key_facts: [red, blue]", "", "key_facts: [red, blue, red]", true},
		{"forbidden claims", "forbidden_claims: [it is red, it is blue]", "", "forbidden_claims: [it is blue, it is red]", false},
		{"allowed terms", "allowed_terms: [GDPR, HIPAA]", "", "allowed_terms: [HIPAA, GDPR]", false},
		{"criteria of a judge", "rubric: [Is kind, Is brief]", "", "rubric: [Is brief, Is kind]", false},
		{"which of them is optional", "rubric: [Is kind, { criterion: Is brief, optional: true }]", "", "rubric: [{ criterion: Is kind, optional: true }, Is brief]", true},
	} {
		if before, after := of("", c.before), of(c.defaults, c.after); (before != after) != c.differs {
			t.Errorf("%s: the expectation key differs: %v, want %v", c.rule, before != after, c.differs)
		}
	}
}

func TestTheSchemaOfAnAnswerIsAnExpectation(t *testing.T) {
	files := func(schema string) map[string]string {
		return map[string]string{"suites/s.yaml": strings.Replace(keyed, "expected_format: json", "expected_format: { type: json, schema: a.schema.json }", 1),
			"suites/a.schema.json": schema}
	}
	_, first := keys(t, files(`{"type": "object", "minProperties": 1}`), settings())
	_, again := keys(t, files("{\n  \"minProperties\":1,\n\t\"type\":\"object\"}\n"), settings())
	_, other := keys(t, files(`{"type": "object", "minProperties": 2}`), settings())
	if first != again {
		t.Error("laying a schema out anew changed the expectation key")
	}
	if first == other {
		t.Error("another schema did not change the expectation key")
	}
}

func TestAPolicyForAllChangesNoKey(t *testing.T) {
	cfg := settings()
	cfg.Policies[0].ApplyAll = true
	_, before := keys(t, map[string]string{"suites/s.yaml": keyed}, settings())
	_, after := keys(t, map[string]string{"suites/s.yaml": keyed}, cfg)
	if before != after {
		t.Error("the configuration's policy for all cases changed an expectation key")
	}
}

func TestSlashesThatMeanARegexAreNoText(t *testing.T) {
	_, auto := keys(t, map[string]string{"suites/s.yaml": strings.Replace(keyed, `"1"`, "/x/", 1)}, settings())
	_, regex := keys(t, map[string]string{"suites/s.yaml": strings.Replace(keyed, `"1"`, "/x/\n    match: regex", 1)}, settings())
	if auto == regex {
		t.Error("/x/ under match auto and under match regex are judged differently and have one key")
	}
}

func TestTheKeysOfAContractCase(t *testing.T) {
	line := func(prompt, expected string) map[string]string {
		return map[string]string{"suites/f.jsonl": `{"case_id":"a","suite_id":"s","prompt":"` + prompt + `","expected_response":"` + expected + `"}`}
	}
	request, expectation := keys(t, line("p", "x"), settings())
	if r, e := keys(t, line("q", "x"), settings()); r == request || e != expectation {
		t.Error("a prompt must change the request key alone")
	}
	if r, e := keys(t, line("p", "y"), settings()); r != request || e == expectation {
		t.Error("an expectation must change the expectation key alone")
	}
}

func TestATurnThatIsReadFromAFileIsThePrompt(t *testing.T) {
	suite := func(text string) map[string]string {
		return map[string]string{"suites/p.md": text, "suites/s.yaml": strings.Replace(keyed, strings.SplitN(keyed, "\n", 3)[1], "prompt: p.md", 1)}
	}
	request, expectation := keys(t, suite("Say {{ x }}"), settings())
	if r, e := keys(t, suite("Tell {{ x }}"), settings()); r == request || e != expectation {
		t.Error("a prompt file must change the request key alone")
	}
	models := func(text string) map[string]string {
		return map[string]string{"suites/s.prompt.yml": "messages: [{ role: user, content: \"" + text + "\" }]\ntestData: [{ x: 1 }]\n"}
	}
	request, expectation = keys(t, models("Say {{ x }}"), settings())
	if r, e := keys(t, models("Tell {{ x }}"), settings()); r == request || e != expectation {
		t.Error("the messages of a prompt file must change the request key alone")
	}
}

func TestWhatTheSuiteSaysBeforeACasesOwnTurnsIsThePrompt(t *testing.T) {
	suite := func(before, own string) map[string]string {
		return map[string]string{"suites/s.yaml": "version: 1\nmessages: [{ role: user, content: " + before + " }]\n" +
			"cases: [{ id: a, messages: [{ role: user, content: " + own + " }], expected_response: x }]\n"}
	}
	request, expectation := keys(t, suite("Answer briefly.", "What is it?"), settings())
	if r, e := keys(t, suite("Answer at length.", "What is it?"), settings()); r == request || e != expectation {
		t.Error("what the suite says before a case's own turns must change the request key alone")
	}
	if r, e := keys(t, suite("Answer briefly.", "What was it?"), settings()); r == request || e == expectation {
		t.Error("a case's own turn must change both keys")
	}
}

func TestTheInputKeyIsOfWhatTheCaseAsks(t *testing.T) {
	input := func(old, new string) string {
		cfg := settings()
		suites, ds := loadOpen(tree(map[string]string{"suites/s.yaml": strings.Replace(keyed, old, new, 1)}), cfg, cfg.Suites)
		if len(suites) != 1 {
			t.Fatal(lines(ds))
		}
		return suites[0].Cases[0].InputKey().String()
	}
	before := input("", "")
	for _, same := range [][2]string{{"Be brief", "Be long"}, {"Say", "Tell"}, {`"1"`, `"2"`}, {"severity: high", "must_pass: true"}} {
		if input(same[0], same[1]) != before {
			t.Errorf("%s is no input", same[0])
		}
	}
	for _, other := range [][2]string{{"x: 1", "x: 2"}, {"Say {{ x }}", "Say it"}, {"yes it is", "never"}} {
		if input(other[0], other[1]) == before {
			t.Errorf("%s is an input", other[0])
		}
	}
}

func TestACaseIsRedefinedByWhatJudgesIt(t *testing.T) {
	by := func(key byte) Case { return Case{Body: &Body{Keys: Keys{ExpectationKey: Key{key}}}} }
	plain, other := by('e'), by('f')
	must := by('e')
	must.MustPass = true
	for _, c := range []struct {
		rule       string
		base, head Case
		want       bool
	}{
		{"the same is not", plain, plain, false},
		{"another expectation is", plain, other, true},
		{"must_pass that is added alone is not", plain, must, false},
		{"must_pass that is taken away is", must, plain, true},
	} {
		if got := Redefined(&c.base, &c.head); got != c.want {
			t.Errorf("%s: Redefined = %v, want %v", c.rule, got, c.want)
		}
	}
	marked := made("a", "x r e")
	marked.Cases[0].MustPass = true
	if got := Scope(Join([]*Suite{made("a", "x r e")}, []*Suite{marked}), Recordings{}); !got.Has(Head, "a") {
		t.Error("a case that must pass from now on is not in scope: nobody would see that it fails")
	}
}
