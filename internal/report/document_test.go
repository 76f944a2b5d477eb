package report_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

func ptr[T any](v T) *T { return &v }

// full is a result that uses every key.
func full() report.Result {
	r := trial("support/refund", "over-limit", 2, classify.Fail)
	r.RawResponse = "We will <b>refund</b> & \u2028 more\x00"
	r.Error = ptr(model.Untrusted("none"))
	r.Classification.Details = classify.Details{
		ErrorDetails: "e", LimitSeconds: 1.5, Reason: "truncated", Rule: "r", Evidence: "words", ErrorMessage: "m", PolicyName: "p",
		Unmet:    []expect.Unmet{{Criterion: "assert", Expected: "x", Actual: "y", Reason: "z"}},
		Expected: classify.Refusal, Unverified: true, ParseRepairs: []string{"fenced_block"}, AlsoMatched: []classify.Category{classify.WrongFormat},
		CandidateOwn: true,
	}
	r.Metrics = []score.Metric{{Name: score.Accuracy, Value: 0.7, Weight: 1, Description: "d", Method: "label", Status: "hedged", Degraded: true}}
	r.OverallScore, r.PhaseThresholdUsed, r.PassedBar = ptr(0.7), ptr(0.85), ptr(false)
	r.Warnings, r.Tags, r.Skipped = []string{"hedged"}, []string{"smoke"}, []string{"llm"}
	r.LatencyMS, r.Tokens, r.CostUSD = ptr(int64(12)), &report.Tokens{In: 3, Out: 4}, ptr(0.01)
	r.Cached, r.MustPass, r.ExpectedFail = true, true, true
	r.UnderBase = &classify.Classification{Primary: classify.Pass}
	return r
}

func written(t *testing.T, results ...report.Result) []byte {
	t.Helper()
	var out bytes.Buffer
	w := report.NewResultWriter(&out)
	for _, r := range results {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

func read(text []byte) (results []report.Result, err error) {
	for r, err := range report.Results(bytes.NewReader(text)) {
		if err != nil {
			return results, err
		}
		results = append(results, r)
	}
	return results, nil
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
		{"an unknown key", edit(`"trial":1`, `"trial":1,"extra":1`), `line 1: json: unknown field "extra"`},
		{"a key in other letters", edit(`"trial":1`, `"Trial":1`), `line 1: unknown key "Trial"`},
		{"a key in letters that fold", edit(`"scores"`, `"ſcores"`), `line 1: unknown key "ſcores"`},
		{"a key that stands twice", edit(`"trial":1`, `"trial":1,"trial":1`), `line 1: key "trial" stands twice`},
		{"a key that stands twice inside", edit(`"accuracy":1`, `"accuracy":0,"accuracy":1`), `line 1: key "accuracy" stands twice`},
		{"a category that does not exist", edit(`"pass"`, `"passed"`), `line 1: unknown classification "passed"`},
		{"a score that contradicts the classification", edit(`"accuracy":1`, `"accuracy":0`), `line 1: accuracy is 0, but a pass scores 1`},
		{"a trial of 0", edit(`"trial":1`, `"trial":0`), `line 1: trial is 0; trials count from 1`},
		{"no case", edit(`"case_id":"b"`, `"case_id":""`), `line 1: a result needs suite_id and case_id`},
		{"a line that is cut off", good[:len(good)-4], `line 1: the JSON value is cut off`},
		{"two values on a line", good + good, `line 1: more than one JSON value`},
		{"a fault in a later line is placed", good + "\n\n" + good + "\n{", `line 4: the JSON value is cut off`},
		{"text", "hello", `line 1: invalid character 'h' looking for beginning of value`},
		{"a list", "[]", `line 1: json: cannot unmarshal array into Go value of type report.Result`},
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
	for _, err := range report.Results(endless{}) {
		if err == nil || err.Error() != "line 1: longer than 64 MiB" {
			t.Errorf("reading an endless line = %v", err)
		}
	}
}

func TestReadSide(t *testing.T) {
	text := written(t, trial("a", "b", 1, classify.Pass), trial("a", "c", 1, classify.Fail))
	side, err := report.ReadSide([]report.SuitePlan{{ID: "a", Weight: 2}}, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := side.RunScore(); got != 0.5 || side.Suite("a").Weight != 2 {
		t.Errorf("run score %v, weight %v; want 0.5 and 2", got, side.Suite("a").Weight)
	}
	if _, err := report.ReadSide(nil, bytes.NewReader(append(text, text...))); err == nil {
		t.Error("a result that stands twice was counted twice")
	}
}

// fullReport uses every key.
func fullReport() *report.Report {
	h := report.Histogram{classify.Pass: 1}
	return &report.Report{
		Tool: report.Tool{Name: "failproof", Version: "1"},
		Run: report.Run{ID: "1", StartedAt: "s", FinishedAt: "f", Head: report.Revision{Name: "h", SHA: "1", Ref: "r"},
			Base: &report.Revision{Name: "main"}, Scope: "changed", LeftOut: 1, BaseState: report.BaseCompared},
		Verdict: report.Failed, Reasons: []report.Reason{{Code: "must_pass", Level: report.LevelError, Message: "a <b>", SuiteID: "s", CaseID: "c"}},
		RunScore: ptr(0.5), BaseRunScore: ptr(1.0), Delta: ptr(-0.5), DeltaCases: 2, MicroScore: ptr(0.5), AnsweredScore: ptr(0.5),
		Histogram: h, BaseHistogram: h, Cases: 1, PassedCases: 1, Trials: 1, Unscored: 0, Unverified: 1,
		Suites: []report.SuiteSummary{{SuiteID: "s", Score: ptr(0.5), BaseScore: ptr(1.0), Delta: ptr(-0.5), OverallScore: ptr(0.7), MinScore: ptr(0.8), Weight: 1, InScope: true}},
		Changes: []report.Change{{SuiteID: "s", CaseID: "c", Change: report.Redefined, Severity: "high", MustPass: true, Path: "p", Line: 1,
			Base: &report.Outcome{Primary: classify.Pass, Passed: 1, Trials: 1},
			Head: &report.Outcome{Primary: classify.Fail, Trials: 2, Unscored: 1, Trial: 1, Details: ptr(full().Classification.Details),
				OverallScore: ptr(0.1), Excerpt: "x", UnderBase: ptr(classify.Refusal)}}},
		Counts:        map[report.Status]int{report.Redefined: 1},
		PolicyChanges: []config.Change{{Path: "p", Key: "k", Base: "b", Head: "h"}},
		ExpectedFail:  &report.Agreement{Expected: 2, Agreed: 1}, Statistics: &report.Statistics{Mode: report.ModeStrict},
		Calls:       report.Calls{Provider: 1, Cached: 2, TokensIn: 3, TokensOut: 4, CostUSD: 0.5},
		Scoring:     report.ScoringInfo{Phase: "deployment", RulesVersion: "1", Weights: map[string]float64{"accuracy": 1}, MinRunScore: ptr(0.85)},
		Warnings:    []report.Warning{{Code: "c", Message: "m", SuiteID: "s", CaseID: "c", Path: "p", Line: 1, Count: 2}},
		Diagnostics: []document.Diagnostic{{Severity: document.Error, Path: "p", Line: 1, Column: 2, Rule: "r", Message: "m"}},
	}
}

func TestReportsAreReadAsWritten(t *testing.T) {
	schema := compile(t, "report.schema.json")
	for _, c := range []struct {
		rule string
		rep  *report.Report
	}{
		{"a full report", fullReport()},
		{"a report of nothing", &report.Report{Verdict: report.Passed, Run: report.Run{Scope: "changed", BaseState: report.BaseNone}}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			text, err := c.rep.Marshal()
			if err != nil {
				t.Fatal(err)
			}
			valid(t, schema, text)
			back, err := report.Unmarshal(text)
			if err != nil {
				t.Fatal(err)
			}
			again, err := back.Marshal()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(text), string(again)); diff != "" {
				t.Errorf("written, read and written again (-first +second):\n%s", diff)
			}
			if !bytes.HasSuffix(text, []byte("\n}\n")) || bytes.Contains(text, []byte(`\u003c`)) {
				t.Errorf("want one newline at the end and no escaping for HTML:\n%s", text)
			}
		})
	}
}

func TestMarshalLeavesTheReportAlone(t *testing.T) {
	rep, before := fullReport(), fullReport()
	if _, err := rep.Marshal(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, rep); diff != "" {
		t.Errorf("Marshal changed its report (-before +after):\n%s", diff)
	}
}

func TestAScoreThatIsNoNumberIsNotWritten(t *testing.T) {
	rep := fullReport()
	rep.RunScore = ptr(math.NaN())
	if text, err := rep.Marshal(); err == nil {
		t.Errorf("Marshal of a run score of NaN = %s, want an error", text)
	}
}

func TestReportsAreReadStrictly(t *testing.T) {
	text, err := fullReport().Marshal()
	if err != nil {
		t.Fatal(err)
	}
	good := string(text)
	for _, c := range []struct{ rule, old, new, want string }{
		{"another version", `"schema_version": "1"`, `"schema_version": "2"`, `read report: schema version "2" is not known, expected "1"`},
		{"no version", `"schema_version": "1",`, ``, `read report: schema version "" is not known, expected "1"`},
		{"an unknown key", `"verdict"`, `"x": 1, "verdict"`, `read report: json: unknown field "x"`},
		{"a key that stands twice", `"verdict"`, `"verdict": "passed", "verdict"`, `read report: key "verdict" stands twice`},
		{"a status that stands twice", `"redefined": 1`, `"redefined": 1, "redefined": 2`, `read report: key "redefined" stands twice`},
		{"a key in other letters", `"verdict"`, `"Verdict"`, `read report: unknown key "Verdict"`},
		{"a verdict that does not exist", `"failed"`, `"great"`, `read report: unknown verdict "great"`},
		{"a document that is cut off", "\n}\n", "", `read report: the JSON value is cut off`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if !strings.Contains(good, c.old) {
				t.Fatalf("%q is not in the report", c.old)
			}
			if _, err := report.Unmarshal([]byte(strings.Replace(good, c.old, c.new, 1))); err == nil || err.Error() != c.want {
				t.Errorf("Unmarshal = %v, want %s", err, c.want)
			}
		})
	}
}

func TestPlansComeFromAReport(t *testing.T) {
	want := []report.SuitePlan{{ID: "s", Weight: 1, MinScore: ptr(0.8)}}
	if diff := cmp.Diff(want, fullReport().Plans()); diff != "" {
		t.Errorf("Plans() (-want +got):\n%s", diff)
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
		var out bytes.Buffer
		w := report.NewResultWriter(&out)
		for _, r := range results {
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
		}
		again, err := read(out.Bytes())
		if err != nil || len(again) != len(results) {
			t.Errorf("%q is read as %d results, which when written are read as %d: %v", text, len(results), len(again), err)
		}
	})
}

func FuzzReport(f *testing.F) {
	text, err := fullReport().Marshal()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		rep, err := report.Unmarshal(text)
		if err != nil {
			return
		}
		if _, err := rep.Marshal(); err != nil {
			t.Errorf("a report that was read cannot be written: %v", err)
		}
	})
}

func BenchmarkReadResults(b *testing.B) {
	var out bytes.Buffer
	w := report.NewResultWriter(&out)
	for i := range 10_000 {
		r := trial("suite", fmt.Sprintf("case-%d", i), 1, classify.Pass)
		if err := w.Write(r); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(out.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := report.ReadSide(nil, bytes.NewReader(out.Bytes())); err != nil {
			b.Fatal(err)
		}
	}
}
