//go:build linux

package acceptance_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recording is the file that the entries below spoil, and its good lines are those of the example.
const recording = "recordings/support/refund.jsonl"

// answer is a line of a recording that fits the example.
const answer = `{"suite_id":"support/refund","case_id":"too-late","raw_response":"{\"decision\":\"deny\",\"reason\":\"30\"}"}` + "\n"

// recorded returns an entry whose recording is changed.
func recorded(name, rule string, exit int, change func(good string) string, says ...string) badInput {
	return badInput{name: name, rule: rule, exit: exit, says: says, args: [][]string{{"run", "--quiet"}, {"run"}},
		make: func(t *testing.T, dir string) {
			good, err := os.ReadFile(filepath.Join(dir, recording))
			if err != nil {
				t.Fatal(err)
			}
			put(t, dir, recording, change(string(good)))
		}}
}

// withLine adds a line behind the three good ones.
func withLine(line string) func(string) string {
	return func(good string) string { return good + line + "\n" }
}

func recordingBad() []badInput {
	at := recording + ":4:1: "
	says := func(b badInput, says ...string) badInput { b.says = says; b.args = b.args[:1]; return b }
	return []badInput{
		says(recorded("recording-garbage", "A line that is no JSON is refused.", 2, withLine("garbage")), at),
		says(recorded("recording-list", "A line that is a list is refused.", 2, withLine("[1]")), at),
		says(recorded("recording-null", "A line that is null is refused.", 2, withLine("null")), at),
		says(recorded("recording-cut", "A line that is cut off is refused.", 2, withLine(answer[:60])), at),
		says(recorded("recording-two", "Two values on a line are refused.", 2, withLine(strings.TrimSpace(answer)+strings.TrimSpace(answer))), at),
		says(recorded("recording-twice", "An answer that stands twice is refused: which one was it?", 2, withLine(answer)), at+" … is recorded twice"),
		says(recorded("recording-neither", "A line without an answer and without an error is refused.", 2, withLine(`{"suite_id":"s","case_id":"c"}`)), at+" … neither"),
		says(recorded("recording-ids", "A line without ids is refused.", 2, withLine(`{"raw_response":"x"}`)), at),
		says(recorded("recording-trial", "A trial below 0 is refused.", 2, withLine(`{"suite_id":"s","case_id":"c","trial":-1,"raw_response":"x"}`)), at),
		says(recorded("recording-trial-type", "A trial that is no whole number is refused.", 2, withLine(`{"suite_id":"s","case_id":"c","trial":1.5,"raw_response":"x"}`)), at),
		says(recorded("recording-trial-huge", "A trial beyond all numbers is refused.", 2, withLine(`{"suite_id":"s","case_id":"c","trial":1e99,"raw_response":"x"}`)), at),
		says(recorded("recording-type", "An answer that is no text is refused.", 2, withLine(`{"suite_id":"s","case_id":"c","raw_response":{"a":1}}`)), at),
		says(recorded("recording-latency", "A latency beyond all numbers is refused.", 2, withLine(`{"suite_id":"s","case_id":"c","raw_response":"x","latency_ms":1e999}`)), at),
		says(recorded("recording-deep", "A line of 100,000 lists inside each other is refused.", 2, withLine(strings.Repeat("[", 100_000))), at),
		says(recorded("recording-wide", "A recording in UTF-16 is refused.", 2, func(good string) string { return "\xff\xfe" + wide(good, 2) }), recording+":1:1: "),
		says(recorded("recording-long", "A line of 17 MiB is refused.", 2, withLine(strings.Repeat(" ", 17<<20)+"x")), at+" … at most 16 MiB"),
		{name: "recording-large", rule: "A line of 64 MiB is refused.", exit: 2, says: []string{recording}, args: [][]string{{"run", "--quiet"}},
			make: func(t *testing.T, dir string) { sparse(t, dir, recording, 64<<20+1) }},
		{name: "recording-folder", rule: "A folder in place of a recording is refused.", exit: 2, says: []string{recording}, args: [][]string{{"run", "--quiet"}},
			make: func(t *testing.T, dir string) {
				os.Remove(filepath.Join(dir, recording))
				put(t, dir, recording+"/x", "")
			}},
		{name: "recording-missing", rule: "A recording that is missing is no pass: the run is undecided.", exit: 3, args: [][]string{{"run"}}, says: []string{"recordings/support/refund.jsonl does not exist", "undecided"},
			make: func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, recording)) }},
		{name: "recording-ignored", rule: "validate reads no recording.", exit: 0, args: [][]string{{"validate"}},
			make: func(t *testing.T, dir string) { put(t, dir, recording, "garbage") }},
		recorded("recording-empty", "An empty recording is no pass: the run is undecided.", 3, func(string) string { return "" }),
		recorded("recording-other", "Answers of another suite answer nothing.", 3, func(good string) string { return strings.ReplaceAll(good, "support/refund", "support/other") }),
		recorded("recording-stale", "An answer to another request is no pass: the run is undecided.", 3, func(good string) string {
			return strings.ReplaceAll(good, `"request_key": "`, `"request_key": "0`)
		}),
		says(recorded("recording-utf16", "A recording in UTF-16 is called so, once.", 2, func(good string) string { return "\xff\xfe" + wide(good, 2) }),
			recording+":1:1: the file is UTF-16; save it as UTF-8"),
		recorded("recording-bytes", "Bytes that are not UTF-8 in an answer are shown as such.", 1, func(string) string {
			return answer + "{\"suite_id\":\"support/refund\",\"case_id\":\"within-30-days\",\"raw_response\":\"\xff\xfe\"}\n" +
				"{\"suite_id\":\"support/refund\",\"case_id\":\"angry-customer\",\"raw_response\":\"\xc0\xaf\"}\n"
		}),
		recorded("recording-commands", "An answer cannot write a command of the runner, nor move the cursor.", 1, func(string) string {
			return answer + `{"suite_id":"support/refund","case_id":"within-30-days","raw_response":"\n::error::x\r##[error]y\u001b[2J\u0007\u0000\u2028::add-mask::z\u202e"}` + "\n" +
				`{"suite_id":"support/refund","case_id":"angry-customer","raw_response":"","refusal":"\n::set-output name=verdict::passed\u009b31m"}` + "\n"
		}),
		recorded("recording-errors", "An error's text cannot write a command of the runner.", 3, func(string) string {
			return answer + `{"suite_id":"support/refund","case_id":"within-30-days","error":"timed out\n::error::x\u001b[2J"}` + "\n" +
				`{"suite_id":"support/refund","case_id":"angry-customer","error":"##[error]\u009b"}` + "\n"
		}),
		recorded("recording-answers", "Answers made to be slow to read are judged in time.", 1, func(string) string {
			return answer + `{"suite_id":"support/refund","case_id":"within-30-days","raw_response":"` + strings.Repeat("{", 1<<20) + `"}` + "\n" +
				`{"suite_id":"support/refund","case_id":"angry-customer","raw_response":"` + strings.Repeat("[{\\\"a\\\":", 200_000) + `"}` + "\n"
		}),
	}
}

// storedRun is the report of a good run and its results.
type storedRun struct{ rep, results string }

// goodRun runs the example and keeps the report in the folder good.
func goodRun(t *testing.T, dir string) storedRun {
	t.Helper()
	var b badInput
	if code, out, errs := b.execute(t, new(badScore), dir, []string{"run", "--quiet", "--out", "good"}); code != 0 {
		t.Fatalf("run of the example: exit code %d\n%s%s", code, out, errs)
	}
	text := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, "good", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	return storedRun{text("report.json"), text("results.jsonl")}
}

var (
	useReport  = [][]string{{"render", "t/report.json"}, {"run", "--base", "./t/report.json", "--out", "o"}}
	useResults = [][]string{{"diff", "good", "t", "--out", "o"}, {"run", "--base", "./t/report.json", "--out", "o"}}
)

// put stores the good run in the folder good, and the spoilt one in the folder t.
func (s storedRun) put(t *testing.T, dir, rep, results string) {
	t.Helper()
	if rep == s.rep && results == s.results {
		t.Fatal("nothing was changed")
	}
	put(t, dir, "good/report.json", s.rep)
	put(t, dir, "good/results.jsonl", s.results)
	put(t, dir, "t/report.json", rep)
	put(t, dir, "t/results.jsonl", results)
}

// spoilt returns an entry of a stored report that is changed before it is rendered, compared and run against.
func (s storedRun) spoilt(name, rule string, change func(rep string) string, says string) badInput {
	return badInput{name: "report-" + name, rule: rule, exit: 2, args: useReport, says: []string{says}, then: noOutput, make: func(t *testing.T, dir string) {
		s.put(t, dir, change(s.rep), s.results)
	}}
}

// spoiltResults is spoilt for the results beside the report, which render does not read.
func (s storedRun) spoiltResults(name, rule string, change func(results string) string, says string) badInput {
	return badInput{name: "results-" + name, rule: rule, exit: 2, args: useResults, says: []string{says}, then: noOutput, make: func(t *testing.T, dir string) {
		s.put(t, dir, s.rep, change(s.results))
	}}
}

// noOutput checks that a refused comparison left no report.
func noOutput(t *testing.T, dir, _ string) {
	if _, err := os.Stat(filepath.Join(dir, "o/report.json")); err == nil {
		t.Error("a refused comparison left a report.json")
	}
}

func swap(old, new string) func(string) string {
	return func(text string) string { return strings.Replace(text, old, new, 1) }
}

func whole(text string) func(string) string { return func(string) string { return text } }

func reportBad(s storedRun) []badInput {
	return []badInput{
		s.spoilt("cut", "A report that is cut off is refused.", func(r string) string { return r[:len(r)/2] }, "unexpected end of JSON input"),
		s.spoilt("empty", "An empty report is refused.", whole(""), "unexpected end of JSON input"),
		s.spoilt("null", "A report that is null is refused.", whole("null"), "schema_version"),
		s.spoilt("list", "A report that is a list is refused.", whole("[]"), "the document is a JSON array"),
		s.spoilt("deep", "A report of 100,000 lists inside each other is refused.", whole(strings.Repeat("[", 100_000)), "exceeded max depth"),
		s.spoilt("deep-key", "A report with 100,000 maps inside each other in a key is refused.",
			whole(`{"schema_version":"1","suites":[`+strings.Repeat(`{"histogram":`, 100_000)), "exceeded max depth"),
		s.spoilt("version", "A report of another version is refused.", swap(`"schema_version": "1"`, `"schema_version": "2"`), `schema version "2" is not known`),
		s.spoilt("version-type", "A version that is a number is refused.", swap(`"schema_version": "1"`, `"schema_version": 1`), "schema_version is a JSON number"),
		s.spoilt("huge", "A number beyond all numbers is refused.", swap(`"trials": 7`, `"trials": 1e400`), "trials is a JSON number"),
		s.spoilt("long", "A number of 20 digits is refused.", swap(`"cases": 7`, `"cases": 99999999999999999999`), "cases is a JSON number"),
		s.spoilt("negative", "A number of cases below 0 is refused.", swap(`"cases": 3`, `"cases": -3`), "cases is -3; expected 0 or more"),
		s.spoilt("score", "A score above 1 is refused.", swap(`"run_score": 1`, `"run_score": 7`), "run_score is 7; expected at most 1"),
		s.spoilt("weight", "A weight whose sum could be infinite is refused.", swap("\"weight\": 1,\n      \"cases\"", "\"weight\": 1e308,\n      \"cases\""), "weight is 1e+308; expected at most 1000000"),
		s.spoilt("metric", "A metric that weighs more than 1 is refused.", swap(`"weight": 1`, `"weight": 1e308`), "weight is 1e+308; expected at most 1"),
		s.spoilt("bar", "A suite bar that nothing can meet is refused.", swap(`"min_score": null`, `"min_score": 5`), "min_score is 5"),
		s.spoilt("twin", "Two suites of one id are refused.", swap(`"suite_id": "support/triage"`, `"suite_id": "support/refund"`), "stands twice"),
		s.spoilt("nameless", "A suite without an id is refused.", swap(`"suite_id": "support/refund"`, `"suite_id": ""`), "suite_id is empty"),
		s.spoilt("level", "A gate with a level that does not exist is refused: it would be off.", swap(`"level": "error"`, `"level": "never"`), `level is "never"; expected one of [off warn error]`),
		s.spoilt("phase", "A phase that does not exist is refused.", swap(`"phase": "deployment"`, `"phase": "party"`), `phase is "party"`),
		s.spoilt("verdict", "A verdict that does not exist is refused.", swap(`"verdict": "passed"`, `"verdict": "great"`), `line 19: verdict is "great"`),
		s.spoilt("unknown", "An unknown key is refused.", swap(`"verdict"`, `"nope": 1, "verdict"`), `unknown key "nope"`),
		s.spoilt("repeated", "A key that stands twice is refused.", swap(`"verdict"`, `"verdict": "passed", "verdict"`), `the key "verdict" is there twice`),
		s.spoilt("letters", "A key in other letters is refused.", swap(`"verdict"`, `"Verdict"`), `unknown key "Verdict"`),
		s.spoilt("second", "A second value is refused.", func(r string) string { return r + "{}" }, "after top-level value"),
		s.spoilt("mark", "A byte order mark is refused.", func(r string) string { return "\uFEFF" + r }, "invalid character"),
		s.spoiltResults("repeated", "Results that repeat a trial are refused: an answer would count twice.", func(r string) string { return r + r }, "trial 1 after trial 1"),
		s.spoiltResults("cut", "Results that are cut off inside a line are refused.", func(r string) string { return r[:len(r)-20] }, "line 7: unexpected end of JSON input"),
		s.spoiltResults("lost", "Results that lost a line are refused: its regression would not be seen.",
			func(r string) string { return r[strings.Index(r, "\n")+1:] }, "holds 6 results and its report.json counts 7"),
		s.spoiltResults("empty", "Results that lost every line are refused.", whole(""), "holds 0 results and its report.json counts 7"),
		s.spoiltResults("other", "Results of a suite that the report does not know are refused.", func(r string) string {
			return strings.ReplaceAll(r, `"suite_id":"support/refund"`, `"suite_id":"other"`)
		}, `results of suite "other"`),
		s.spoiltResults("garbage", "A line that is no JSON is refused.", func(r string) string { return r + "garbage\n" }, "line 8: invalid character"),
		s.spoiltResults("nan", "NaN is no score.", swap(`"accuracy":1`, `"accuracy":NaN`), "line 1: invalid character"),
		s.spoiltResults("contradiction", "A score that contradicts its classification is refused.", swap(`"accuracy":1`, `"accuracy":0`), "line 1: accuracy is 0, but a pass scores 1"),
		s.spoiltResults("category", "A category that does not exist is refused.", swap(`"primary":"pass"`, `"primary":"win"`), `line 1: primary is "win"`),
		s.spoiltResults("trial", "A trial of 0 is refused.", swap(`"trial":1`, `"trial":0`), "trial is 0; expected 1 or more"),
		s.spoiltResults("overall", "An overall score below 0 is refused.", swap(`"scores"`, `"overall_score":-5,"scores"`), "overall_score is -5"),
		{name: "results-none", rule: "A report without results is no base.", exit: 2, args: useResults[1:], says: []string{"has no results.jsonl beside it"}, then: noOutput,
			make: func(t *testing.T, dir string) {
				put(t, dir, "t/report.json", s.rep)
			}},
		{name: "results-ids", rule: "An id in stored results cannot write a command of the runner.", exit: 0, args: useResults,
			make: func(t *testing.T, dir string) {
				s.put(t, dir, s.rep, strings.Replace(s.results, `"case_id":"too-late"`, `"case_id":"\n::error::x\r##[error]\u001b[31m\u202e"`, 1))
			}},
	}
}
