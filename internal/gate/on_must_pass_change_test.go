package gate_test

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

func TestDecideChangesOfMustPassCases(t *testing.T) {
	warned := func(g *config.Gate) { g.Settings[config.OnMustPassChange].Level = config.Warn }
	silent := func(g *config.Gate) { g.Settings[config.OnMustPassChange].Level = config.Off }
	check(t, []gateCase{
		{"a removed one fails", nil, []string{"s/a pass - must", "s/b pass pass"}, report.Failed,
			[]string{"error on_must_pass_change: must-pass case s/a was removed", "warn on_removed: 1 case that passed before was removed: s/a"}},
		{"so does one that failed before", nil, []string{"s/a fail - must", "s/b pass pass"}, report.Failed,
			[]string{"error on_must_pass_change: must-pass case s/a was removed", "warn on_removed: 1 case was removed"}},
		{"it may only warn", warned, []string{"s/a pass - must", "s/b pass pass"}, report.Passed,
			[]string{"warn on_must_pass_change: must-pass case s/a was removed", "warn on_removed: 1 case that passed before was removed: s/a"}},
		{"it may be silent", func(g *config.Gate) { silent(g); g.Settings[config.OnRemoved].Level = config.Off }, []string{"s/a pass - must", "s/b pass pass"}, report.Passed, nil},
		{"one that was released fails", nil, []string{"s/a pass pass must-base"}, report.Failed,
			[]string{"error on_must_pass_change: must-pass case s/a is no longer must_pass",
				"warn on_redefined: 1 redefined case was not judged by the old expectation: s/a"}},
		{"one that was released and fails is a regression too", nil, []string{"s/a pass fail must-base old:fail"}, report.Failed,
			[]string{"error on_must_pass_change: must-pass case s/a is no longer must_pass, and does not pass",
				"error max_regressions: 1 regression, max_regressions is 0"}},
		{"one of another input fails, whatever its answer", nil, []string{"s/a pass pass must input old:pass"}, report.Failed,
			[]string{"error on_must_pass_change: must-pass case s/a has another input"}},
		{"it is told by on_redefined too where that is stricter", func(g *config.Gate) { warned(g); g.Settings[config.OnRedefined].Level = config.Err }, []string{"s/a pass pass must input old:pass"}, report.Failed,
			[]string{"error on_redefined: 1 case that passed before asks something else now: s/a", "warn on_must_pass_change: must-pass case s/a has another input"}},
		{"and by it alone where its own rule is off", func(g *config.Gate) { silent(g); g.Settings[config.OnRedefined].Level = config.Warn }, []string{"s/a pass pass must input old:pass"}, report.Passed,
			[]string{"warn on_redefined: 1 case that passed before asks something else now: s/a"}},
		{"one that passes only by its new expectation fails", nil, []string{"s/a pass pass must old:fail"}, report.Failed,
			[]string{"error on_must_pass_change: must-pass case s/a would have failed by the old expectation: fail",
				"warn on_redefined: 1 redefined case would have failed by the old expectation: s/a"}},
		{"one that meets both expectations is announced", nil, []string{"s/a pass pass must old:pass"}, report.Passed,
			[]string{"warn on_must_pass_change: must-pass case s/a has another expectation, and meets the old one as well"}},
		{"one that nobody judged by the base's fails", nil, []string{"s/a pass pass must redefined"}, report.Failed,
			[]string{"error on_must_pass_change: must-pass case s/a has another expectation, and was not judged by the old one",
				"warn on_redefined: 1 redefined case was not judged by the old expectation: s/a"}},
		{"one that is must_pass from now on is as it was", nil, []string{"s/a pass pass must-head"}, report.Passed, nil},
		{"and is a regression where it fails", nil, []string{"s/a pass fail must-head"}, report.Failed,
			[]string{"error must_pass: must-pass case s/a failed: fail", "error max_regressions: 1 regression, max_regressions is 0"}},
		{"an answer that never came excuses no other input", nil, []string{"s/a pass timeout must input"}, report.Failed,
			[]string{"error on_must_pass_change: must-pass case s/a has another input", "error must_pass: must-pass case s/a has no score: timeout",
				"error max_unscored: 1 of 1 trial without a score: share 1.000 is above max_unscored 0.000"}},
	})
}

func TestAMustPassCaseThatWasRenamedIsNamedByBothNames(t *testing.T) {
	base, head := comparetest.Sides(t, "s/a pass - must", "s/z - pass", "s/b pass pass")
	base = compare.JoinSuites(base, head)
	in := gate.Run{Head: head, Comparison: comparetest.Compare(base, head), BaseState: report.BaseCompared}
	says(t, gate.MustPassChange, comparetest.GateWithoutReruns(), in, "error: must-pass case s/z, which was s/a, is no longer must_pass")
}

func TestMustPassNeverWeakens(t *testing.T) {
	rank := map[report.Verdict]int{report.Passed: 0, report.Undecided: 1, report.Failed: 2}
	levels := []config.Level{config.Off, config.Warn, config.Err}
	for _, line := range []string{"pass pass", "pass fail", "fail fail", "fail pass", "pass -", "fail -", "- pass", "- fail", "pass timeout", "timeout pass", "timeout fail",
		"pass pass input old:pass", "pass pass input old:fail", "pass fail input old:pass", "pass fail input old:fail", "fail pass input old:pass", "pass pass input redefined",
		"pass timeout input", "pass pass old:pass", "pass pass old:fail", "pass fail old:pass", "pass fail old:fail", "fail fail old:fail", "pass pass redefined",
		"pass pass old:pass unverified-head", "pass pass old:fail unverified-head", "pass pass input old:pass unverified-head", "pass pass cut-head forbids", "pass pass cut-head",
		"pass,pass,pass fail,pass,pass", "pass,fail,pass fail,fail,fail"} {
		for n := range 3 * 3 * 3 * 3 {
			level := func(place int) config.Level { return levels[n/place%3] }
			g := comparetest.GateWithReruns()
			g.Settings[config.OnMustPassChange].Level, g.Settings[config.OnRedefined].Level, g.Settings[config.OnExpectationRemoved].Level, g.Settings[config.OnRemoved].Level, g.Settings[config.OnPolicyChange].Level = level(1), level(3), level(9), level(27), level(27)
			for _, kind := range []string{"", " recorded"} {
				scene := "s/a " + line + kind
				plain, _ := settle(t, g, []string{scene, "s/b pass pass"}, "s/a pass/fail")
				marks := []string{"must", "must-head"}
				if strings.Contains(line, "old:") || strings.HasSuffix(line, " -") {
					// Losing the mark redefines a case, so it is compared with a redefined or removed one.
					marks = append(marks, "must-base")
				}
				for _, mark := range marks {
					if marked, why := settle(t, g, []string{scene + " " + mark, "s/b pass pass"}, "s/a pass/fail"); rank[marked] < rank[plain] {
						t.Errorf("%s, on_must_pass_change %s, on_redefined %s, on_expectation_removed %s, on_removed and on_policy_change %s: %s, and %s with %s: %q",
							scene, level(1), level(3), level(9), level(27), plain, marked, mark, why)
					}
				}
			}
		}
	}
}
