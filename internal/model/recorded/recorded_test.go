package recorded_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/suiteid"
)

func load(t *testing.T, lines string) *recorded.Client {
	t.Helper()
	c, faults := recorded.Load(fstest.MapFS{"rec/s.jsonl": {Data: []byte(lines)}}, "rec/{suite}.jsonl", []string{"s"}, nil)
	if len(faults) > 0 {
		t.Fatalf("Load: %v", faults)
	}
	return c
}

func ask(t *testing.T, c *recorded.Client, id string, trial int) model.Response {
	t.Helper()
	r, err := c.Answer(context.Background(), model.Request{SuiteID: "s", CaseID: id, Trial: trial})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestARecordedAnswerIsReturnedWhole(t *testing.T) {
	c := load(t, `{"suite_id":"s","case_id":"a","trial":1,"raw_response":"hi","refusal":"no","finish_reason":"stop","latency_ms":12,"tokens":{"in":3,"out":4},"model_id":"m","cost_usd":0.5,"unknown":1,"tool_calls":[{"name":"f","arguments":{"a": 1}},{"name":"g","arguments":"{\"b\":2}"},{"name":"h"}]}`)
	got := ask(t, c, "a", 1)
	want := model.Response{Text: "hi", Refusal: "no", Finish: "stop", Model: "m", Latency: 12 * time.Millisecond,
		Usage:     model.Usage{TokensIn: 3, TokensOut: 4, Cost: model.USD(0.5)},
		ToolCalls: []model.ToolCall{{Name: "f", Arguments: `{"a":1}`}, {Name: "g", Arguments: `{"b":2}`}, {Name: "h"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Answer (-want +got):\n%s", diff)
	}
}

func TestFailures(t *testing.T) {
	fresh := model.Request{SuiteID: "s", CaseID: "fresh"}.Key()
	c := load(t, `{"suite_id":"s","case_id":"a","raw_response":null,"error":"timeout after 30s","limit_seconds":30}
{"suite_id":"s","case_id":"stale","request_key":"0123456789abcdef","raw_response":"old"}
{"suite_id":"s","case_id":"fresh","request_key":"`+fresh+`","raw_response":"new"}
{"suite_id":"s","case_id":"noerror","raw_response":"fine","error":""}
`)
	for _, tc := range []struct{ name, id, reason, message string }{
		{"a recorded error is a failure", "a", "", "timeout after 30s"},
		{"a request key that no longer matches is stale", "stale", "stale_recording", "record the answer again: stale, made for another prompt or input (rec/s.jsonl)"},
		{"an answer that is not there is missing", "b", "missing_recording", "rec/s.jsonl has no answer to this case"},
		{"a request key that matches is no failure", "fresh", "", ""},
		{"an empty error is no error", "noerror", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := ask(t, c, tc.id, 1).Failure
			if tc.message == "" {
				if got != nil {
					t.Fatalf("Failure = %+v, want none", got)
				}
				return
			}
			if got == nil || got.Reason != tc.reason || !strings.Contains(string(got.Message), tc.message) {
				t.Errorf("Failure = %+v, want reason %q and message %q", got, tc.reason, tc.message)
			}
		})
	}
}

func TestTrialsAreCountedFromOne(t *testing.T) {
	c := load(t, `{"suite_id":"s","case_id":"a","trial":2,"raw_response":"second"}
{"suite_id":"s","case_id":"a","raw_response":"first"}
`)
	if one, two, three := ask(t, c, "a", 1), ask(t, c, "a", 2), ask(t, c, "a", 3); one.Text != "first" || two.Text != "second" || three.Failure == nil {
		t.Errorf("trials 1 to 3 are %+v, %+v, %+v", one, two, three)
	}
}

func TestEveryLineThatCannotBeUsedIsAFaultWithItsPlace(t *testing.T) {
	lines := `{"suite_id":"s","case_id":"a","raw_response":"x"}
{"suite_id":"s","case_id":"a","raw_response":"y"}
not json

{"suite_id":"s","case_id":"b"}
{"case_id":"c","raw_response":"x"}
{"suite_id":"s","case_id":"d","trial":-1,"raw_response":"x"}
{"suite_id":"s","case_id":"e","trial":"1","raw_response":"x"}
{"suite_id":"s","case_id":"f","raw_response":"x","target":{"name":"fast"}}
{"suite_id":"s","case_id":"g","raw_response":"x","raw_response":"y"}
{"suite_id":"s","case_id":"h","raw_response":"x","Raw_Reſponse":"y"}
{"suite_id":"s","case_id":"i","raw_response":"x","target":{"name":"fast","provider":"openai","model":"m","Model":"n"}}
{"suite_id":"s","case_id":"j","raw_response":"x","target":{"name":"fast","provider":"openai","settings":{"seed":"7","seed":"8"}}}
`
	_, faults := recorded.Load(fstest.MapFS{"r.jsonl": {Data: []byte(lines)}}, "r.jsonl", nil, nil)
	want := []struct {
		line    int
		message string
	}{{2, "recorded twice"}, {3, "not a recording"}, {5, "neither raw_response nor error"}, {6, "suite_id and case_id are required"},
		{7, "trial is -1; expected 1 to 2147483647"}, {8, "trial is string"},
		{9, "target has no name or provider"}, {10, "key \"raw_response\" is also at line 10"},
		{11, "is written raw_response"}, {12, "key \"Model\" is written model"}, {13, "key \"seed\" is also at line 13"}}
	if len(faults) != len(want) {
		t.Fatalf("Load found %d faults, want %d: %v", len(faults), len(want), faults)
	}
	for i, w := range want {
		if faults[i].Line != w.line || !strings.Contains(faults[i].Message, w.message) {
			t.Errorf("fault %d = %+v, want line %d with %q", i, faults[i], w.line, w.message)
		}
	}
}

func TestOneFaultForLinesThatBelongTogether(t *testing.T) {
	const line = `{"suite_id": "s", "case_id": "a", "raw_response": "x"}` + "\n"
	for text, says := range map[string]string{
		"<<<<<<< HEAD\n" + line + "=======\n" + line + ">>>>>>> other\n":                   "resolve the conflict: take this file of one side",
		"{\n  \"suite_id\": \"s\",\n  \"case_id\": \"a\",\n  \"raw_response\": \"x\"\n}\n": "expected one JSON object a line",
	} {
		_, faults := recorded.Load(fstest.MapFS{"r.jsonl": {Data: []byte(text)}}, "r.jsonl", nil, nil)
		if len(faults) != 1 || faults[0].Line != 1 || !strings.Contains(faults[0].Message, says) {
			t.Errorf("%.20q has the faults %v; want one, in line 1, that says %q", text, faults, says)
		}
	}
}

func TestALineIsReadStrictly(t *testing.T) {
	for text, want := range map[string]string{
		`{"suite_id":"s","case_id":"c","raw_response":"Yes, \"it\" does\n\u00e4\ud83d\ude00 é."}`:                              "",
		`{"suite_id":"s","case_id":"c","error":"timeout","limit_seconds":1.5e1,"latency_ms":0.25,"cost_usd":5e-07}`:            "",
		`{"suite_id":"s","case_id":"c","raw_response":"x","error":null,"metrics":[{"value":-1e3}],"target":null,"trial":null}`: "",
		`{"suite_id":"s","case_id":"c","raw_response":"x","trial":0}`:                                                          "",
		`{"suite_id":"s","case_id":"c","raw_response":"x","trial":2147483648}`:                                                 "trial is 2147483648; expected 1 to 2147483647",
		`{"suite_id":"s","case_id":"c","raw_response":"","target":{"name":"t","provider":"openai","temperature":0.5,"top_p":1,"max_tokens":9,` +
			`"model":"m","settings":{"seed":"7"},"x":1},"tokens":{"in":1,"out":2},"by_hand":true,"fresh":"base","base_key":"b","request_key":"r"}`: "",
		`null`:                                        "it is not an object",
		`[]`:                                          "it is not an object",
		`{"suite_id":"s"} x`:                          "after top-level value",
		`{"suite_id":null}`:                           "suite_id and case_id are required",
		`{"suite_id":"s","raw_respnse":""}`:           "key \"raw_respnse\" is written raw_response",
		`{"Suite_ID":"s"}`:                            "key \"Suite_ID\" is written suite_id",
		`{"trial":1.0}`:                               "trial is number 1.0, which does not fit",
		`{"trial":99999999999999999999}`:              "trial is number 99999999999999999999, which does not fit",
		`{"trial":01}`:                                "not JSON: ",
		`{"latency_ms":1e999}`:                        "latency_ms is number 1e999, which does not fit",
		`{"latency_ms":"5"}`:                          "latency_ms is string",
		`{"by_hand":1}`:                               "by_hand is number",
		`{"raw_response":7}`:                          "raw_response is number",
		`{"target":[]}`:                               "target is array",
		`{"target":{"name":{}}}`:                      "target.name is object",
		`{"target":{"settings":[]}}`:                  "target.settings is array",
		`{"target":{"settings":{"a":1}}}`:             "target.settings is number",
		`{"tokens":{"in":"x"}}`:                       "tokens.in is string",
		`{"tokens":{"in":1,"in":2}}`:                  "key \"in\" is also",
		`{"suite_id":"s","case_id":"c","fresh":"no"}`: "neither raw_response nor error",
	} {
		_, faults := recorded.Load(fstest.MapFS{"r": {Data: []byte(text)}}, "r", nil, nil)
		if want == "" && len(faults) == 0 {
			continue
		}
		if want == "" || len(faults) != 1 || !strings.Contains(faults[0].Message, want) {
			t.Errorf("%s: faults %v, want %q", text, faults, want)
		}
	}
}

func TestWhatIsNoCharacterIsShownAsSuch(t *testing.T) {
	for _, answer := range []string{"a\xffb", `a\ud83db`} {
		c := load(t, `{"suite_id":"s","case_id":"a","raw_response":"`+answer+`"}`)
		if got := ask(t, c, "a", 1).Text; got != "a\ufffdb" {
			t.Errorf("%q is read as %q", answer, got)
		}
	}
}

func TestAnswersAreTheSameWhateverStandsBesideThem(t *testing.T) {
	const base = `{"suite_id":"s","case_id":"a","raw_response":"x","latency_ms":1,"model_id":"m"}`
	gap, third := base+"\n", `{"suite_id":"s","case_id":"a","trial":3,"raw_response":"%s"}`
	for _, c := range []struct {
		rule            string
		base, head      string
		answers, models bool
	}{
		{"the place, the order of keys and the request's key are nothing", base,
			"\n" + `{"latency_ms":1,"case_id":"a","suite_id":"s","trial":1,"raw_response":"x","model_id":"m","request_key":"k"}`, true, true},
		{"an assertion reads the latency", base, strings.Replace(base, ":1,", ":2,", 1), false, true},
		{"and the cost", base, strings.Replace(base, ":1,", `:1,"cost_usd":2,`, 1), false, true},
		{"a further draw is another answer", base, strings.Replace(base, ":1,", `:1,"draws":2,`, 1), false, true},
		{"a rerun more", base, base + "\n" + strings.Replace(base, ":1,", `:1,"trial":1,"fresh":"head",`, 1), false, true},
		{"another answer", base, strings.Replace(base, `"x"`, `"y"`, 1), false, true},
		{"a person's word in place of a model's", strings.Replace(base, ":1,", `:1,"target":{"name":"n","provider":"openai"},`, 1),
			strings.Replace(base, ":1,", `:1,"by_hand":true,`, 1), true, false},
		{"a target where none was named", base, strings.Replace(base, ":1,", `:1,"target":{"name":"n","provider":"openai"},`, 1), true, true},
		{"a model where none was named", strings.Replace(base, `,"model_id":"m"`, "", 1), base, true, true},
		{"another model may give the same answer", base, strings.Replace(base, `"m"`, `"n"`, 1), true, false},
		{"another answer behind a trial that is not recorded", gap + fmt.Sprintf(third, "y"), gap + fmt.Sprintf(third, "z"), false, true},
	} {
		answers, models := load(t, c.base).HasSameAnswers("s", "a", load(t, c.head), "s", "a")
		if answers != c.answers || models != c.models {
			t.Errorf("%s: the same answers %t, by the same models %t", c.rule, answers, models)
		}
	}
	for line, want := range map[string]bool{
		base: false, strings.Replace(base, ":1,", ":2,", 1): false, strings.Replace(base, `"x"`, `" x "`, 1): false, strings.Replace(base, `"x"`, `"y"`, 1): true,
		strings.Replace(base, `"a"`, `"b"`, 1): false,
	} {
		if got := load(t, base).HasNewWords("s", "a", load(t, line), "s", "a"); got != want {
			t.Errorf("%s: new words %t", line, got)
		}
	}
	none := (*recorded.Client)(nil)
	for id, want := range map[string]bool{"a": false, "none": true} {
		if same, _ := load(t, base).HasSameAnswers("s", id, none, "s", id); same != want {
			t.Errorf("%s: the same as none is %t", id, same)
		}
		if got := none.HasNewWords("s", id, load(t, base), "s", id); got == want {
			t.Errorf("%s: new words in place of none %t", id, got)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(`{"suite_id":"s","case_id":"a","raw_response":"x"}`))
	f.Add([]byte("{\"suite_id\":\"s\",\"case_id\":\"a\",\"error\":\"e\",\"trial\":0}\r\n\xef\xbb\xbf{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, faults := recorded.Load(fstest.MapFS{"r": {Data: data}}, "r", nil, nil)
		for _, d := range faults {
			if d.Line < 1 || d.Message == "" {
				t.Errorf("fault without a place or words: %+v", d)
			}
		}
		c.HasSameAnswers("s", "a", c, "s", "a")
		if _, err := c.Answer(context.Background(), model.Request{SuiteID: "s", CaseID: "a", Trial: 1}); err != nil {
			t.Error(err)
		}
	})
}

// Files are read at once, and come out in the order of their names: of two answers to one case the first file's stands.
func TestFilesThatAreReadAtOnceComeInTheirOrder(t *testing.T) {
	files, suites := fstest.MapFS{}, []string{"absent"}
	for i := range 8 {
		id := fmt.Sprintf("s%d", i)
		suites = append(suites, id)
		text := fmt.Sprintf(`{"suite_id":"shared","case_id":"c","raw_response":"of %s","target":{"name":"t%d","provider":"p"}}`+"\n", id, i)
		files["rec/"+id+".jsonl"] = &fstest.MapFile{Data: []byte(strings.Repeat(fmt.Sprintf(`{"suite_id":"%s","case_id":"c","raw_response":"x"}`+"\n", id), i) + text)}
	}
	for range 20 {
		c, faults := recorded.Load(files, "rec/{suite}.jsonl", suites, nil)
		var twice []string
		for _, f := range faults {
			if strings.Contains(f.Message, "suite shared") {
				twice = append(twice, fmt.Sprint(f.Path, ":", f.Line))
			}
		}
		want := "[rec/s1.jsonl:2 rec/s2.jsonl:3 rec/s3.jsonl:4 rec/s4.jsonl:5 rec/s5.jsonl:6 rec/s6.jsonl:7 rec/s7.jsonl:8]"
		if got := fmt.Sprint(twice); got != want {
			t.Fatalf("recorded twice: %s, want %s", got, want)
		}
		all := c.Answers("shared", "c")
		if all.Len() != 1 || all.File() != "rec/s0.jsonl" {
			t.Fatalf("%d answers, the first of them in %s", all.Len(), all.File())
		}
	}
}

func TestLinesGetTheNewNameOfTheirCase(t *testing.T) {
	const lines = `{"suite_id":"s","case_id":"a","raw_response":"1"}
{"suite_id":"s","case_id":"b","raw_response":"1"}
{"suite_id":"s","case_id":"a","trial":1,"request_key":"k","base_key":"l","fresh":"base","raw_response":"2"}
{"suite_id":"s","case_id":"a","trial":1,"request_key":"k","base_key":"l","fresh":"head","raw_response":"3"}
`
	c := suiteid.Name{Suite: "t", Case: "c"}
	names := map[int]suiteid.Name{1: c, 3: c, 4: c}
	want := strings.ReplaceAll(lines, `"s","case_id":"a"`, `"t","case_id":"c"`)
	if diff := cmp.Diff(want, string(recorded.Rename([]byte(lines), names))); diff != "" {
		t.Errorf("renamed (-want +got):\n%s", diff)
	}
}

func TestAPointerOfGitLFSIsNoRecordingAlsoBehindABlankLine(t *testing.T) {
	for _, before := range []string{"", "\n \n", " "} {
		text := before + "version http://git-media.io/v/2\noid sha256:0\nsize 1\n"
		if _, faults := recorded.Load(fstest.MapFS{"r.jsonl": {Data: []byte(text)}}, "r.jsonl", nil, nil); len(faults) != 1 || faults[0].Rule != "lfs-pointer" {
			t.Errorf("%q is %v, want a pointer of Git LFS", text, faults)
		}
	}
}

func TestAnEditedAnswerIsToldFromAnother(t *testing.T) {
	const base = `{"suite_id":"s","case_id":"a","request_key":"k","target":{"name":"fast","provider":"exec"},"raw_response":"a b","draws":2,"finish_reason":"stop"}`
	edit := func(old, text string) string { return strings.Replace(base, old, text, 1) }
	const target = `"target":{"name":"fast","provider":"exec"},`
	for _, c := range []struct {
		rule, head       string
		changed, unnamed bool
	}{
		{"the same", base + " ", false, false},
		{"another text", edit("a b", "a"), true, false},
		{"white space alone", edit("a b", `a\nb`), true, false},
		{"another end", edit(`"stop"`, `"length"`), true, false},
		{"another cost", edit(`"draws"`, `"cost_usd":1,"draws"`), true, false},
		{"a further draw", edit(`2,`, `3,`), false, false},
		{"another request", edit(`"k"`, `"l"`), false, false},
		{"another target", edit("fast", "slow"), false, false},
		{"no target any more", edit(target, ""), false, true},
		{"a person's word in its place", edit(target, `"by_hand":true,`), false, true},
		{"and another text", strings.Replace(edit(target, ""), "a b", "a", 1), true, true},
	} {
		clients := [2]*recorded.Client{load(t, base), load(t, c.head)}
		for _, client := range clients {
			client.Bind(recorded.Binding{Targets: map[string]recorded.Target{"fast": {Name: "fast", Provider: "exec"}}})
		}
		changed, unnamed := clients[1].Edited(clients[1].Answers("s", "a"), clients[0].Answers("s", "a"), "k")
		if changed != c.changed || unnamed != c.unnamed {
			t.Errorf("%s: changed %t, unnamed %t; want %t, %t", c.rule, changed, unnamed, c.changed, c.unnamed)
		}
	}
}

func TestAnswersLackThoseThatAreGoneOrEdited(t *testing.T) {
	line := func(trial, text string) string {
		return `{"suite_id":"s","case_id":"a","trial":` + trial + `,"raw_response":"` + text + `"}` + "\n"
	}
	base := load(t, line("1", "yes")+line("2", "yes")+line("3", "no")).Answers("s", "a")
	for _, c := range []struct {
		rule, head string
		lacks      bool
	}{
		{"in another order", line("1", "no") + line("2", "yes") + line("3", "yes"), false},
		{"with one more", line("1", "no") + line("2", "yes") + line("3", "yes") + line("4", "no"), false},
		{"one of two equal ones is gone", line("1", "yes") + line("3", "no"), true},
		{"one is edited", line("1", "yes") + line("2", "yes") + line("3", "yes"), true},
	} {
		if lacks := load(t, c.head).Answers("s", "a").Lacks(base); lacks != c.lacks {
			t.Errorf("%s: lacks %t", c.rule, lacks)
		}
	}
}

func TestARecordingIsToldFromAnotherFileByItsFirstLine(t *testing.T) {
	for text, want := range map[string]bool{
		"":                                    true,
		"\n" + `{"case_id":"a"}` + "\nx":      true,
		"<<<<<<< HEAD\n" + `{"case_id":"a"}`:  true,
		`{"case_id":"a","prompt":"x"}` + "\n": false,
		"version: 1\n":                        false,
	} {
		if got := recorded.IsRecording([]byte(text)); got != want {
			t.Errorf("%q is a recording: %t", text, got)
		}
	}
}

func TestNewRerunsOfAnotherRequestAreForeign(t *testing.T) {
	const first = `{"suite_id":"s","case_id":"a","request_key":"now","raw_response":"x"}`
	rerun := func(key string) string {
		return fmt.Sprintf("\n"+`{"suite_id":"s","case_id":"a","trial":1,"fresh":"head","request_key":"%s","raw_response":"x"}`, key)
	}
	for _, c := range []struct {
		rule, base, head string
		want             bool
	}{
		{"none", first, first, false},
		{"of the request of today", first, first + rerun("now"), false},
		{"of an earlier request, which the base has", first + rerun("old"), first + rerun("old"), false},
		{"of a request to come", first + rerun("old"), first + rerun("later"), true},
	} {
		base, head := load(t, c.base).AllReruns("s", "a"), load(t, c.head).AllReruns("s", "a")
		if got := head.HaveForeign("now", base); got != c.want {
			t.Errorf("%s: foreign is %t, want %t", c.rule, got, c.want)
		}
	}
	if none := (*recorded.Client)(nil).AllReruns("s", "a"); !load(t, first+rerun("later")).AllReruns("s", "a").HaveForeign("now", none) {
		t.Error("of a new case a rerun of another request is not foreign")
	}
}
