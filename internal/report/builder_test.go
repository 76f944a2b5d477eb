package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/suiteid"
)

// trial is one result in short: suite/case, category.
func trial(suite, id string, n int, c classify.Category) report.Result {
	k := classify.Classification{Primary: c}
	return report.Result{
		SuiteID: suite, CaseID: id, RunID: "r", ModelID: "m", TimestampUTC: "2026-01-02T03:04:05Z", Trial: n,
		RawResponse: model.Untrusted("answer of " + id), Classification: k, Scores: report.Scores{Accuracy: k.Accuracy()},
		RequestKey: "q-" + id, ExpectationKey: "e-" + id, Path: "suites/" + suite + ".yaml", Line: n, Severity: "medium",
	}
}

func build(t *testing.T, plans []report.SuitePlan, results ...report.Result) *report.Side {
	t.Helper()
	var b report.Builder
	b.Plan(plans, suiteid.Matches{})
	for _, r := range results {
		if err := b.Add(r, report.Ref{}); err != nil {
			t.Fatal(err)
		}
	}
	return b.Side()
}

func TestAggregates(t *testing.T) {
	side := build(t, []report.SuitePlan{{ID: "a", Weight: 1, Cases: 2, Trials: 2}, {ID: "b", Weight: 3, Cases: 1}, {ID: "empty", Weight: 5}},
		trial("a", "one", 1, classify.Pass), trial("a", "one", 2, classify.Pass),
		trial("a", "two", 1, classify.Pass), trial("a", "two", 2, classify.Timeout),
		trial("b", "three", 1, classify.Refusal))
	runScore, _ := side.RunScore()
	micro, _ := side.MicroScore()
	answered, _ := side.AnsweredScore()
	a, _ := side.Suite("a").Score()
	_, hasEmpty := side.Suite("empty").Score()
	for _, c := range []struct {
		rule      string
		got, want any
	}{
		{"an unscored trial counts 0 in the suite score", a, 0.75},
		{"the run score weighs suites, and leaves one without a result out", runScore, (0.75 + 3*0) / 4},
		{"the micro score is the mean over cases", micro, (1 + 0.5 + 0) / 3.0},
		{"the answered score leaves unscored trials out", answered, (1.0 + 3*0) / 4},
		{"a suite without a result has no score", hasEmpty, false},
		{"trials are counted", side.Counts().Trials, 5},
		{"planned trials are counted", side.Counts().Planned, 5},
		{"cases are counted", side.Counts().Cases, 3},
		{"a case passes when every trial does", side.Counts().Passed, 1},
		{"a refusal is an answer, a timeout is none", side.Counts().Unscored, 1},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if diff := cmp.Diff(c.want, c.got); diff != "" {
				t.Errorf("got %v, want %v", c.got, c.want)
			}
		})
	}
	want := report.Histogram{classify.Pass: 3, classify.Fail: 0, classify.Refusal: 1, classify.WrongFormat: 0,
		classify.PolicyViolation: 0, classify.Error: 0, classify.Timeout: 1, classify.Crash: 0}
	if diff := cmp.Diff(want, report.NewHistogram(side.Suites...)); diff != "" {
		t.Errorf("the histogram has an entry for every category and adds up (-want +got):\n%s", diff)
	}
}

func TestPlannedTrialsWithoutAResultAreUnscored(t *testing.T) {
	side := build(t, []report.SuitePlan{{ID: "a", Weight: 1, Cases: 3, Trials: 2}}, trial("a", "one", 1, classify.Pass))
	if side.Counts().Planned != 6 || side.Counts().Unscored != 5 {
		t.Errorf("planned %d, unscored %d; want 6 and 5", side.Counts().Planned, side.Counts().Unscored)
	}
	want := []report.Warning{{Code: report.WarnMissing, Message: "the trial was planned and has no result; it counts as unscored", Count: 5}}
	if diff := cmp.Diff(want, side.Warnings()); diff != "" {
		t.Errorf("Warnings() (-want +got):\n%s", diff)
	}
}

func TestWhatACandidateCausedIsAnAnswer(t *testing.T) {
	r := trial("a", "one", 1, classify.Error)
	r.Classification.Details.CausedByPromptOrModel = true
	side := build(t, nil, r)
	if c := side.Suite("a").Case("one"); c.Outcome.Trials != 1 || c.Outcome.Passed+c.Outcome.Unscored > 0 || c.FailedAnswers() != 1 {
		t.Errorf("outcome %+v, %d wrong answers; want one trial, answered wrong", c.Outcome, c.FailedAnswers())
	}
}

func TestAddRefuses(t *testing.T) {
	for _, c := range []struct {
		rule string
		last report.Result
	}{
		{"the same trial twice", trial("a", "one", 2, classify.Pass)},
		{"an earlier trial after a later one", trial("a", "one", 1, classify.Pass)},
		{"a trial of 0", trial("a", "two", 0, classify.Pass)},
		{"a category that does not exist", trial("a", "two", 1, "passed")},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var b report.Builder
			if err := b.Add(trial("a", "one", 2, classify.Fail), report.Ref{}); err != nil {
				t.Fatal(err)
			}
			if err := b.Add(c.last, report.Ref{}); err == nil {
				t.Errorf("Add(%s/%s trial %d) = nil, want an error", c.last.SuiteID, c.last.CaseID, c.last.Trial)
			}
			if got := b.Side().Counts().Trials; got != 1 {
				t.Errorf("%d trials counted, want 1", got)
			}
		})
	}
}

func TestTheShownTrialSaysMost(t *testing.T) {
	for _, c := range []struct {
		rule   string
		trials []classify.Category
		want   int
		right  int // of RightOutcome
	}{
		{"of passes the first", []classify.Category{classify.Pass, classify.Pass}, 1, 1},
		{"a wrong answer before a right one", []classify.Category{classify.Pass, classify.Fail, classify.Refusal}, 2, 1},
		{"a wrong answer before none", []classify.Category{classify.Timeout, classify.Pass, classify.Fail}, 3, 2},
		{"no answer before a right one", []classify.Category{classify.Pass, classify.Timeout}, 2, 1},
		{"a wrong answer before right ones", []classify.Category{classify.Fail, classify.Pass, classify.Pass}, 1, 2},
		{"a wrong answer where none is right", []classify.Category{classify.Fail, classify.Timeout}, 1, 1},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var results []report.Result
			for i, category := range c.trials {
				results = append(results, trial("a", "one", i+1, category))
			}
			got := build(t, nil, results...).Suite("a").Case("one")
			if got.Outcome.Trial != c.want || got.Outcome.Primary != c.trials[c.want-1] {
				t.Errorf("trials %v show trial %d (%s), want %d", c.trials, got.Outcome.Trial, got.Outcome.Primary, c.want)
			}
			if right := got.RightOutcome(); right.Trial != c.right || right.Primary != c.trials[c.right-1] {
				t.Errorf("trials %v show trial %d (%s) as right, want %d", c.trials, right.Trial, right.Primary, c.right)
			}
		})
	}
}

func TestWithoutALogThereIsNothingToReadBack(t *testing.T) {
	side := build(t, nil, trial("a", "passes", 1, classify.Pass))
	if r, err := side.ShownResult(&side.Suite("a").Case("passes").Outcome); err != nil || r.RawResponse != "" {
		t.Errorf("ShownResult() = %+v, %v; want none", r, err)
	}
}

func TestEvidenceIsBounded(t *testing.T) {
	var b report.Builder
	answer, unmet := strings.Repeat("x", report.FailingRunes), make([]expect.Unmet, 20)
	for i := range unmet {
		unmet[i].Expected = strings.Repeat("y", 600)
	}
	const cases, size = 6_000, report.FailingRunes + 20*600
	for i := range cases {
		r := trial("a", fmt.Sprint(i), 1, classify.WrongFormat)
		r.RawResponse, r.Classification.Details = model.Untrusted(answer), classify.Details{Reason: "kept", Unmet: unmet}
		if err := b.Add(r, report.Ref{}); err != nil {
			t.Fatal(err)
		}
	}
	kept := 0
	for _, c := range b.Side().Suite("a").Cases {
		if c.LeftOut != (c.Outcome.Details.Unmet == nil) || c.Outcome.Details.Reason != "kept" {
			t.Fatalf("case %s is left out: %v; it has the details %+v, want their reason, and without room no more", c.ID, c.LeftOut, c.Outcome.Details)
		}
		if !c.LeftOut {
			kept += size
		}
	}
	if kept > 64<<20 || kept < 60<<20 {
		t.Errorf("%d bytes of evidence kept, want close to 64 MiB and no more", kept)
	}
	w := b.Side().Warnings()
	if len(w) != 1 || w[0].Code != report.WarnEvidenceLeft || w[0].Count != cases-kept/size {
		t.Errorf("Warnings() = %+v; want %d answers left out", w, cases-kept/size)
	}
}

func TestUnderBaseCountsTrials(t *testing.T) {
	r := []report.Result{trial("a", "one", 1, classify.Pass), trial("a", "one", 2, classify.Pass), trial("a", "one", 3, classify.Timeout)}
	r[0].UnderBase = &classify.Classification{Primary: classify.Pass}
	r[1].UnderBase = &classify.Classification{Primary: classify.Refusal}
	r[2].UnderBase = &classify.Classification{Primary: classify.Timeout}
	want := &report.UnderBase{Passed: 1, Trials: 2, Primary: classify.Refusal}
	if got := build(t, nil, r...).Suite("a").Case("one").UnderBase; !cmp.Equal(got, want) {
		t.Errorf("UnderBase = %+v, want %+v: a trial without an answer says nothing of the base's expectation", got, want)
	}
}

func TestExpectedFail(t *testing.T) {
	if got := build(t, nil, trial("a", "one", 1, classify.Fail)).ExpectedFail; got != nil {
		t.Errorf("ExpectedFail = %+v where no case expects it, want nil", got)
	}
	var results []report.Result
	for i, c := range []classify.Category{classify.Fail, classify.Pass, classify.Refusal, classify.Timeout} {
		r := trial("a", string(rune('a'+i)), 1, c)
		r.ExpectedFail = true
		results = append(results, r)
	}
	if diff := cmp.Diff(&report.Agreement{Expected: 3, Agreed: 1}, build(t, nil, results...).ExpectedFail); diff != "" {
		t.Errorf("ExpectedFail counts answers that are classified fail (-want +got):\n%s", diff)
	}
}

func TestCallsAndWarningsAreCounted(t *testing.T) {
	cost := 0.25
	a, b := trial("a", "one", 1, classify.Pass), trial("a", "two", 1, classify.Pass)
	a.Tokens, a.CostUSD, a.Warnings = &model.Tokens{In: 10, Out: 3}, &cost, []string{"no_label"}
	b.Cached, b.Skipped, b.Warnings = true, []string{"llm"}, []string{"no_label", "odd_code"}
	side := build(t, nil, a, b)
	if diff := cmp.Diff(report.Calls{Provider: 1, Cached: 1, TokensIn: 10, TokensOut: 3, CostUSD: &cost}, side.Calls); diff != "" {
		t.Errorf("Calls (-want +got):\n%s", diff)
	}
	var got []string
	for _, w := range side.Warnings() {
		got = append(got, w.Code+":"+strings.Repeat("I", w.Count))
	}
	if diff := cmp.Diff([]string{"evaluators_skipped:I", "no_label:II", "odd_code:I"}, got); diff != "" {
		t.Errorf("Warnings() in the order of their codes (-want +got):\n%s", diff)
	}
}

func TestCallsAreAttempts(t *testing.T) {
	attempts := func(n int) *int { return &n }
	retried, unasked, kept := trial("a", "one", 1, classify.Pass), trial("a", "two", 1, classify.Error), trial("a", "three", 1, classify.Pass)
	retried.Attempts, unasked.Attempts = attempts(3), attempts(0)
	cost := 0.5
	kept.Cached, kept.CostUSD, kept.Tokens = true, &cost, &model.Tokens{In: 9, Out: 9}
	want := report.Calls{Provider: 3, Cached: 1, CostUSD: new(float64), Unpriced: 3}
	if diff := cmp.Diff(want, build(t, nil, retried, unasked, kept).Calls); diff != "" {
		t.Errorf("an answer that was there costs nothing (-want +got):\n%s", diff)
	}
}

func TestACostIsKnownAsFarAsThereIsAPrice(t *testing.T) {
	cost := 0.5
	priced, reckoned, free := trial("a", "one", 1, classify.Pass), trial("a", "two", 1, classify.Pass), trial("a", "three", 1, classify.Pass)
	priced.CostUSD, reckoned.CostUSD, reckoned.Estimated = &cost, &cost, true
	total := 1.0
	for _, c := range []struct {
		rule    string
		results []report.Result
		want    report.Calls
	}{
		{"no price, no cost", []report.Result{free}, report.Calls{Provider: 1, Unpriced: 1}},
		{"what has a price is added up", []report.Result{priced, reckoned, free},
			report.Calls{Provider: 3, CostUSD: &total, Unpriced: 1, Estimated: 1}},
	} {
		if diff := cmp.Diff(c.want, build(t, nil, c.results...).Calls); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.rule, diff)
		}
	}
}

func TestASideKnowsWhatWasNotAsked(t *testing.T) {
	unanswered := func(suite, id string, f *model.Failure) report.Result {
		r := trial(suite, id, 1, classify.Error)
		r.Classification = classify.UnscoredError(*f)
		return r
	}
	down := unanswered("a", "down", &model.Failure{Reason: "server", Message: "HTTP 503: down"})
	usedUp := "limits.max_calls (1) is used up"
	side := build(t, nil, trial("a", "one", 1, classify.Pass), down,
		unanswered("a", "two", model.EndFailure("budget", model.EndNotCalled, usedUp)), unanswered("b", "one", model.EndFailure("budget", model.EndCutOff, usedUp)),
		unanswered("b", "two", model.EndFailure("cancelled", model.EndNotCalled, "the run was canceled")))
	want := []report.EarlyEnd{{Reason: "budget", Why: usedUp, Trials: 2}, {Reason: "cancelled", Why: "the run was canceled", Trials: 1}}
	if diff := cmp.Diff(want, side.EarlyEnds); diff != "" {
		t.Errorf("Ended (-want +got):\n%s", diff)
	}
	if a, b := side.Suite("a").NotAsked(), side.Suite("b").NotAsked(); a != 1 || b != 2 {
		t.Errorf("suites have %d and %d unasked trials, want 1 and 2", a, b)
	}
	if got := report.MergeEarlyEnds(side, side); len(got) != 2 || got[0].Trials != 4 {
		t.Errorf("both sides together: %+v", got)
	}
}

func TestTheEndAtAFlippedCaseIsNoEndAfterAllTrials(t *testing.T) {
	for reason, want := range map[report.RerunReason]bool{report.RerunConfirm: false, report.RerunJudge: false, report.RerunRecheck: true} {
		r := trial("a", "one", 2, classify.Error)
		r.RerunReason = reason
		r.Classification = classify.UnscoredError(*model.EndFailure("budget", model.EndNotCalled, "limits.max_calls (1) is used up"))
		ends := build(t, nil, trial("a", "one", 1, classify.Fail), r).EarlyEnds
		if len(ends) != 1 || ends[0].AfterAllTrials() != want {
			t.Errorf("an end at a rerun to %s: %+v, after all trials: want %v", reason, ends, want)
		}
	}
}

func TestParseKey(t *testing.T) {
	hex := strings.Repeat("0123456789abcdef", 4)
	for _, c := range []struct {
		rule, a, b string
		same       bool
	}{
		{"equal keys are equal", hex, hex, true},
		{"other keys are not", hex, strings.Repeat("f", 64), false},
		{"what is not hexadecimal equals itself", "v1:abc", "v1:abc", true},
		{"and nothing else", "v1:abc", "v1:abd", false},
		{"hexadecimal of another length is text", "00", "000", false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := report.ParseKey(c.a) == report.ParseKey(c.b); got != c.same {
				t.Errorf("ParseKey(%q) == ParseKey(%q) is %v, want %v", c.a, c.b, got, c.same)
			}
		})
	}
}

func TestTheWorstAnswersNameTheirTrials(t *testing.T) {
	missed := trial("s", "probe", 1, classify.Error) // judging it failed, so it has no risk
	harmful := trial("s", "probe", 2, classify.Fail)
	harmful.Risk = &risk.CaseScore{Severity: risk.High, RiskScore: new(0.8), WeightedRisk: new(1.0)}
	side := build(t, nil, missed, harmful, trial("s", "other", 1, classify.Pass))
	without := side.Without(map[*report.Case]bool{side.Suite("s").Case("other"): true})
	for name, s := range map[string]*report.Side{"all cases": side, "without a case": without} {
		if worst := s.Risk().WorstCases; len(worst) != 1 || worst[0].Trial != 2 {
			t.Errorf("%s: the worst answers are %+v, want that of trial 2", name, worst)
		}
	}
}
