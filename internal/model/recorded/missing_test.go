package recorded_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
)

func TestAMissingAnswerNamesWhatMayBeMeant(t *testing.T) {
	lines := `{"suite_id":"s","case_id":"refund-late","raw_response":"a"}
{"suite_id":"s","case_id":"greeting","raw_response":"a"}
`
	for _, c := range []struct{ rule, lines, id, want string }{
		{"a case that was renamed", lines, "refund-lat", `rec/s.jsonl has no answer to this case; it has one for "refund-late", which is not a case`},
		{"the same of another case", lines, "greetings", `rec/s.jsonl has no answer to this case; it has one for "refund-late", which is not a case`},
		{"answers of cases alone", `{"suite_id":"s","case_id":"greeting","raw_response":"a"}`, "greetings", "rec/s.jsonl has no answer to this case"},
		{"another suite", `{"suite_id":"old/s","case_id":"b","raw_response":"a"}`, "b", "rec/s.jsonl has no answer to this case; the `suite_id` of the lines there is old/s, and the suite’s is s"},
	} {
		client := load(t, c.lines)
		client.Bind(recorded.Binding{CaseIDs: func(string) []string { return []string{"greeting", "greetings", "refund-lat", "b"} }})
		if got := ask(t, client, c.id, 1).Failure; got == nil || !strings.HasSuffix(string(got.Message), c.want) || got.Reason != model.ReasonUnrecorded {
			t.Errorf("%s: got %+v, want %q", c.rule, got, c.want)
		}
	}
}

func TestAnAnswerUnderTheNameOfTheBaseIsNamed(t *testing.T) {
	const made, follow = "`record`", "`failproof record --stamp`, which renames recordings with their cases, or "
	for _, c := range []struct{ rule, suite, id, want string }{
		{"of the case", "s", "a", "run " + follow + made},
		{"of the suite", "old", "b", "move its answers from rec/old.jsonl to rec/s.jsonl and run " + follow + made},
		{"of both", "old", "a", "move its answers from rec/old.jsonl to rec/s.jsonl and run " + follow + made},
		{"of the suite, whose file was moved", "gone", "b", "run " + follow + made},
		{"of both, and only the case is new to the file", "old", "d", "run " + follow + made},
		{"where it is the same", "s", "b", made},
		{"where the base has none either", "s", "c", made},
	} {
		base, faults := recorded.Load(fstest.MapFS{
			"rec/s.jsonl":    {Data: []byte(`{"suite_id":"s","case_id":"a","raw_response":"x"}`)},
			"rec/gone.jsonl": {Data: []byte(`{"suite_id":"gone","case_id":"b","raw_response":"x"}`)},
			"rec/old.jsonl":  {Data: []byte(`{"suite_id":"old","case_id":"a","raw_response":"x"}` + "\n" + `{"suite_id":"old","case_id":"b","raw_response":"x"}` + "\n" + `{"suite_id":"old","case_id":"d","raw_response":"x"}`)},
		}, "rec/{suite}.jsonl", []string{"s", "old", "gone"}, nil)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		client := load(t, `{"suite_id":"gone","case_id":"b","raw_response":"x"}`+"\n"+`{"suite_id":"s","case_id":"d","raw_response":"x"}`)
		client.Bind(recorded.Binding{HowToRecord: func(string, recorded.Need) string { return made },
			CaseIDs: func(string) []string { return []string{"b", "c"} },
			BaseCase: func(string, string) recorded.BaseCase {
				return recorded.BaseCase{SuiteID: c.suite, CaseID: c.id, Answers: base.Answers(c.suite, c.id)}
			}})
		if got := ask(t, client, "b", 1).Failure; got == nil || !strings.HasPrefix(string(got.Message), c.want+": no recording: ") {
			t.Errorf("%s: got %+v, want %q", c.rule, got, c.want)
		}
	}
}

func TestTheSameIsSaidOfAllCasesWithoutARecording(t *testing.T) {
	client := load(t, `{"suite_id":"s","case_id":"a","raw_response":"a"}`)
	if one, two := ask(t, client, "b", 1).Failure.Message, ask(t, client, "c", 1).Failure.Message; one != two {
		t.Errorf("%q and %q", one, two)
	}
	if got := ask(t, client, "a", 2).Failure; got == nil || !strings.Contains(string(got.Message), "no answer to trial 2 of this case") {
		t.Errorf("got %+v", got)
	}
}
