//go:build linux

package acceptance_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// manyCases lists n cases that hold more besides their id.
func manyCases(n int, more string) string {
	var b strings.Builder
	b.WriteString("cases:\n")
	for i := range n {
		fmt.Fprintf(&b, "- {id: c%d%s}\n", i, more)
	}
	return b.String()
}

// prompted returns an entry of a suite whose prompt file holds text.
func prompted(name, rule string, exit int, prompt, suite string, says ...string) badInput {
	return badInput{name: name, rule: rule, exit: exit, says: says, make: func(t *testing.T, dir string) {
		put(t, dir, badSuite, "version: 1\ntarget: echo\nprompt: ../prompts/x.md\n"+suite)
		put(t, dir, "prompts/x.md", prompt)
	}}
}

// greedyBad holds small files that ask for much memory or time, and other inputs of a form of their own.
func greedyBad() []badInput {
	long := strings.Repeat("y", 200_000)
	return []badInput{
		prompted("greedy-template", "A prompt that repeats a long variable is counted before it is made.", 2, strings.Repeat("{{x}}", 100_000),
			"cases:\n  - id: a\n    vars: {x: "+long+"}\n", "suites/bad.yaml:5:5: … at most 8 MiB are sent … [too-large]"),
		prompted("greedy-defaults", "A long default of many cases is counted before it is made.", 2, "{{x}}", "defaults: {vars: {x: "+long+"}}\n"+manyCases(40_000, ""),
			"suites/bad.yaml:6:1: … more than 512 MiB … [too-large]"),
		prompted("greedy-prompt", "A long prompt of many cases is counted before it is made.", 2, long+"{{x}}", manyCases(20_000, ", vars: {x: 1}"),
			"suites/bad.yaml:5:1: … more than 512 MiB … [too-large]"),
		oneSuite("greedy-labels", "Many labels of many cases are counted before they are copied.", 2, func() string {
			return badHead + "defaults: {expected_label: l, labels: [l" + manyLabels(1000) + "]}\n" + manyCases(20_000, "")
		}, "suites/bad.yaml:6:1: … more than 512 MiB"),
		oneSuite("greedy-asserts", "Assertions cannot allocate or loop without a limit.", 0, func() string {
			return badHead + "cases:\n" + greedyAsserts()
		}),
		{name: "greedy-cases", rule: "100,000 cases are listed within the limits of time and memory.", exit: 0, args: [][]string{{"validate"}},
			says: []string{"3 suites, 100007 cases: valid"}, make: func(t *testing.T, dir string) {
				var b strings.Builder
				for i := range 100_000 {
					fmt.Fprintf(&b, `,{"id":"c%d"}`, i)
				}
				put(t, dir, "suites/many.json", `{"version":1,"target":"echo","messages":[{"role":"user","content":"Hi"}],"cases":[`+b.String()[1:]+"]}")
			}},
		oneSuite("greedy-id", "An id of 500 kB is refused and not repeated.", 2, func() string { return badHead + "cases:\n  - id: " + strings.Repeat("a", 250_000) + "\n" },
			"suites/bad.yaml:5:9: "),
		oneSuite("greedy-key", "A key of 500 kB is refused and not repeated.", 2, func() string { return badHead + strings.Repeat("a", 1000) + ": 1\n" + badCases }, "suites/bad.yaml:4:1: "),
		oneSuite("greedy-faults", "10,000 faults are counted and not all listed.", 2, func() string { return badHead + manyCases(10_000, ", nope: 1") },
			"suites/bad.yaml:5:", "more faults are not listed"),
		jsonSuite("json-deep", "1,000,000 lists inside each other are refused in JSON too.", `{"version":1,"cases":`+strings.Repeat("[", 1_000_000), "suites/bad.json:1:"),
		jsonSuite("json-duplicate", "A key that stands twice is refused in JSON too.", `{"version":1,"version":1,"cases":[{"id":"a"}]}`, "suites/bad.json:1:14: … [duplicate-key]"),
		jsonSuite("json-nan", "NaN is no JSON.", `{"version":1,"weight":NaN,"cases":[{"id":"a"}]}`, "suites/bad.json:1:23: "),
		jsonSuite("json-comma", "A comma too many is refused.", `{"version":1,"cases":[{"id":"a"},]}`, "suites/bad.json:1:"),
		jsonSuite("json-comment", "A comment is no JSON.", "{\"version\":1,// x\n\"cases\":[]}", "suites/bad.json:1:14: "),
		jsonSuite("json-two", "A second value is refused.", `{"version":1} {"version":1}`, "suites/bad.json:1:15: "),
		jsonSuite("json-surrogate", "Half of a surrogate pair is refused in JSON too.", `{"version":1,"description":"\ud800","cases":[]}`, "suites/bad.json:1:"),
		jsonSuite("json-cut", "A file that is cut off is refused.", `{"version":1,"cases":[{"id":"a`, "suites/bad.json:1:"),
		jsonSuite("json-nothing", "An empty JSON file is refused.", "", "suites/bad.json"),
		{name: "json-large", rule: "A JSON file of more than 64 MiB is refused.", exit: 2, says: []string{"suites/bad.json: the file is larger than 64 MiB; split it"},
			make: func(t *testing.T, dir string) { sparse(t, dir, "suites/bad.json", 64<<20+1) }},
		schemaOf("schema-remote", "A schema reads no address.", `{"$ref": "http://127.0.0.1:1/x.json"}`, "a schema may only refer to itself"),
		schemaOf("schema-file", "A schema reads no other file.", `{"$ref": "file:///etc/passwd"}`, "a schema may only refer to itself"),
		schemaOf("schema-loop", "A schema that is itself is refused, without a path of the machine.", `{"$ref": "#"}`, "infinite loop schema#/$ref"),
		schemaOf("schema-deep", "A schema of 5,000 levels is refused.", strings.Repeat(`{"items":`, 5000)+"{}"+strings.Repeat("}", 5000), "suites/s.schema.json:1:"),
		schemaOf("schema-pattern", "A pattern of a schema that RE2 does not know is refused.", `{"pattern": "(?=a)"}`, "suites/bad.yaml:6:"),
		linesSuite("lines-garbage", "A line that is no JSON is refused at its line.", goodLine+"garbage\n", "suites/bad.jsonl:2:1: "),
		linesSuite("lines-type", "A line of the wrong type is refused.", goodLine+"[1]\n", "suites/bad.jsonl:2:1: "),
		linesSuite("lines-missing", "A line without a prompt is refused.", goodLine+`{"case_id":"b","suite_id":"s"}`+"\n", "suites/bad.jsonl:2:1: … `prompt` is missing"),
		linesSuite("lines-twice", "A case that stands twice is refused.", goodLine+goodLine, "suites/bad.jsonl:2:1: … [duplicate-id]"),
		linesSuite("lines-template", "A prompt that repeats a long variable is counted in a line too.",
			fmt.Sprintf(`{"case_id":"a","suite_id":"s","prompt":%q,"prompt_vars":{"x":%q}}`+"\n", strings.Repeat("{{x}}", 100_000), long), "suites/bad.jsonl:1:1: … at most 8 MiB are sent"),
		linesSuite("lines-empty", "A file of blank lines has no cases and is refused.", "\n\n\n", "suites/bad.jsonl"),
		{name: "lines-long", rule: "A file with a line of 64 MiB is refused.", exit: 2, says: []string{"suites/bad.jsonl"},
			make: func(t *testing.T, dir string) { sparse(t, dir, "suites/bad.jsonl", 64<<20+1) }},
		promptFile("prompt-file-type", "A prompt file of the wrong types is refused.", "messages: 5\ntestData: x\nevaluators: {}\nmodel: []\n", "suites/bad.prompt.yml:1:"),
		promptFile("prompt-file-schema", "A jsonSchema that is no JSON is refused.", "messages: [{role: user, content: Hi}]\nresponseFormat: json_schema\njsonSchema: '{nope'\ntestData: [{a: 1}]\n", "suites/bad.prompt.yml:3:"),
		promptFile("prompt-file-evaluator", "An evaluator that does not exist is refused.", "messages: [{role: user, content: Hi}]\ntestData: [{a: 1}]\nevaluators: [{name: x, string: {nope: 1}}]\n", "suites/bad.prompt.yml:3:"),
		{name: "config-two", rule: "A second configuration is a warning, and not read.", exit: 0, args: [][]string{{"validate"}},
			says: []string{"failproof.yml exists too and is not read"}, make: func(t *testing.T, dir string) { put(t, dir, "failproof.yml", "::nope") }},
		{name: "config-none", rule: "A repository without a configuration is refused with what to do.", exit: 2, says: []string{"write one with `failproof init`"},
			make: func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, ".github/failproof.yml")) }},
		{name: "config-folder", rule: "A folder in place of the configuration is refused.", exit: 2, says: []string{".github/failproof.yml: "},
			make: func(t *testing.T, dir string) {
				os.Remove(filepath.Join(dir, ".github/failproof.yml"))
				put(t, dir, ".github/failproof.yml/x", "")
			}},
		{name: "config-empty", rule: "An empty configuration is refused.", exit: 2, says: []string{".github/failproof.yml:1:1: "},
			make: func(t *testing.T, dir string) { put(t, dir, ".github/failproof.yml", "") }},
	}
}

func manyLabels(n int) string {
	var b strings.Builder
	for i := range n - 1 {
		fmt.Fprintf(&b, ", l%d", i)
	}
	return b.String()
}

// greedyAsserts are cases whose bar is met by nothing; that their assertions end is what counts.
func greedyAsserts() string {
	var b strings.Builder
	for i, text := range []string{"len(1..1000000000) > 0", "all(1..1000000, {all(1..1000000, {true})})", "sum(1..100000000) > 1",
		"map(1..1000000, {map(1..1000, {#})}) == []", "response.text matches '(a*)*b'", "len(filter(1..1000000, {true})) == 1"} {
		fmt.Fprintf(&b, "  - id: a%d\n    expected_classification: fail\n    assert: [\"%s\", \"false\"]\n", i, text)
	}
	return b.String()
}

const goodLine = `{"case_id":"a","suite_id":"s","prompt":"Hi"}` + "\n"

func fileBad(file string) func(name, rule, text string, says ...string) badInput {
	return func(name, rule, text string, says ...string) badInput {
		return badInput{name: name, rule: rule, exit: 2, says: says, make: func(t *testing.T, dir string) { put(t, dir, file, text) }}
	}
}

var (
	jsonSuite  = fileBad("suites/bad.json")
	linesSuite = fileBad("suites/bad.jsonl")
)

// promptFile returns an entry with a prompt file of GitHub Models.
func promptFile(name, rule, text string, says ...string) badInput {
	return badInput{name: name, rule: rule, exit: 2, says: says, args: [][]string{{"validate", "suites/bad.prompt.yml"}, {"run", "--quiet", "suites/bad.prompt.yml"}},
		make: func(t *testing.T, dir string) { put(t, dir, "suites/bad.prompt.yml", text) }}
}

// schemaOf returns an entry whose case expects JSON of a schema.
func schemaOf(name, rule, schema string, says ...string) badInput {
	return badInput{name: name, rule: rule, exit: 2, says: says, make: func(t *testing.T, dir string) {
		put(t, dir, badSuite, badHead+badCases+"    expected_format: {type: json, schema: s.schema.json}\n")
		put(t, dir, "suites/s.schema.json", schema)
	}}
}
