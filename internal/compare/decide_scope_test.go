package compare_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

func TestDecidePolicyChanges(t *testing.T) {
	changes := []config.Change{{Path: "failproof.yml", Key: "gate.min_run_score", Base: "0.85", Head: "0.5"}}
	const text = "on_policy_change: this change edits 1 setting, announced and not obeyed until merged: gate.min_run_score"
	for _, c := range []struct {
		rule    string
		level   config.Level
		verdict report.Verdict
		reasons []string
	}{
		{"a change is announced", config.Warn, report.Passed, []string{"warn " + text}},
		{"a gate without a word on it warns", "", report.Passed, []string{"warn " + text}},
		{"a change may fail", config.Err, report.Failed, []string{"error " + text}},
		{"it may be switched off", config.Off, report.Passed, nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			p := strict()
			p.OnPolicyChange = c.level
			verdict, reasons := compare.Decide(p, compare.Input{Head: &report.Side{}, PolicyChanges: changes})
			if verdict != c.verdict || !cmp.Equal(c.reasons, brief(reasons)) {
				t.Errorf("Decide = %s, %q; want %s, %q", verdict, brief(reasons), c.verdict, c.reasons)
			}
		})
	}
}

// Another model is what a change wants judged: it is named, and decides nothing by itself.
func TestDecideNeverFailsAnotherModel(t *testing.T) {
	for level, want := range map[config.Level][]string{config.Err: {"warn on_policy_change: this change edits 1 setting, announced, and in force for this run: targets.fast.model"},
		config.Warn: {"warn on_policy_change: this change edits 1 setting, announced, and in force for this run: targets.fast.model"}, config.Off: nil} {
		p := strict()
		p.OnPolicyChange = level
		verdict, reasons := compare.Decide(p, compare.Input{Head: &report.Side{}, PolicyChanges: []config.Change{{Key: "targets.fast.model", Base: "m", Head: "n", InForce: true}}})
		if got := brief(reasons); verdict != report.Passed || !cmp.Equal(got, want) {
			t.Errorf("%s: %s because of %q, want %q", level, verdict, got, want)
		}
	}
}

func TestDecideSaysWhichPolicyChangesAreInForce(t *testing.T) {
	changes := []config.Change{{Key: "default_target", InForce: true}, {Key: "gate.max_drop"}, {Key: "policies.more", Caught: []string{"s/a", "s/b"}},
		{Key: "suites", InForce: true}}
	want := []string{
		"warn on_policy_change: this change edits 2 settings, announced and not obeyed until merged: gate.max_drop, policies.more (it would catch the answers to 2 cases)",
		"warn on_policy_change: this change edits 2 settings, announced, and in force for this run: default_target, suites",
	}
	verdict, reasons := compare.Decide(strict(), compare.Input{Head: &report.Side{}, PolicyChanges: changes})
	if verdict != report.Passed || !cmp.Equal(want, brief(reasons)) {
		t.Errorf("Decide = %s, %q; want passed, %q", verdict, brief(reasons), want)
	}
}

func TestDecideWithoutABase(t *testing.T) {
	for _, c := range []struct {
		rule, state string
		bar         float64
		verdict     report.Verdict
		reasons     []string
	}{
		{"a base that was not asked for is no reason", report.BaseNone, 0.5, report.Passed, nil},
		{"a missing base is said, and is no failure", report.BaseMissing, 0.5, report.Passed,
			[]string{"warn no_base: no base to compare with: bars were judged, regressions were not"}},
		{"an incomparable base is said", report.BaseIncomparable, 0.5, report.Passed,
			[]string{"warn no_base: the base was judged in another way: bars were judged, regressions were not"}},
		{"the bars are judged", report.BaseMissing, 0.75, report.Failed,
			[]string{"error min_run_score: run score 0.500 is below min_run_score 0.750",
				"warn no_base: no base to compare with: bars were judged, regressions were not"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, head := sides(t, "s/a - pass", "s/b - fail")
			p := strict()
			p.MinRunScore = at(c.bar)
			comparison := compare.Sides(nil, head)
			verdict, reasons := compare.Decide(p, compare.Input{Head: head, Comparison: comparison, BaseState: c.state})
			if verdict != c.verdict || !cmp.Equal(c.reasons, brief(reasons)) {
				t.Errorf("Decide = %s, %q; want %s, %q", verdict, brief(reasons), c.verdict, c.reasons)
			}
			if comparison.HasBase || comparison.Delta != nil || comparison.Counts[report.New] != 2 {
				t.Errorf("Sides without a base = %+v; want two new cases and no delta", comparison)
			}
		})
	}
}

func TestDecideNothingInScope(t *testing.T) {
	p := strict()
	p.MinRunScore, p.MinCases = at(1), at(1)
	verdict, reasons := compare.Decide(p, compare.Input{Head: &report.Side{}, Comparison: compare.Sides(&report.Side{}, &report.Side{})})
	if verdict != report.Passed || len(reasons) != 0 {
		t.Errorf("Decide of nothing = %s, %q; want passed without a reason", verdict, brief(reasons))
	}
}

func TestDecideWithoutAnyResultIsNotNothingInScope(t *testing.T) {
	var b report.Builder
	b.Plan([]report.SuitePlan{{ID: "s", Weight: 1, Cases: 3}})
	verdict, reasons := compare.Decide(strict(), compare.Input{Head: b.Side(), Comparison: compare.Sides(nil, b.Side())})
	want := []string{"error max_unscored: 3 of 3 trials without an answer: share 1.000 is above max_unscored 0.000"}
	if diff := cmp.Diff(want, brief(reasons)); verdict != report.Undecided || diff != "" {
		t.Errorf("Decide of planned cases without a result = %s (-want +got):\n%s", verdict, diff)
	}
}

func TestDecideNamesFiftyMustPassCasesAndCountsTheRest(t *testing.T) {
	for _, c := range []struct {
		n, reasons int
		last       string
	}{
		{50, 50, "error must_pass: must-pass case s/c49 failed: fail"},
		{53, 51, "error must_pass: and 3 more must-pass cases"},
	} {
		var lines []string
		for i := range c.n {
			lines = append(lines, fmt.Sprintf("s/c%d - fail must", i))
		}
		_, reasons := decide(t, strict(), lines...)
		if got := brief(reasons); len(got) != c.reasons || got[len(got)-1] != c.last {
			t.Errorf("%d failing must-pass cases give %d reasons, the last %q; want %d and %q", c.n, len(got), got[len(got)-1], c.reasons, c.last)
		}
	}
}

func TestDecideCountsCasesOutOfScopeForMinCases(t *testing.T) {
	_, head := sides(t, "s/a - pass")
	p := strict()
	p.MinCases = at(5)
	in := compare.Input{Head: head, Comparison: compare.Sides(nil, head), AllCases: 9}
	if verdict, reasons := compare.Decide(p, in); verdict != report.Passed {
		t.Errorf("Decide with 1 of 9 cases in scope = %s, %q; want passed", verdict, brief(reasons))
	}
}

func TestDecideSuiteBars(t *testing.T) {
	high, low := 0.85, 0.5
	var b report.Builder
	b.Plan([]report.SuitePlan{{ID: "support/refund", Weight: 1, MinScore: &high}, {ID: "support/triage", Weight: 1, MinScore: &low}, {ID: "late", Weight: 1, MinScore: &high}})
	for _, r := range []report.Result{result("support/refund", "a", 1, "pass"), result("support/refund", "b", 1, "fail"),
		result("support/triage", "c", 1, "pass"), result("support/triage", "d", 1, "fail"),
		result("late", "e", 1, "pass"), result("late", "f", 1, "timeout")} {
		if err := b.Add(r, report.Ref{}); err != nil {
			t.Fatal(err)
		}
	}
	p := strict()
	p.MaxUnscored.Level = config.Off
	verdict, reasons := compare.Decide(p, compare.Input{Head: b.Side(), Comparison: compare.Sides(nil, b.Side())})
	want := []report.Reason{
		{Code: "min_score", Level: report.LevelError, SuiteID: "support/refund", Message: "suite support/refund: score 0.500 is below min_score 0.850"},
		{Code: "min_score", Level: report.LevelError, SuiteID: "late", Message: "suite late: score 0.500 is below min_score 0.850; over the answers that came it is 1.000"},
	}
	if diff := cmp.Diff(want, reasons); verdict != report.Failed || diff != "" {
		t.Errorf("Decide = %s (-want +got):\n%s", verdict, diff)
	}
}
