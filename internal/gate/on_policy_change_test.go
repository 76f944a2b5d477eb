package gate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

func TestDecidePolicyChanges(t *testing.T) {
	changes := []config.Change{{Path: "failproof.yml", Key: "gate.min_run_score", Base: "0.85", Head: "0.5"}}
	const text = "on_policy_change: this change edits 1 setting, in effect after the merge: gate.min_run_score"
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
			p := comparetest.GateWithoutReruns()
			p.Settings[config.OnPolicyChange].Level = c.level
			verdict, reasons := gate.Decide(p, gate.Run{Head: &report.Side{}, PolicyChanges: changes})
			if verdict != c.verdict || !cmp.Equal(c.reasons, comparetest.ReasonLines(reasons)) {
				t.Errorf("Decide = %s, %q; want %s, %q", verdict, comparetest.ReasonLines(reasons), c.verdict, c.reasons)
			}
		})
	}
}

func TestDecideNeverFailsAnotherModel(t *testing.T) {
	for level, want := range map[config.Level][]string{config.Err: {"warn on_policy_change: this change edits 1 setting, in effect for this run: targets.fast.model"},
		config.Warn: {"warn on_policy_change: this change edits 1 setting, in effect for this run: targets.fast.model"}, config.Off: nil} {
		p := comparetest.GateWithoutReruns()
		p.Settings[config.OnPolicyChange].Level = level
		verdict, reasons := gate.Decide(p, gate.Run{Head: &report.Side{}, PolicyChanges: []config.Change{{Key: "targets.fast.model", Base: "m", Head: "n", Effective: true}}})
		if got := comparetest.ReasonLines(reasons); verdict != report.Passed || !cmp.Equal(got, want) {
			t.Errorf("%s: %s because of %q, want %q", level, verdict, got, want)
		}
	}
}

func TestDecideSaysWhichPolicyChangesAreInForce(t *testing.T) {
	changes := []config.Change{{Key: "default_target", Effective: true}, {Key: "gate.max_drop"}, {Key: "policies.more", FailingCases: []string{"s/a", "s/b"}},
		{Key: "policies.one", FailingCases: []string{"s/a"}}, {Key: "targets.fast.url", StaleAnswers: 3}, {Key: "judges.default.target", StaleVerdicts: 1},
		{Key: "suites", Effective: true}}
	want := []string{
		"warn on_policy_change: this change edits 5 settings, in effect after the merge: gate.max_drop, policies.more (it would catch the answers to 2 cases), " +
			"policies.one (it would catch the answers to 1 case), targets.fast.url (it makes 3 recorded answers stale), judges.default.target (it makes 1 recorded verdict stale)",
		"warn on_policy_change: this change edits 2 settings, in effect for this run: default_target, suites",
	}
	verdict, reasons := gate.Decide(comparetest.GateWithoutReruns(), gate.Run{Head: &report.Side{}, PolicyChanges: changes})
	if verdict != report.Passed || !cmp.Equal(want, comparetest.ReasonLines(reasons)) {
		t.Errorf("Decide = %s, %q; want passed, %q", verdict, comparetest.ReasonLines(reasons), want)
	}
}

func TestTheTitleOfAPolicyChangeTellsRulesFromAModel(t *testing.T) {
	for _, c := range []struct {
		change config.Change
		want   string
	}{
		{config.Change{Key: "targets.fast.model", Effective: true}, "the model or its settings changed"},
		{config.Change{Key: "targets.fast.model"}, "gate settings changed"},
		{config.Change{Key: "suites", Effective: true}, "gate settings changed"},
	} {
		if got := gate.PolicyChange.Title(gate.TitleInput{Report: &report.Report{PolicyChanges: []config.Change{c.change}}}); got != c.want {
			t.Errorf("%s, in force: %t: title %q, want %q", c.change.Key, c.change.Effective, got, c.want)
		}
	}
}
