package compare_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suiteid"
)

func TestStatus(t *testing.T) {
	for _, c := range []struct {
		rule, base, head, mark string
		want                   report.Status
	}{
		{"pass to fail is regressed", "pass", "fail", "", report.Regressed},
		{"pass to refusal is regressed", "pass", "refusal", "", report.Regressed},
		{"fail to pass is fixed", "fail", "pass", "", report.Fixed},
		{"pass to pass is still passing", "pass", "pass", "", report.StillPassing},
		{"fail to another failure is still failing", "fail", "wrong_format", "", report.StillFailing},
		{"without a base it is new", "-", "fail", "", report.New},
		{"without a head it is removed", "pass", "-", "", report.Removed},
		{"with another expectation it is redefined", "pass", "fail", "redefined", report.Redefined},
		{"redefined comes before errored", "timeout", "fail", "redefined", report.Redefined},
		{"without an answer of the head it is errored", "pass", "timeout", "", report.Errored},
		{"without an answer of the base it is errored", "crash", "pass", "", report.Errored},
		{"a rejected request is an answer", "pass", "rejected", "", report.Regressed},
		{"half of the trials answered is enough", "pass,pass,timeout", "fail,fail,timeout", "", report.Regressed},
		{"fewer are, where all of them are right and all of the head's wrong", "pass,timeout,timeout", "fail,fail,fail", "recorded", report.Regressed},
		{"not where an answer is right still", "pass,timeout,timeout", "fail,fail,pass", "recorded", report.Errored},
		{"nor where the head lacks as much", "pass,timeout,timeout", "fail,timeout,timeout", "recorded", report.Errored},
		{"fewer is not", "pass,timeout,timeout", "pass,pass,pass", "", report.Errored},
		{"all to none is regressed", "pass,pass,pass", "fail,fail,fail", "", report.Regressed},
		{"none to all is fixed", "fail,fail,fail,fail", "pass,pass,pass,pass", "", report.Fixed},
		{"of another runner, a smaller share of right runs is regressed", "pass,pass,pass", "pass,pass,fail", "repeated", report.Regressed},
		{"and a larger one is not", "pass,pass,fail", "pass,pass,pass", "repeated", report.StillPassing},
		{"more trials at the head change nothing", "pass", "fail,fail,fail", "", report.Regressed},
	} {
		t.Run(c.rule, func(t *testing.T) {
			base, head := comparetest.Sides(t, "s/x "+c.base+" "+c.head+" "+c.mark)
			got := comparetest.Compare(base, head)
			if len(got.Changes) != 1 || got.Changes[0].Change != c.want || got.Counts[c.want] != 1 {
				t.Errorf("base %s, head %s = %v, want %s", c.base, c.head, got.Changes, c.want)
			}
		})
	}
}

func TestDeltaIsLikeForLike(t *testing.T) {
	for _, c := range []struct {
		rule  string
		scene []string
		want  float64
		cases int
	}{
		{"the mean over common cases", []string{"s/a pass fail", "s/b pass pass"}, -0.5, 2},
		{"new cases do not enter", []string{"s/a pass pass", "s/n - fail"}, 0, 1},
		{"removed cases do not enter", []string{"s/a pass pass", "s/n fail -"}, 0, 1},
		{"redefined cases do not enter", []string{"s/a pass pass", "s/n fail pass redefined"}, 0, 1},
		{"errored cases do not enter", []string{"s/a pass pass", "s/n pass timeout"}, 0, 1},
		{"suites weigh alike, whatever their size", []string{"s/a pass fail", "t/b pass pass", "t/c pass pass", "t/d pass pass"}, -0.5, 4},
		{"a suite without a common case is left out", []string{"s/a pass fail", "t/b - pass"}, -1, 1},
		{"a missing answer is no 0 in it", []string{"s/a pass,pass pass,timeout"}, 0, 1},
		{"thirds leave nothing over", []string{"s/a pass,pass,fail pass,pass,fail", "s/b pass,fail,fail pass,pass,fail", "s/c pass,pass,fail pass,fail,fail"}, 0, 3},
	} {
		t.Run(c.rule, func(t *testing.T) {
			base, head := comparetest.Sides(t, c.scene...)
			got := comparetest.Compare(base, head)
			if got.Delta == nil || math.Abs(*got.Delta-c.want) > 1e-12 || got.DeltaCases != c.cases {
				t.Errorf("delta of %q = %v over %d cases, want %v over %d", c.scene, got.Delta, got.DeltaCases, c.want, c.cases)
			}
		})
	}
	base, head := comparetest.Sides(t, "s/a - pass", "s/b pass -")
	if got := comparetest.Compare(base, head); got.Delta != nil || !got.HasBase {
		t.Errorf("delta without a common case = %v, want none", *got.Delta)
	}
}

func TestDeltaWeighsSuites(t *testing.T) {
	sides := [2]*report.Side{}
	for i, category := range []string{"pass", "fail"} {
		var b report.Builder
		b.Plan([]report.SuitePlan{{ID: "heavy", Weight: 3}, {ID: "light", Weight: 1}, {ID: "unweighed", Weight: 0}}, suiteid.Matches{})
		for _, r := range []report.Result{comparetest.Result("heavy", "a", 1, "pass"), comparetest.Result("light", "b", 1, category), comparetest.Result("unweighed", "c", 1, category)} {
			if err := b.Add(r, report.Ref{}); err != nil {
				t.Fatal(err)
			}
		}
		sides[i] = b.Side()
	}
	got := comparetest.Compare(sides[0], sides[1])
	if *got.Delta != -0.25 || got.DeltaCases != 2 {
		t.Errorf("delta %v over %d cases, want -0.25 over 2: a suite of weight 0 does not enter", *got.Delta, got.DeltaCases)
	}
}

func TestChangesStandInOrderWithTheBasesOwnLast(t *testing.T) {
	base, head := comparetest.Sides(t, "gone/z pass -", "s/b pass fail", "s/r fail -", "s/a pass pass", "t/c - fail")
	var got []string
	for _, c := range comparetest.Compare(base, head).Changes {
		got = append(got, c.SuiteID+"/"+c.CaseID+" "+string(c.Change))
	}
	want := []string{"s/b regressed", "s/a still_passing", "s/r removed", "t/c new", "gone/z removed"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

func TestAnAnswerThatCannotBeReadBackIsAnError(t *testing.T) {
	for lost, flip := range []string{"s/b pass fail", "s/b fail pass"} { // the side that passes is read back
		s := &comparetest.Scene{}
		files := [2]comparetest.MemoryFile{}
		s.Base.Log, s.Head.Log = report.NewLog(&files[0]), report.NewLog(&files[1])
		s.AddLines(t, "s/a pass pass", flip)
		if err := errors.Join(s.Base.Log.Flush(), s.Head.Log.Flush()); err != nil {
			t.Fatal(err)
		}
		files[lost].Text = files[lost].Text[:10]
		_, err := settled(config.Default().Gate, gate.Run{Head: s.Head.Side()}, s.Base.Side(), comparetest.Caller{})
		if err == nil || !strings.Contains(err.Error(), "case b") {
			t.Errorf("%s: %v; want an error that names the case whose answer was lost", flip, err)
		}
	}
}

func TestOutcomes(t *testing.T) {
	base, head := comparetest.Sides(t, "s/a pass,pass pass,fail must", "s/b pass pass", "s/c pass pass old:refusal", "s/d - pass")
	got := comparetest.Compare(base, head).Changes
	refusal := classify.Refusal
	want := []report.Change{
		{SuiteID: "s", CaseID: "a", Change: report.Regressed, Path: "s.yaml", Line: 7, Severity: "medium", MustPass: true,
			Base: &report.Outcome{Primary: classify.Pass, Passed: 2, Trials: 2, Trial: 1, Excerpt: "answer"},
			Head: &report.Outcome{Primary: classify.Fail, Passed: 1, Trials: 2, Trial: 2, Excerpt: "answer"}},
		{SuiteID: "s", CaseID: "b", Change: report.StillPassing, Path: "s.yaml", Line: 7, Severity: "medium",
			Base: &report.Outcome{Primary: classify.Pass, Passed: 1, Trials: 1, Trial: 1},
			Head: &report.Outcome{Primary: classify.Pass, Passed: 1, Trials: 1, Trial: 1}},
		{SuiteID: "s", CaseID: "c", Change: report.Redefined, Path: "s.yaml", Line: 7, Severity: "medium",
			Base: &report.Outcome{Primary: classify.Pass, Passed: 1, Trials: 1, Trial: 1, Excerpt: "answer"},
			Head: &report.Outcome{Primary: classify.Pass, Passed: 1, Trials: 1, Trial: 1, Excerpt: "answer", UnderBase: &refusal}},
		{SuiteID: "s", CaseID: "d", Change: report.New, Path: "s.yaml", Line: 7, Severity: "medium",
			Head: &report.Outcome{Primary: classify.Pass, Passed: 1, Trials: 1, Trial: 1}},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(report.Outcome{}, "Ref")); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

func TestARemovedCaseHasTheNameThatItsSuiteOfTheHeadWouldGiveIt(t *testing.T) {
	one := func(suite, id string) []suiteid.SuiteCases[int] {
		return []suiteid.SuiteCases[int]{{Suite: suite, Cases: []suiteid.Case[int]{{ID: id}}}}
	}
	for name, want := range map[suiteid.Name]string{{Suite: "s", Case: "b"}: "b", {Suite: "t", Case: "b"}: "a"} {
		base, head := comparetest.Sides(t, "s/a pass -", "s/x pass pass", "t/x pass pass")
		base.Matches.Names = suiteid.FindRenamed(one("s", "a"), one(name.Suite, name.Case))
		if got := comparetest.Compare(base, head).Changes[1]; got.Change != report.Removed || got.CaseID != want {
			t.Errorf("renamed to %v: case %s %s, want %s removed", name, got.CaseID, got.Change, want)
		}
	}
}

func TestWhatTheAnswersOfASideSayOfACase(t *testing.T) {
	for _, c := range []struct {
		rule, line        string
		worse, newlyShort bool
	}{
		{"a lost run of another runner may be worse", "s/a pass timeout repeated", true, false},
		{"not if only the base lost it", "s/a timeout pass repeated", false, false},
		{"a wrong one is worse for sure", "s/a pass fail repeated", false, false},
		{"a model is called again", "s/a pass timeout recorded", false, false},
		{"an answer is truncated that was whole", "s/a pass pass cut-head", false, true},
		{"one that was truncated before is not newly so", "s/a pass pass cut-base cut-head", false, false},
		{"nor is one without an answer before", "s/a timeout pass cut-head", false, false},
	} {
		base, head := comparetest.Sides(t, c.line)
		for p := range comparetest.Compare(base, head).All() {
			if p.MayBeWorse() != c.worse || p.NewlyTruncated() != c.newlyShort {
				t.Errorf("%s: may be worse %v, newly truncated %v; want %v, %v", c.rule, p.MayBeWorse(), p.NewlyTruncated(), c.worse, c.newlyShort)
			}
		}
	}
}

func TestARenamedSuiteIsComparedUnderItsNewName(t *testing.T) {
	base, head := comparetest.Sides(t, "old/a pass -", "new/a - fail")
	base.Matches.SuiteIDs = map[string]string{"old": "new"}
	got := comparetest.Compare(base, head)
	if len(got.Changes) != 1 || got.Changes[0].SuiteID != "new" || got.Changes[0].Change != report.Regressed {
		t.Errorf("changes = %+v; want new/a regressed", got.Changes)
	}
	if len(got.Suites) != 1 || got.Suites[0].SuiteID != "new" || got.Suites[0].BaseSuiteID != "old" || *got.Suites[0].BaseScore != 1 || *got.Suites[0].Score != 0 {
		t.Errorf("suites = %+v; want one row, new, that was old, 1 to 0", got.Suites)
	}
}

func TestSuiteRows(t *testing.T) {
	base, head := comparetest.Sides(t, "s/a pass fail", "s/b pass pass", "gone/c pass -", "fresh/d - pass unverified")
	var got []string
	for _, s := range comparetest.Compare(base, head).Suites {
		text, err := json.Marshal([]any{s.SuiteID, s.Score, s.BaseScore, s.Delta, s.Cases, s.Passed, s.Unverified, s.Histogram[classify.Pass]})
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(text))
	}
	want := []string{`["s",0.5,1,-0.5,2,1,0,1]`, `["fresh",1,null,null,1,1,1,1]`, `["gone",null,1,null,0,0,0,0]`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows: suite, score, base, delta, cases, passed, unverified, passes (-want +got):\n%s", diff)
	}
}

func TestABaseWithoutAnAnswerHasNoScoreBefore(t *testing.T) {
	base, head := comparetest.Sides(t, "s/a timeout pass", "s/b error pass", "t/c fail pass", "t/d timeout pass")
	rows := comparetest.Compare(base, head).Suites
	if rows[0].BaseScore != nil || rows[1].BaseScore == nil || *rows[1].BaseScore != 0 {
		t.Errorf("scores before: %v where none of two answers came, and %v where one of two came, which was wrong", rows[0].BaseScore, rows[1].BaseScore)
	}
	var rep report.Report
	base, head = comparetest.Sides(t, "s/a timeout fail")
	comparetest.Compare(base, head).Fill(&rep, base, head)
	if rep.BaseRunScore != nil || rep.RunScore == nil {
		t.Errorf("run scores %v and %v; want none before, where no answer came, and one now", rep.BaseRunScore, rep.RunScore)
	}
}

func TestAStoredReportCanBeFilledAgain(t *testing.T) {
	base, head := comparetest.Sides(t, "s/a pass fail unverified")
	placed := report.Warning{Code: report.WarnMissing, Message: "of the base", Path: "p"}
	rep := report.Report{Warnings: []report.Warning{placed, {Code: "other"}}}
	var planned report.Builder
	planned.Plan([]report.SuitePlan{{ID: "s", Weight: 1, Cases: 2}}, suiteid.Matches{})
	if err := planned.Add(comparetest.Result("s", "a", 1, "pass"), report.Ref{}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		comparetest.Compare(base, planned.Side()).Fill(&rep, base, planned.Side())
	}
	want := append([]report.Warning{placed, {Code: "other"}}, planned.Side().Warnings()...)
	if diff := cmp.Diff(want, rep.Warnings); diff != "" || len(want) != 3 {
		t.Errorf("warnings after filling twice (-want +got):\n%s", diff)
	}
	comparetest.Compare(nil, head).Fill(&rep, nil, head)
	if rep.BaseRunScore != nil || rep.BaseHistogram != nil {
		t.Errorf("filled without a base, the report keeps a base score: %v", rep.BaseRunScore)
	}
}

func TestFill(t *testing.T) {
	base, head := comparetest.Sides(t, "s/a pass fail", "s/b pass pass", "t/c fail timeout")
	var rep report.Report
	comparetest.Compare(base, head).Fill(&rep, base, head)
	got := []any{*rep.RunScore, *rep.BaseRunScore, *rep.Delta, rep.DeltaCases, *rep.MicroScore, *rep.AnsweredScore, rep.Cases, rep.PassedCases,
		rep.Trials, rep.Unscored, len(rep.Suites), len(rep.Changes), rep.Counts[report.Regressed], rep.Calls.Provider, rep.BaseHistogram[classify.Pass]}
	want := []any{0.25, 0.5, -0.5, 2, 1.0 / 3, 0.5, 3, 1, 3, 1, 2, 3, 1, 6, 2}
	if n := comparetest.Compare(base, head).PlannedTrials(); n != 6 {
		t.Errorf("%d answers planned, want those of both sides: 6", n)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the filled report (-want +got):\n%s", diff)
	}
}
