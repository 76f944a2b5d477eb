package suite

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
)

// settings returns a configuration with a target of every kind.
func settings() *config.Config {
	return &config.Config{
		Path:           "failproof.yml",
		Suites:         []string{"suites/**/*.{yaml,yml,json,jsonl}"},
		DefaultTargets: []string{"replay"},
		Targets: map[string]config.Target{
			"replay": {Name: "replay", Provider: "recorded", Path: "recordings/{suite}.jsonl"},
			"echo":   {Name: "echo", Provider: "echo"},
			"fast":   {Name: "fast", Provider: "openai", Model: "gpt-5-mini"},
		},
		Policies: []config.Policy{
			{Name: "no-promises", Patterns: []*regexp.Regexp{regexp.MustCompile("(?i)we will refund")}},
			{Name: "no-secrets", Patterns: []*regexp.Regexp{regexp.MustCompile("sk-[a-z]+")}},
		},
	}
}

// linkless rejects links, as a source.Tree does; a file is looked at before it is opened.
type linkless struct{ fstest.MapFS }

// linked is the error of a link.
type linked struct{}

func (linked) Error() string { return "is a symbolic link" }
func (linked) Elsewhere()    {}

func (l linkless) Stat(name string) (fs.FileInfo, error) {
	for i := range name + "/" {
		if file := l.MapFS[name[:i]]; file != nil && file.Mode == fs.ModeSymlink {
			return nil, &fs.PathError{Op: "stat", Path: name, Err: linked{}}
		}
	}
	return l.MapFS.Stat(name)
}

// tree returns a file system with these texts. A name that ends in "@" is a symbolic link to its text.
func tree(files map[string]string) fs.FS {
	out := fstest.MapFS{}
	for name, text := range files {
		if link, ok := strings.CutSuffix(name, "@"); ok {
			out[link] = &fstest.MapFile{Data: []byte(text), Mode: fs.ModeSymlink}
			continue
		}
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return linkless{out}
}

// loaded loads the suites that settings names.
func loaded(files map[string]string) ([]*Suite, []document.Diagnostic) {
	cfg := settings()
	return loadOpen(tree(files), cfg, cfg.Suites)
}

// lines formats diagnostics as the tests write them.
func lines(ds []document.Diagnostic) []string {
	out := []string{}
	for _, d := range ds {
		mark := ""
		if d.Severity == document.Warning {
			mark = "warning "
		}
		out = append(out, fmt.Sprintf("%s:%d:%d %s%s: %s", d.Path, d.Line, d.Column, mark, d.Rule, d.Message))
	}
	return out
}

// check compares each diagnostic with the wanted place, rule and part of the message. "…" stands for any text.
func check(t *testing.T, ds []document.Diagnostic, want []string) {
	t.Helper()
	got := lines(ds)
	if len(got) != len(want) {
		t.Fatalf("diagnostics:\n\t%s\nwant:\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
	for i, pattern := range want {
		begin, part, _ := strings.Cut(pattern, "…")
		if !strings.HasPrefix(got[i], begin) || !strings.Contains(got[i][len(begin):], part) {
			t.Errorf("diagnostic %d:\n\t%s\nwant:\n\t%s", i+1, got[i], pattern)
		}
		if m := ds[i].Message; len(m) > 300 || strings.ContainsAny(m, "\r\n") {
			t.Errorf("message %q is longer than 300 bytes or than a line", m)
		}
	}
}

// one returns the files of a tree with one suite, suites/s.yaml. text is all of it after the version.
func one(text string) map[string]string {
	return map[string]string{"suites/s.yaml": "version: 1\n" + text, "suites/p.md": "Say {{ x }}.\n"}
}

const hello = "messages: [{ role: user, content: hello }]\n"

func TestFaults(t *testing.T) {
	cases := []struct {
		rule  string
		files map[string]string
		want  []string
	}{
		{"a suite needs a case", one(hello + "cases: []\n"), []string{"suites/s.yaml:3:8 …"}},
		{"a suite needs its cases", one(hello), []string{"suites/s.yaml:1:1 …cases"}},
		{"an unknown key is refused with the one that was meant",
			one(hello + "cases:\n  - id: a\n    expcted_response: x\n"),
			[]string{"suites/s.yaml:5:5 …did you mean `expected_response`?"}},
		{"a suite asks something", one("cases: [{ id: a }]\n"), []string{"suites/s.yaml:1:1 prompt: neither"}},
		{"a suite asks one thing", one("prompt: p.md\n" + hello + "cases: [{ id: a, vars: { x: 1 } }]\n"),
			[]string{"suites/s.yaml:3:1 prompt: both"}},
		{"a form of an assertion is one that is known", one(hello + "cases: [{ id: a, assert: [{ contain: x }] }]\n"), []string{"suites/s.yaml:3:29 unknown-key: …did you mean `contains`?"}},
		{"an assertion has one form", one(hello + "cases: [{ id: a, assert: [{ contains: x, regex: y }] }]\n"), []string{"suites/s.yaml:3:27 length: "}},
		{"a form takes texts", one(hello + "cases: [{ id: a, assert: [{ contains: [x] }, { contains_any: x }] }]\n"),
			[]string{"suites/s.yaml:3:39 type: ", "suites/s.yaml:3:62 type: "}},
		{"a form's pattern compiles", one(hello + "cases: [{ id: a, assert: [{ not_regex: 'a(b' }] }]\n"), []string{"suites/s.yaml:3:41 compile: not_regex: invalid regular expression"}},
		{"a form that says the same of every answer is a warning", one(hello + "cases: [{ id: a, assert: [{ regex: 'x*' }] }]\n"), []string{"suites/s.yaml:3:27 warning always-true: "}},
		{"a script is JavaScript, or a map that holds it", one(hello + "cases: [{ id: a, assert: [{ javascript: [x] }, { not_javascript: { json: true } }, { javascript: { script: x, threshold: high } }] }]\n"),
			[]string{"suites/s.yaml:3:41 type: ", "suites/s.yaml:3:66 missing-key: ", "suites/s.yaml:3:122 type: "}},
		{"C208: an id has a plain form", one(hello + "cases: [{ id: ../x }, { id: a b }, { id: é }, { id: '' }]\n"),
			[]string{"suites/s.yaml:3:15 …", "suites/s.yaml:3:29 …", "suites/s.yaml:3:42 …", "suites/s.yaml:3:53 …"}},
		{"C208: an id has at most 128 characters", one(hello + "cases: [{ id: " + strings.Repeat("a", 129) + " }]\n"),
			[]string{"suites/s.yaml:3:15 …"}},
		{"C208: a number is no id", one(hello + "cases: [{ id: 1.10 }]\n"), []string{"suites/s.yaml:3:15 …"}},
		{"C208: an octal number is no id", one(hello + "cases: [{ id: 012 }]\n"), []string{"suites/s.yaml:3:15 number: "}},
		{"C208: no is no id", one(hello + "cases: [{ id: no }]\n"), []string{"suites/s.yaml:3:15 …quotes"}},
		{"C208: a suite's id has the form of its parts", one("id: a//b\n" + hello + "cases: [{ id: a }]\n"),
			[]string{"suites/s.yaml:2:5 …"}},
		{"the path's id has that form too", map[string]string{"suites/a b.yaml": "version: 1\n" + hello + "cases: [{ id: a }]\n"},
			[]string{"suites/a b.yaml:1:1 id: …give `id`"}},
		{"C209: case ids are unique", one(hello + "cases:\n  - id: a\n  - id: b\n  - id: a\n"),
			[]string{`suites/s.yaml:6:5 duplicate-id: case id "a" is also at line 4`}},
		{"C209: case ids differ by more than letter case", one(hello + "cases:\n  - id: a\n  - id: A\n"),
			[]string{`suites/s.yaml:5:5 duplicate-id: case id "A" differs only by letter case`}},
		{"C209: an id hides nothing", one(hello + "cases: [{ id: \"a\\u200b\" }]\n"), []string{"suites/s.yaml:3:15 …"}},
		{"C210: suite ids are unique", map[string]string{
			"suites/a.yaml": "version: 1\nid: x\n" + hello + "cases: [{ id: a }]\n",
			"suites/b.yaml": "version: 1\nid: X\n" + hello + "cases: [{ id: a }]\n",
			"suites/c.yml":  "version: 1\nid: c\n" + hello + "cases: [{ id: a }]\n",
		}, []string{
			`suites/a.yaml:2:5 duplicate-id: …suites/b.yaml:2:5`,
			`suites/b.yaml:2:5 duplicate-id: …suites/a.yaml:2:5`,
		}},
		{"C201, C202: a weight is a plain number", one("weight: .nan\n" + hello + "cases: [{ id: a }]\n"), []string{"suites/s.yaml:2:9 number: "}},
		{"C202: infinity is no weight", one("weight: -.inf\n" + hello + "cases: [{ id: a }]\n"), []string{"suites/s.yaml:2:9 number: "}},
		{"C202: a weight has no exponent", one("weight: 1e308\n" + hello + "cases: [{ id: a }]\n"), []string{"suites/s.yaml:2:9 number: "}},
		{"C202: a weight is bounded", one("weight: 1" + strings.Repeat("0", 400) + "\n" + hello + "cases: [{ id: a }]\n"),
			[]string{"suites/s.yaml:2:9 …"}},
		{"C203: a weight is not negative", one("weight: -1\n" + hello + "cases: [{ id: a }]\n"), []string{"suites/s.yaml:2:9 number: "}},
		{"C203: some suite weighs something", one("weight: 0\n" + hello + "cases: [{ id: a }]\n"),
			[]string{"suites/s.yaml:1:1 weight: every suite has weight 0"}},
		{"C204: a bar is at most 1", one("min_score: 1.01\n" + hello + "cases: [{ id: a }]\n"), []string{"suites/s.yaml:2:12 …"}},
		{"C204: a bar is at least 0", one("min_score: -0.1\n" + hello + "cases: [{ id: a }]\n"), []string{"suites/s.yaml:2:12 number: "}},
		{"C204: a bar is no percentage", one("min_score: 80%\n" + hello + "cases: [{ id: a }]\n"), []string{"suites/s.yaml:2:12 …"}},
		{"C204: a bar is no text", one("min_score: \"0.8\"\n" + hello + "cases: [{ id: a }]\n"), []string{"suites/s.yaml:2:12 …"}},
		{"C204: a bar has no decimal comma", one("min_score: 0,8\n" + hello + "cases: [{ id: a }]\n"), []string{"suites/s.yaml:2:12 …"}},
		{"C205: a bar of 0 is a bar", one("min_score: 0\n" + hello + "cases: [{ id: a }]\n"), nil},
		{"a case's bar is at most 1", one(hello + "cases: [{ id: a, case_threshold: 2 }]\n"), []string{"suites/s.yaml:3:34 …"}},
		{"C207: trials are at least one", one("trials: 0\n" + hello + "cases: [{ id: a }]\n"), []string{"suites/s.yaml:2:9 …"}},
		{"C207: trials are at most 100", one("trials: 1000000\n" + hello + "cases: [{ id: a }]\n"), []string{"suites/s.yaml:2:9 …"}},
		{"C206: trials are whole", one("trials: 1.5\n" + hello + "cases: [{ id: a }]\n"), []string{"suites/s.yaml:2:9 …"}},
		{"C211: a case may expect nothing", one(hello + "cases: [{ id: a }]\n"), nil},
		{"C212: a match has a known name", one(hello + "cases: [{ id: a, expected_response: x, match: exakt }]\n"),
			[]string{"suites/s.yaml:3:47 …did you mean"}},
		{"a match compares something", one(hello + "cases: [{ id: a, match: exact }]\n"), []string{"suites/s.yaml:3:18 match: "}},
		{"C213: a refusal meets no criterion", one(hello + "cases:\n  - id: a\n    expected_classification: refusal\n" +
			"    expected_response: x\n    assert: [\"response.text != ''\"]\n    expected_format: json\n"), []string{
			"suites/s.yaml:6:5 contradiction: `expected_response` contradicts",
			"suites/s.yaml:7:5 contradiction: `assert` contradicts",
			"suites/s.yaml:8:5 contradiction: `expected_format` contradicts",
		}},
		{"C213: a default refusal meets no criterion of a case", one(hello + "defaults: { expected_classification: refusal }\n" +
			"cases: [{ id: a, expected_response: x }]\n"), []string{"suites/s.yaml:4:18 contradiction: "}},
		{"a refusal is free of the defaults' criteria", one(hello + "defaults: { expected_format: json }\n" +
			"cases: [{ id: a, expected_classification: refusal }]\n"), nil},
		{"no assertion is left to fail", one(hello + "defaults: { assert: ['true'] }\n" +
			"cases: [{ id: a, expected_classification: fail, assert: { replace: [] } }]\n"), []string{"suites/s.yaml:4:43 contradiction: …`assert`"}},
		{"a list takes replace and nothing else", one(hello + "cases: [{ id: a, assert: { replce: ['true'] } }]\n"), []string{"suites/s.yaml:3:28 unknown-key: …`replace`"}},
		{"an error cannot be expected", one(hello + "cases: [{ id: a, expected_classification: error }]\n"), []string{"suites/s.yaml:3:43 …"}},
		{"a timeout cannot be expected", one(hello + "cases: [{ id: a, expected_classification: timeout }]\n"), []string{"suites/s.yaml:3:43 …"}},
		{"a crash cannot be expected", one(hello + "cases: [{ id: a, expected_classification: crash }]\n"), []string{"suites/s.yaml:3:43 …"}},
		{"a wrong format needs a format", one(hello + "cases: [{ id: a, expected_classification: wrong_format }]\n"),
			[]string{"suites/s.yaml:3:43 contradiction: …`expected_format`"}},
		{"a violation needs a policy", one(hello + "cases: [{ id: a, expected_classification: policy_violation }]\n"),
			[]string{"suites/s.yaml:3:43 contradiction: …a policy"}},
		{"a failure needs a criterion", one(hello + "cases: [{ id: a, expected_classification: fail }]\n"),
			[]string{"suites/s.yaml:3:43 contradiction: …`assert`"}},
		{"a label is one of the labels", one(hello + "cases: [{ id: a, expected_label: Nein, labels: [Ja, Vielleicht] }]\n"),
			[]string{`suites/s.yaml:3:34 label: expected_label "Nein" is not one of the labels "Ja", "Vielleicht"`}},
		{"a format that every answer has is warned of", one(hello + "cases: [{ id: a, expected_format: { type: regex, pattern: '.*' } }]\n"), []string{"suites/s.yaml:3:59 warning always-true: "}},
		{"a schema file is named by text", one(hello + "cases: [{ id: a, expected_format: { type: json, schema: 5 } }]\n"), []string{"suites/s.yaml:3:57 type: `schema` is 5"}},
		{"a prompt file is named by text", one("prompt: 5\ncases: [{ id: a }]\n"), []string{"suites/s.yaml:2:9 type: `prompt` is 5"}},
		{"a skill is named by text", one("prompt: { skill: 5 }\ncases: [{ id: a, messages: [{ role: user, content: x }] }]\n"), []string{"suites/s.yaml:2:18 type: `skill` is 5"}},
		{"an assertion of another form is told once", one(hello + "cases: [{ id: a, assert: [contains: {}, contains: '', contains_any: [{}]] }]\n"), []string{
			"suites/s.yaml:3:37 type: `contains` is a map", "suites/s.yaml:3:51 length: `contains` is empty", "suites/s.yaml:3:70 type: item 1 of `contains_any` is a map"}},
		{"a fault in a text over several lines is placed at its beginning", one("messages:\n  - role: user\n    content: >\n      a\n      {{ b c }}\n  - role: user\n    content: a\n      b {{ c d }}\n" +
			"  - role: user\n    content: \"a\n      b {{ e f }}\"\ncases: [{ id: a }]\n"), []string{"suites/s.yaml:4:14 template: {{ b c }}", "suites/s.yaml:8:14 template: {{ c d }}", "suites/s.yaml:11:14 template: {{ e f }}"}},
		{"a file of messages is whole", map[string]string{"suites/s.yaml": "version: 1\nprompt: p.json\ncases: [{ id: a }]\n", "suites/p.json": "{"}, []string{"suites/p.json:1:2 syntax: not JSON: unexpected end"}},
		{"the messages of a case have a role and a text", map[string]string{"suites/s.yaml": "version: 1\nprompt: p.md\ncases: [{ id: a, messages: [{ role: user }] }]\n", "suites/p.md": "x"}, []string{"suites/s.yaml:3:29 prompt: the message says nothing"}},
		{"a message has a limit", map[string]string{"suites/s.json": `{"version":1,"messages":[{"role":"user","content":"` + strings.Repeat("x", maxPrompt+1) + `"}],"cases":[{"id":"a"}]}`}, []string{"suites/s.json:1:51 prompt: the message is 1048577 bytes long"}},
		{"a label needs labels", one(hello + "cases: [{ id: a, expected_label: Ja }]\n"), []string{"suites/s.yaml:3:34 label: …needs `labels`"}},
		{"a label that is not judged is warned of", one("strategy: accuracy\n" + hello + "cases: [{ id: a, expected_label: Ja, labels: [Ja] }]\n"),
			[]string{"suites/s.yaml:4:34 warning label: "}},
		{"a target is in the configuration", one("target: replai\n" + hello + "cases: [{ id: a }]\n"),
			[]string{`suites/s.yaml:2:9 target: target "replai" is not in the configuration; did you mean "replay"?`}},
		{"a live target can be asked", one("target: fast\n" + hello + "cases: [{ id: a, expected_response: x }]\n"), nil},
		{"a policy is in the configuration", one(hello + "cases: [{ id: a, policies: [no-promise] }]\n"),
			[]string{`suites/s.yaml:3:29 policy: …did you mean "no-promises"?`}},
		{"a probe may say what can go wrong", one("strategy: probe\n" + hello + "defaults: { failure_modes: [a] }\ncases: [{ id: a }, { id: b, failure_modes: [d], category: c }]\n"), nil},
		{"what can go wrong is looked for in probes alone", one(hello + "cases: [{ id: a, failure_modes: [d] }]\n"), []string{
			"suites/s.yaml:3:33 warning probe: `failure_modes` are looked for under strategy probe alone; this suite's is accuracy"}},
		{"what metrics are taken by can be given", one("benchmark: B2\n" + hello + "defaults: { key_facts: [a fact], forbidden_claims: ['/b\\d/'] }\n" +
			"cases: [{ id: a, expected_label: x, labels: [x], allowed_terms: [c] }]\n"), nil},
		{"a fact and a claim must compile", one(hello + "cases: [{ id: a, key_facts: [\"/(/\"], forbidden_claims: [\"/b*/\", \"...\"] }]\n"), []string{
			"suites/s.yaml:3:30 compile: key fact: invalid regular expression", "suites/s.yaml:3:57 compile: forbidden claim: the regular expression matches the empty text",
			"suites/s.yaml:3:65 compile: forbidden claim: no word"}},
		{"a refusal covers no fact", one(hello + "cases: [{ id: a, expected_classification: refusal, key_facts: [x y] }]\n"),
			[]string{"suites/s.yaml:3:52 contradiction: `key_facts` contradicts"}},
		{"a failure can be one of the metrics", one(hello + "cases: [{ id: a, expected_classification: fail, key_facts: [x y] }]\n"), nil},
		{"B1 with a label off its list compares the meaning, and is warned of", one("benchmark: B1\n" + hello +
			"cases: [{ id: a, expected_label: Maybe, labels: [Good, Bad], expected_response: It may. }]\n"),
			[]string{"suites/s.yaml:4:34 warning label: expected_label \"Maybe\" is not one of the labels \"Good\", \"Bad\"; benchmark B1 then compares the meaning"}},
		{"an expected response beside a label is matched word for word, and warned of", one("benchmark: B2\n" + hello +
			"cases: [{ id: a, expected_label: Good, labels: [Good, Bad], expected_response: It is good. }]\n"),
			[]string{"suites/s.yaml:4:80 warning label: beside the label, `expected_response` has to be answered word for word; if it only explains the label, leave it out or say `match: contains`"}},
		{"an expected response that is the label", one("benchmark: B2\n" + hello +
			"cases: [{ id: a, expected_label: Good, labels: [Good, Bad], expected_response: Good }]\n"), nil},
		{"another benchmark with a label off its list", one("benchmark: B2\n" + hello +
			"cases: [{ id: a, expected_label: Maybe, labels: [Good, Bad], expected_response: It may. }]\n"),
			[]string{"suites/s.yaml:4:34 label: expected_label \"Maybe\" is not one of"}},
		{"a label under a strategy that compares the meaning is warned of", one("benchmark: B7\n" + hello +
			"cases: [{ id: a, expected_label: Good, labels: [Good, Bad], expected_response: It may. }]\n"), []string{"suites/s.yaml:4:34 warning label: `expected_label` is not judged under strategy reasoning"}},
		{"C216: assertions cannot read the environment in a message, at its place",
			one("messages:\n  - role: user\n    content: |\n      Dear model,\n      use {{ env.KEY }} now\ncases: [{ id: a }]\n"),
			[]string{"suites/s.yaml:6:11 template: …is not a variable"}},
		{"C216: the place is found in quotes too", one("messages: [{ role: user, content: \"ä\\n{{{{\" }]\ncases: [{ id: a }]\n"),
			[]string{"suites/s.yaml:2:39 template: 4 opening braces"}},
		{"C316: a pattern that is always true is warned of", one(hello + "cases: [{ id: a, expected_response: /a*/ }]\n"),
			[]string{"suites/s.yaml:3:37 warning always-true: "}},
		{"C314: a pattern must compile, and its column is named", one(hello + "cases: [{ id: a, expected_response: \"/ab(?=c)/\" }]\n"),
			[]string{"suites/s.yaml:3:41 compile: expected_response: …(?="}},
		{"C314: a pattern is short", one(hello + "cases: [{ id: a, match: regex, expected_response: " + strings.Repeat("a", 1025) + " }]\n"),
			[]string{"suites/s.yaml:3:51 compile: …1024"}},
		{"a format that is a pattern has one", one(hello + "cases: [{ id: a, expected_format: regex }]\n"),
			[]string{"suites/s.yaml:3:35 format: …needs a pattern"}},
		{"a pattern goes with regex only", one(hello + "cases: [{ id: a, expected_format: { type: json, pattern: a } }]\n"),
			[]string{"suites/s.yaml:3:49 format: `pattern` goes with type regex only"}},
		{"a schema goes with json and yaml only", one(hello + "cases: [{ id: a, expected_format: { type: xml, schema: a } }]\n"),
			[]string{"suites/s.yaml:3:48 format: `schema` goes with type json or yaml only"}},
		{"a format's pattern must compile", one(hello + "cases: [{ id: a, expected_format: { type: regex, pattern: \"(\" } }]\n"),
			[]string{"suites/s.yaml:3:60 compile: expected_format, pattern"}},
		{"an assertion must compile", one(hello + "cases: [{ id: a, assert: [response.txt == 1] }]\n"), []string{"suites/s.yaml:3:…compile: invalid assertion: "}},
		{"an assertion is a condition", one(hello + "cases: [{ id: a, assert: [1 + 1] }]\n"), []string{"suites/s.yaml:3:…compile: invalid assertion: "}},
		{"a variable of an assertion is defined", one(hello + "defaults: { assert: ['vars.x == response.text'] }\ncases: [{ id: a }, { id: b, vars: { x: 1 } }]\n"),
			[]string{`suites/s.yaml:3:22 undefined-variable: variable "x" is not defined in case a of suite s`}},
		{"a misspelled variable is told once", one("messages: [{ role: user, content: '{{ ticket }}' }]\ncases: [{ id: a, vars: { tiket: x } }]\n"),
			[]string{`suites/s.yaml:2:36 undefined-variable: variable "ticket" is not defined in case a of suite s; vars has "tiket", which nothing reads: rename one of the two`}},
		{"a list of variables is told once", one("messages: [{ role: user, content: '{{ ticket }}' }]\ncases: [{ id: a, vars: [ticket] }]\n"),
			[]string{"suites/s.yaml:3:24 type: `vars` is a list; expected a map"}},
		{"a map of a case is no list of cases", one(hello + "cases: { id: a }\n"), []string{"suites/s.yaml:3:8 type: `cases` is a map; expected a list or a map with file"}},
		{"an assertion looks at the answer", one(hello + "cases: [{ id: a, vars: { x: 1 }, assert: ['true', 'vars.x == \"1\"', 'vars.x == response.text'] }]\n"),
			[]string{"suites/s.yaml:3:43 warning always-true: this looks at no part of the answer", "suites/s.yaml:3:51 warning always-true: this looks at no part of the answer"}},
		{"a fault of the defaults is told once", one(hello + "defaults: { assert: [1 + 1] }\ncases: [{ id: a }, { id: b }]\n"),
			[]string{"suites/s.yaml:3:…compile: invalid assertion: "}},
		{"a variable is text, a number, true or false", one("prompt: p.md\ncases: [{ id: a, vars: { x: [1] } }, { id: b, vars: { x: null } }]\n"),
			[]string{"suites/s.yaml:3:29 …", "suites/s.yaml:3:58 …"}},
		{"C605: an emptied suite is a fault", map[string]string{"suites/s.yaml": ""}, []string{"suites/s.yaml:…"}},
		{"C608: a case cannot be skipped", one(hello + "cases: [{ id: a, skip: true }, { id: b, only: true }]\n"),
			[]string{"suites/s.yaml:3:18 unknown-key: …", "suites/s.yaml:3:41 unknown-key: …"}},
		{"C618: a second document is a fault", one(hello + "cases: [{ id: a }]\n---\nversion: 1\n"), []string{"suites/s.yaml:4:…"}},
		{"C317: a pattern is UTF-8", one(hello + "cases: [{ id: a, expected_response: /\xff/ }]\n"), []string{"suites/s.yaml:3:38 encoding: "}},
		{"all faults of all files are told at once", map[string]string{
			"suites/a.yaml": "version: 2\n" + hello + "cases: [{ id: a, severity: urgent }]\n",
			"suites/b.json": `{"version":1,"messages":[{"role":"user","content":"x"}],"cases":[{"id":"a","must_pass":"yes"}]}`,
			"suites/c.yml":  "version: 1\nid: [\n",
		}, []string{"suites/a.yaml:1:10 …", "suites/a.yaml:3:28 …", "suites/b.json:1:88 …", "suites/c.yml:…"}},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			_, ds := loaded(c.files)
			check(t, ds, c.want)
		})
	}
}

func TestC214OnlyLiveTargetsHaveALimitOfCases(t *testing.T) {
	text := &strings.Builder{}
	limit := settings().Limits.WithDefaults().MaxCases
	for i := range limit + 1 {
		fmt.Fprintf(text, `{"case_id":"c%d","suite_id":"s","prompt":"x"}`+"\n", i)
	}
	fsys := tree(map[string]string{"suites/s.jsonl": text.String()})
	if suites, ds := loadOpen(fsys, settings(), settings().Suites); len(ds) > 0 || len(suites[0].Cases) != limit+1 {
		t.Fatalf("recordings: %v", lines(ds))
	}
	live := newLoader(fsys, settings(), nil)
	suites := []*Suite{{Target: "fast"}}
	for range limit {
		suites[0].Cases.Add(Case{})
	}
	fewer := suites[0].Cases
	suites[0].Cases.Add(Case{})
	check(t, live.checkMaxCases(suites), []string{"failproof.yml:0:0 too-many-cases: 10001 cases would ask a live target, more than limits.max_cases (10000)"})
	suites[0].Cases = fewer
	check(t, live.checkMaxCases(suites), nil)
}

// loadOpen is Load with every case opened.
func loadOpen(fsys fs.FS, cfg *config.Config, globs []string) ([]*Suite, []document.Diagnostic) {
	suites, ds := Load(fsys, cfg, globs)
	for _, s := range suites {
		for i := range len(s.Cases) {
			*s.Cases[i] = s.Cases[i].Open()
		}
	}
	return suites, ds
}
