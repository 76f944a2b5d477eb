package report_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
)

func written(t testing.TB, results ...report.Result) []byte {
	t.Helper()
	var out memory
	log := report.NewLog(&out)
	for _, r := range results {
		if _, err := log.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.text
}

// memory is a file that holds what was written to it.
type memory struct{ text []byte }

func (m *memory) Write(p []byte) (int, error) {
	m.text = append(m.text, p...)
	return len(p), nil
}

func (m *memory) ReadAt(p []byte, off int64) (int, error) {
	return bytes.NewReader(m.text).ReadAt(p, off)
}

func read(text []byte) (results []report.Result, err error) {
	err = report.ReadResults(bytes.NewReader(text), func(r report.Result, _ report.Ref) error {
		results = append(results, r)
		return nil
	})
	return results, err
}

func TestResultsAreReadAsWritten(t *testing.T) {
	want := []report.Result{full(), trial("a", "b", 1, classify.Pass)}
	text := written(t, want...)
	got, err := read(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
	if !bytes.Contains(text, []byte("<b>refund</b> &")) {
		t.Errorf("text is escaped for HTML: %s", text)
	}
	schema := compile(t, "result.schema.json")
	for line := range bytes.Lines(text) {
		valid(t, schema, line)
	}
}

func TestResultsAreReadStrictly(t *testing.T) {
	good := strings.TrimSuffix(string(written(t, trial("a", "b", 1, classify.Pass))), "\n")
	edit := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("%s is not in %s", old, good)
		}
		return strings.Replace(good, old, new, 1)
	}
	for _, c := range []struct{ rule, text, want string }{
		{"an unknown key", edit(`"trial":1`, `"trial":1,"extra":1`), `line 1: unknown key "extra"`},
		{"a key in other letters", edit(`"trial":1`, `"Trial":1`), `line 1: unknown key "Trial"`},
		{"a key in letters that fold", edit(`"scores"`, `"ſcores"`), `line 1: unknown key "ſcores"`},
		{"a key that stands twice", edit(`"trial":1`, `"trial":1,"trial":1`), `line 1: the key "trial" is there twice`},
		{"a key that stands twice inside", edit(`"accuracy":1`, `"accuracy":0,"accuracy":1`), `line 1: the key "accuracy" is there twice`},
		{"a category that does not exist", edit(`"pass"`, `"passed"`), `line 1: primary is "passed"; expected one of [pass fail refusal wrong_format policy_violation error timeout crash]`},
		{"a score that contradicts the classification", edit(`"accuracy":1`, `"accuracy":0`), `line 1: accuracy is 0, but a pass scores 1`},
		{"a trial of 0", edit(`"trial":1`, `"trial":0`), `line 1: trial is 0; expected 1 or more`},
		{"an overall score below 0", edit(`"scores"`, `"overall_score":-5,"scores"`), `line 1: overall_score is -5; expected 0 or more`},
		{"a metric above 1", edit(`"scores"`, `"metrics":[{"name":"accuracy","value":2,"weight":1,"description":""}],"scores"`), `line 1: value is 2; expected at most 1`},
		{"a penalty score above 1", edit(`"accuracy":1`, `"accuracy":1,"penalty_score":3`), `line 1: penalty_score is 3; expected at most 1`},
		{"no category", edit(`"primary":"pass",`, ``), `line 1: a classification needs primary`},
		{"no case", edit(`"case_id":"b"`, `"case_id":""`), `line 1: a result needs suite_id, case_id and trial`},
		{"a line that is cut off", good[:len(good)-4], `line 1: unexpected end of JSON input`},
		{"two values on a line", good + good, `line 1: invalid character '{' after top-level value`},
		{"a fault in a later line is placed", good + "\n\n" + good + "\n{", `line 4: unexpected end of JSON input`},
		{"text", "hello", `line 1: invalid character 'h' looking for beginning of value`},
		{"a list", "[]", `line 1: the document is a JSON array, which does not fit`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if _, err := read([]byte(c.text)); err == nil || err.Error() != c.want {
				t.Errorf("reading %s\n= %v, want %s", c.text, err, c.want)
			}
		})
	}
}

func TestResultsTakeAnyLineEnd(t *testing.T) {
	one := written(t, trial("a", "b", 1, classify.Pass))
	for _, c := range []struct{ rule, text string }{
		{"a last line without an end", strings.TrimSuffix(string(one), "\n")},
		{"Windows line ends", strings.ReplaceAll(string(one), "\n", "\r\n")},
		{"blank lines", "\n" + string(one) + "\n\n"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got, err := read([]byte(c.text)); err != nil || len(got) != 1 {
				t.Errorf("reading %q = %d results, %v; want 1", c.text, len(got), err)
			}
		})
	}
}

// endless is a line that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestALineHasALimit(t *testing.T) {
	if err := report.ReadResults(endless{}, nil); err == nil || err.Error() != "line 1: longer than 64 MiB" {
		t.Errorf("reading an endless line = %v", err)
	}
}

func TestReadSide(t *testing.T) {
	text := written(t, trial("a", "b", 1, classify.Pass), trial("a", "c", 1, classify.Fail))
	side, err := report.ReadSide([]report.SuitePlan{{ID: "a", Weight: 2}}, bytes.NewReader(text), nil, all)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := side.RunScore(); got != 0.5 || side.Suite("a").Weight != 2 {
		t.Errorf("run score %v, weight %v; want 0.5 and 2", got, side.Suite("a").Weight)
	}
	if _, err := report.ReadSide(nil, bytes.NewReader(append(text, text...)), nil, all); err == nil {
		t.Error("a result that stands twice was counted twice")
	}
	none, err := report.ReadSide(nil, bytes.NewReader(text), nil, func(r report.Result) bool { return r.SuiteID != "a" })
	if err != nil || len(none.Suites) != 0 {
		t.Errorf("suites %v, error %v; want the suite that is not wanted left out", none.Suites, err)
	}
}

func TestAnyResultIsReadAsWritten(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := trial("s", "c", rapid.IntRange(1, 9).Draw(rt, "trial"), rapid.SampledFrom(classify.Categories[:]).Draw(rt, "category"))
		r.RawResponse = model.Untrusted(rapid.String().Draw(rt, "text"))
		r.Tags = rapid.SliceOfN(rapid.String(), 1, 3).Draw(rt, "tags")
		got, err := read(written(t, r))
		if err != nil || len(got) != 1 || !cmp.Equal(r, got[0]) {
			rt.Errorf("(-written +read): %v\n%s", err, cmp.Diff([]report.Result{r}, got))
		}
	})
}

func FuzzResults(f *testing.F) {
	f.Add([]byte(`{"case_id":"a"}`))
	f.Add([]byte("{\"a\":{\"a\":[{}]}}\n\n[]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		results, _ := read(text)
		again, err := read(written(t, results...))
		if err != nil || len(again) != len(results) {
			t.Errorf("%q is read as %d results, which when written are read as %d: %v", text, len(results), len(again), err)
		}
	})
}

func BenchmarkReadResults(b *testing.B) {
	var results []report.Result
	for i := range 10_000 {
		results = append(results, trial("suite", fmt.Sprintf("case-%d", i), 1, classify.Pass))
	}
	text := written(b, results...)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := report.ReadSide(nil, bytes.NewReader(text), nil, all); err != nil {
			b.Fatal(err)
		}
	}
}

func all(report.Result) bool { return true }

func TestALogFindsResultsByTheirPlaces(t *testing.T) {
	var file, ordered memory
	log := report.NewLog(&file)
	want := []report.Result{full(), trial("a", "c1", 1, classify.Pass), trial("b", "c1", 1, classify.Fail)}
	var places []report.Ref
	for _, r := range want {
		at, err := log.Append(r)
		if err != nil {
			t.Fatal(err)
		}
		places = append(places, at)
	}
	found := func(state string) {
		t.Helper()
		if err := log.Flush(); err != nil {
			t.Fatal(err)
		}
		for i, at := range places {
			if got, err := log.Read(at); err != nil || !cmp.Equal(want[i], got) {
				t.Errorf("%s, the result at %v: %v\n%s", state, at, err, cmp.Diff(want[i], got))
			}
		}
	}
	found("as written")
	if err := log.Arrange(&ordered, []report.Ref{places[2], places[0], places[1]}); err != nil {
		t.Fatal(err)
	}
	found("put in order")
	if text := written(t, want[2], want[0], want[1]); !bytes.Equal(ordered.text, text) {
		t.Errorf("the ordered log is\n%s\nwant\n%s", ordered.text, text)
	}
	log.SetReader(bytes.NewReader(ordered.text[:10]))
	if _, err := log.Read(places[0]); err == nil {
		t.Error("a result was read from a file that was cut off")
	}
}

func TestASideKnowsWhereItsShownTrialsStand(t *testing.T) {
	text := written(t, trial("a", "c", 1, classify.Pass), trial("a", "c", 2, classify.Fail), trial("b", "c", 1, classify.Pass))
	text = slices.Concat([]byte("\n \n"), text)
	side, err := report.ReadSide(nil, bytes.NewReader(text), nil, all)
	if err != nil {
		t.Fatal(err)
	}
	log := report.OpenLog(bytes.NewReader(text))
	for id, want := range map[string]int{"a": 2, "b": 1} {
		if got, err := log.Read(side.Suite(id).Case("c").Outcome.Ref); err != nil || got.SuiteID != id || got.Trial != want {
			t.Errorf("the shown result of suite %s is %s/%d, %v; want trial %d", id, got.SuiteID, got.Trial, err, want)
		}
	}
}
func TestWhyAnAnswerIsMissing(t *testing.T) {
	of := func(f *model.Failure) report.Result { return report.Result{Classification: classify.UnscoredError(*f)} }
	for _, c := range []struct {
		rule string
		of   report.Result
		want string
	}{
		{"the run ended before", of(model.EndFailure(model.ReasonBudget, model.EndNotCalled, "limits.max_calls (2) is used up")), "limits.max_calls (2) is used up"},
		{"or meanwhile", of(model.EndFailure(model.ReasonCancelled, model.EndCutOff, "the run was canceled")), "the run was canceled"},
		{"the target was given up", of(&model.Failure{Reason: model.ReasonServer, Message: "HTTP 503", End: &model.End{State: model.EndNotCalled}}), "HTTP 503"},
		{"the target failed", of(&model.Failure{Reason: model.ReasonServer, Message: "HTTP 503"}), "HTTP 503"},
		{"nobody says why", report.Result{Classification: classify.Classification{Primary: classify.Timeout}}, "timeout"},
	} {
		if got := c.of.WhyMissing(); got != c.want {
			t.Errorf("%s: %q, want %q", c.rule, got, c.want)
		}
	}
}
