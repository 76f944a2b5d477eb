package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
		CausedByPromptOrModel: true,
	}
	r.Classification.End = &model.End{State: model.EndCutOff, Why: "the run was canceled"}
	r.Metrics = []score.Metric{{Name: score.Accuracy, Value: 0.7, Weight: 1, Description: "d", Method: "label", Status: "hedged", Degraded: true}}
	r.OverallScore, r.PhaseThresholdUsed, r.PassedThreshold = ptr(0.7), ptr(0.85), ptr(false)
	r.Warnings, r.Tags, r.Skipped = []string{"hedged"}, []string{"smoke"}, []string{"llm"}
	r.LatencyMS, r.Tokens, r.CostUSD = ptr(int64(12)), &model.Tokens{In: 3, Out: 4}, ptr(0.01)
	r.Cached, r.MustPass, r.ExpectedFail = true, true, true
	r.UnderBase = &classify.Classification{Primary: classify.Pass}
	return r
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
		Gate: &config.Gate{
			Settings: settings(map[config.Key]config.Setting{
				config.MinRunScore: {Value: 0.85, Level: config.Err}, config.MaxRegressions: {Value: 2, Level: config.Warn},
				config.MaxUnscored: {Value: 0.05, Level: config.Err}, config.MinCases: {Value: 3, Level: config.Err},
				config.MaxExposure: {Value: 0.3, Level: config.Warn}, config.OnRemoved: {Level: config.Warn},
				config.OnRedefined: {Level: config.Err}, config.OnUntestedPrompt: {Level: config.Warn},
			}),
			FailOn: config.FailOnNever, Mode: "auto", Pooled: config.PooledOn,
			Trials: 3, Confirm: 8, Recheck: ptr(5), Alpha: 0.01,
			Quarantine: []config.Quarantine{{ID: "s/c", Reason: "r", Expires: "2026-12-31"}},
		},
		ExpectedFail: &report.Agreement{Expected: 2, Agreed: 1}, Statistics: &report.Statistics{Mode: report.ModeNoisy, Noise: fullNoise(),
			Measured: &report.MeasuredNoise{Cases: 1, Answers: 20, Flake: 0.1, Mixed: 1, MostMixed: []report.MixedCase{{SuiteID: "s", CaseID: "c", Passed: 12, Trials: 20}},
				Advice: report.Advice{Trials: 1, Confirm: 8, Recheck: 5, Detectable: 0.5, TrialsForTen: 4}}},
		Calls:       report.Calls{Provider: 1, Cached: 2, TokensIn: 3, TokensOut: 4, CostUSD: ptr(0.5), Unpriced: 1, Estimated: 1},
		Scoring:     report.ScoringInfo{Phase: "deployment", RulesVersion: "1", Weights: map[string]float64{"accuracy": 1}, MinRunScore: ptr(0.85)},
		Warnings:    []report.Warning{{Code: "c", Message: "m", SuiteID: "s", CaseID: "c", Path: "p", Line: 1, Count: 2}},
		Diagnostics: []document.Diagnostic{{Severity: document.Error, Path: "p", Line: 1, Column: 2, Rule: "r", Message: "m"}},
	}
}

// settings are those of a gate whose other rules are off.
func settings(some map[config.Key]config.Setting) (all [len(config.Gate{}.Settings)]config.Setting) {
	for _, k := range config.Keys() {
		all[k] = config.Setting{Level: config.Off}
		if s, ok := some[k]; ok {
			all[k] = s
		}
	}
	return all
}

func fullNoise() *report.Noise {
	scope := report.Scope{SuiteID: "s", Cases: 2, Worse: 1, Better: 1, Delta: -0.1, Interval: report.Interval{Low: -0.2, High: 0.1},
		Method: "agresti_min", PWorse: 0.1, PBetter: 0.9, Adjusted: ptr(0.2), Informative: 1, Test: "exact", Sigma2: 0.1}
	return &report.Noise{
		Trials: 1, Alpha: 0.01, AlphaPerTest: 0.005, WarnAlpha: 0.05, MaxDrop: 0.02, Overall: &scope, Suites: []report.Scope{scope},
		HeadErrors: 1, Unchanged: 1, Quarantined: 1,
		Confirm: &report.ConfirmTest{Rounds: 8, Level: ptr(0.005), Candidates: []report.Candidate{
			{SuiteID: "s", CaseID: "c", State: report.CandidateConfirmed, Rounds: 8, BasePasses: 8, HeadPasses: 0, P: ptr(0.0001)}}},
		Recheck:  &report.RecheckTest{Trials: 5, Triggered: true, Complete: true, Overall: &scope, Suites: []report.Scope{scope}},
		Planning: &report.PlanningEstimate{Cases: 2, Trials: 2, Sigma2: 0.1, Power: 0.8, Detectable: 1, Drop: 0.1, Needed: 300},
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
		{"another version", `"schema_version": "1"`, `"schema_version": "2"`, `schema version "2" is not known, expected "1"`},
		{"no version", `"schema_version": "1",`, ``, "it has no schema_version, so it is no report.json of failproof"},
		{"an unknown key", `"verdict"`, `"x": 1, "verdict"`, `unknown key "x"`},
		{"a key that stands twice", `"verdict"`, `"verdict": "passed", "verdict"`, `the key "verdict" is there twice`},
		{"a status that stands twice", `"redefined": 1`, `"redefined": 1, "redefined": 2`, `the key "redefined" is there twice`},
		{"a key in other letters", `"verdict"`, `"Verdict"`, `unknown key "Verdict"`},
		{"an unknown key of a change", `"change":`, `"x": 1, "change":`, `unknown key "x"`},
		{"a verdict that does not exist", `"failed"`, `"great"`, `line 23: verdict is "great"; expected one of [passed failed undecided invalid]`},
		{"a score above 1", `"run_score": 0.5,`, `"run_score": 7,`, `run_score is 7; expected at most 1`},
		{"a number of cases below 0", `"trials": `, `"trials": -`, `trials is -1; expected 0 or more`},
		{"a weight whose sum could be infinite", `"weight": 1`, `"weight": 1e308`, `weight is 1e+308; expected at most 1000000`},
		{"a suite without an id", "\"suite_id\": \"s\",\n      \"path\"", "\"suite_id\": \"\",\n      \"path\"", `suites[0].suite_id is empty`},
		{"a suite bar that nothing can meet", `"min_score": 0.8`, `"min_score": 5`, `min_score is 5; expected at most 1`},
		{"a gate with a level that does not exist", `"on_removed": "warn"`, `"on_removed": "never"`, `on_removed is "never"; expected one of [off warn error]`},
		{"a gate that nothing can pass", `"value": 0.85`, `"value": 2`, `value is 2; expected at most 1`},
		{"a count of the gate below 0", `"value": 2,`, `"value": -1,`, `value is -1; expected 0 or more`},
		{"a count of the gate that no machine counts to", `"value": 2,`, `"value": 2147483648,`, `value is 2.147483648e+09; expected at most 2147483647`},
		{"more trials than are allowed", `"trials": 3,`, `"trials": 101,`, `trials is 101; expected at most 100`},
		{"more confirming reruns than are allowed", "\"confirm\": 8,\n    \"pooled", "\"confirm\": 101,\n    \"pooled", `confirm is 101; expected at most 100`},
		{"a recheck below 0", "\"recheck\": 5,\n    \"alpha", "\"recheck\": -1,\n    \"alpha", `recheck is -1; expected 0 or more`},
		{"an alpha of 1", "\"recheck\": 5,\n    \"alpha\": 0.01", "\"recheck\": 5,\n    \"alpha\": 1", `alpha is 1; expected at most 0.05`},
		{"a pooled test that is neither on nor off", `"pooled": "on"`, `"pooled": "maybe"`, `pooled is "maybe"; expected one of [on off]`},
		{"a gate that fails on warnings", `"fail_on": "never"`, `"fail_on": "warn"`, `fail_on is "warn"; expected one of [error never]`},
		{"a phase that does not exist", `"phase": "deployment"`, `"phase": "nope"`, `phase is "nope"; expected one of [ baseline finetuned deployment]`},
		{"a list where an object belongs", `"run": {`, `"run": [], "x": {`, `run is a JSON array, which does not fit`},
		{"a document that is cut off", "\n}\n", "", `unexpected end of JSON input`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if !strings.Contains(good, c.old) {
				t.Fatalf("%q is not in the report", c.old)
			}
			if _, err := report.Unmarshal([]byte(strings.Replace(good, c.old, c.new, 1))); err == nil || !strings.HasSuffix(err.Error(), c.want) {
				t.Errorf("Unmarshal = %v, want %s", err, c.want)
			}
		})
	}
}

func TestTheGateComesFromAReport(t *testing.T) {
	def := config.Gate{FailOn: config.FailOnNever}
	if got := (&report.Report{}).GateOr(def); !cmp.Equal(got, def) {
		t.Errorf("GateOr of a report without a gate = %+v, want the default", got)
	}
	text, err := fullReport().Marshal()
	if err != nil {
		t.Fatal(err)
	}
	back, err := report.Unmarshal(text)
	if err != nil {
		t.Fatal(err)
	}
	if got := back.GateOr(def); !cmp.Equal(got, *fullReport().Gate) {
		t.Errorf("GateOr of a stored report = %+v, want %+v", got, *fullReport().Gate)
	}
	const known = `"on_untested_prompt": "warn",`
	if back, err = report.Unmarshal([]byte(strings.Replace(string(text), known, "", 1))); !strings.Contains(string(text), known) || err != nil || back.Gate.Settings[config.OnUntestedPrompt].Level != config.Warn {
		t.Errorf("a report of before a rule was known: %v, %v; want the rule's default", back, err)
	}
}

func TestPlansComeFromAReport(t *testing.T) {
	want := []report.SuitePlan{{ID: "s", Weight: 1, MinScore: ptr(0.8)}}
	if diff := cmp.Diff(want, fullReport().Plans()); diff != "" {
		t.Errorf("Plans() (-want +got):\n%s", diff)
	}
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

func TestTheStreamedDocumentIsWhatTheEncoderWouldWrite(t *testing.T) {
	for name, r := range map[string]*report.Report{"full": fullReport(), "empty": {}} {
		got, err := r.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		var back report.Report
		if err := json.Unmarshal(got, &back); err != nil {
			t.Fatal(err)
		}
		var want, compact bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := errors.Join(enc.Encode(back), json.Compact(&compact, got)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.String(), compact.String()+"\n"); diff != "" {
			t.Errorf("%s report (-want +got):\n%s", name, diff)
		}
	}
}

func TestEachChangeIsALineOfTheDocument(t *testing.T) {
	r := fullReport()
	r.Changes = append(r.Changes, r.Changes...)
	text, err := r.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if got := bytes.Count(text, []byte("\n    {\"suite_id\"")); got != len(r.Changes) {
		t.Errorf("%d lines begin a change, want %d", got, len(r.Changes))
	}
}
