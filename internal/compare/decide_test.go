package compare_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

type gateCase struct {
	rule    string
	gate    func(*config.Gate)
	scene   []string
	verdict report.Verdict
	reasons []string
}

func check(t *testing.T, cases []gateCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			p := strict()
			if c.gate != nil {
				c.gate(&p)
			}
			verdict, reasons := decide(t, p, c.scene...)
			if verdict != c.verdict {
				t.Errorf("Decide(%q) = %s, want %s", c.scene, verdict, c.verdict)
			}
			if diff := cmp.Diff(c.reasons, brief(reasons)); diff != "" {
				t.Errorf("reasons of %q (-want +got):\n%s", c.scene, diff)
			}
		})
	}
}

func TestARunThatEndedEarlyIsNotDecided(t *testing.T) {
	lenient := func(g *config.Gate) { g.MaxUnscored = at(1) }
	check(t, []gateCase{
		{"a budget that ended leaves it undecided, however few answers are missing", lenient, []string{"s/a pass pass", "s/b pass pass", "s/c pass unasked-budget"},
			report.Undecided, []string{"error budget: limits.max_calls (2) is used up: 1 of 6 answers not asked for"}},
		{"answers of the base count as much", lenient, []string{"s/a pass pass", "s/b unasked-budget pass"}, report.Undecided,
			[]string{"error budget: limits.max_calls (2) is used up: 1 of 4 answers not asked for",
				"warn max_unscored: 1 case is not compared: too few answers came before"}},
		{"a regression that is proven stays failed beside a budget", lenient, []string{"s/a pass fail", "s/b pass unasked-budget"}, report.Failed,
			[]string{"error max_regressions: 1 regression, max_regressions is 0", "error budget: limits.max_calls (2) is used up: 1 of 4 answers not asked for"}},
		{"a cancelled run is not decided, whatever it saw", lenient, []string{"s/a pass fail", "s/b unasked-cancelled unasked-cancelled"}, report.Undecided,
			[]string{"error max_regressions: 1 regression, max_regressions is 0", "error cancelled: the run was cancelled: 2 of 4 answers not asked for"}},
	})
}

func TestDecideRegressions(t *testing.T) {
	check(t, []gateCase{
		{"nothing changed", nil, []string{"s/a pass pass", "s/b fail fail"}, report.Passed, nil},
		{"one flip fails", nil, []string{"s/a pass fail"}, report.Failed, []string{"error max_regressions: 1 regression, max_regressions is 0"}},
		{"two flips are counted", nil, []string{"s/a pass fail", "s/b pass refusal"}, report.Failed,
			[]string{"error max_regressions: 2 regressions, max_regressions is 0"}},
		{"fixes do not pay for a flip", nil, []string{"s/a pass fail", "s/b fail pass", "s/c fail pass"}, report.Failed,
			[]string{"error max_regressions: 1 regression, max_regressions is 0"}},
		{"as many as allowed pass", func(g *config.Gate) { g.MaxRegressions = at(1) }, []string{"s/a pass fail"}, report.Passed, nil},
		{"one more fails", func(g *config.Gate) { g.MaxRegressions = at(1) }, []string{"s/a pass fail", "s/b pass fail"}, report.Failed,
			[]string{"error max_regressions: 2 regressions, max_regressions is 1"}},
		{"a warning decides nothing", func(g *config.Gate) { g.MaxRegressions = warnAt(0) }, []string{"s/a pass fail"}, report.Passed,
			[]string{"warn max_regressions: 1 regression, max_regressions is 0"}},
		{"off is silent", func(g *config.Gate) { g.MaxRegressions.Level = config.Off }, []string{"s/a pass fail"}, report.Passed, nil},
		{"a limit that is no number is not met", func(g *config.Gate) { g.MaxRegressions = at(math.NaN()) }, []string{"s/a pass pass"}, report.Failed,
			[]string{"error max_regressions: 0 regressions, max_regressions is NaN"}},
		{"a new failing case is no regression", nil, []string{"s/a - fail"}, report.Passed, nil},
		{"a request that the candidate spoilt can regress", nil, []string{"s/a pass rejected"}, report.Failed,
			[]string{"error max_regressions: 1 regression, max_regressions is 0"}},
		{"a proven regression stays failed beside an outage", nil, []string{"s/a pass fail", "s/b pass timeout"}, report.Failed,
			[]string{"error max_regressions: 1 regression, max_regressions is 0",
				"error max_unscored: 1 of 2 trials without an answer: share 0.500 is above max_unscored 0.000"}},
		{"the majority of several trials is what counts", nil, []string{"s/a pass,pass,pass pass,fail,fail", "s/b pass,pass,pass pass,pass,fail"}, report.Failed,
			[]string{"error max_regressions: 1 regression, max_regressions is 0"}},
	})
}

func TestDecideBars(t *testing.T) {
	bar := func(v float64) func(*config.Gate) { return func(g *config.Gate) { g.MinRunScore = at(v) } }
	check(t, []gateCase{
		{"a score on the bar meets it", bar(0.5), []string{"s/a pass pass", "s/b fail fail"}, report.Passed, nil},
		{"a score below it fails", bar(0.75), []string{"s/a pass pass", "s/b fail fail"}, report.Failed,
			[]string{"error min_run_score: run score 0.500 is below min_run_score 0.750"}},
		{"a bar is told as it was set", bar(0.5002), []string{"s/a pass pass", "s/b fail fail"}, report.Failed,
			[]string{"error min_run_score: run score 0.500 is below min_run_score 0.5002"}},
		{"and a score stays on its side of it", bar(0.66669), []string{"s/a pass pass", "s/b pass pass", "s/c fail fail"}, report.Failed,
			[]string{"error min_run_score: run score 0.66667 is below min_run_score 0.66669"}},
		{"a bar that is no number is not met", bar(math.NaN()), []string{"s/a pass pass"}, report.Failed,
			[]string{"error min_run_score: run score 1.000 is below min_run_score NaN"}},
		{"a bar may warn", func(g *config.Gate) { g.MinRunScore = warnAt(0.75) }, []string{"s/a fail fail"}, report.Passed,
			[]string{"warn min_run_score: run score 0.000 is below min_run_score 0.750"}},
		{"a drop beyond the limit fails, overall and by suite", func(g *config.Gate) { g.MaxRegressions.Level, g.MaxDrop = config.Off, at(0.1) },
			[]string{"s/a pass fail", "s/b pass pass", "t/c pass pass"}, report.Failed,
			[]string{"error max_drop: run score fell by 0.250 over 3 common cases, max_drop is 0.100",
				"error max_drop: suite s: score fell by 0.500, max_drop is 0.100"}},
		{"a drop of the limit itself does not", func(g *config.Gate) { g.MaxRegressions.Level, g.MaxDrop = config.Off, at(0.5) },
			[]string{"s/a pass fail", "s/b pass pass"}, report.Passed, nil},
		{"a drop that is not limited is silent", func(g *config.Gate) { g.MaxRegressions.Level = config.Off }, []string{"s/a pass fail"}, report.Passed, nil},
		{"too few cases fail", func(g *config.Gate) { g.MinCases = at(2) }, []string{"s/a pass pass"}, report.Failed,
			[]string{"error min_cases: 1 case, min_cases is 2"}},
		{"too many unverified cases fail", func(g *config.Gate) { g.MaxUnverified = at(0) }, []string{"s/a pass pass unverified"}, report.Failed,
			[]string{"error max_unverified: 1 case passed with nothing to verify, max_unverified is 0"}},
		{"an answer that is kept by hand warns", func(*config.Gate) {}, []string{"s/a pass pass recorded kept"}, report.Passed,
			[]string{"warn kept_by_hand: 1 case is unverified: kept by hand although the prompt changed: s/a"}},
		{"it is unverified", func(g *config.Gate) { g.MaxUnverified = at(1) }, []string{"s/a pass pass recorded kept", "s/b pass pass recorded unverified"}, report.Failed,
			[]string{"error max_unverified: 2 cases are unverified, 1 of them kept by hand, max_unverified is 1",
				"warn kept_by_hand: 1 case is unverified: kept by hand although the prompt changed: s/a"}},
	})
}

func TestDecideUndecided(t *testing.T) {
	bar := func(v float64) func(*config.Gate) { return func(g *config.Gate) { g.MinRunScore = at(v) } }
	check(t, []gateCase{
		{"one missing answer is not a pass", nil, []string{"s/a pass pass", "s/b pass timeout"}, report.Undecided,
			[]string{"error max_unscored: 1 of 2 trials without an answer: share 0.500 is above max_unscored 0.000"}},
		{"a share within the limit passes", func(g *config.Gate) { g.MaxUnscored = at(0.5) }, []string{"s/a pass pass", "s/b pass error"}, report.Passed, nil},
		{"a limit that only warns passes", func(g *config.Gate) { g.MaxUnscored = warnAt(0) }, []string{"s/a pass pass", "s/b pass error"}, report.Passed,
			[]string{"warn max_unscored: 1 of 2 trials without an answer: share 0.500 is above max_unscored 0.000"}},
		{"a bar missed only for want of answers is undecided", func(g *config.Gate) { g.MinRunScore, g.MaxUnscored = at(0.9), at(0.5) },
			[]string{"s/a pass pass", "s/b pass timeout"}, report.Undecided,
			[]string{"error min_run_score: run score 0.500 is below min_run_score 0.900; over the answers that came it is 1.000"}},
		{"a bar missed by the answers that came is failed", func(g *config.Gate) { g.MinRunScore, g.MaxUnscored = at(0.9), at(0.5) },
			[]string{"s/a fail fail", "s/b pass timeout"}, report.Failed,
			[]string{"error min_run_score: run score 0.000 is below min_run_score 0.900"}},
		{"missed by both but with too many missing it is undecided", bar(0.9), []string{"s/a fail fail", "s/b pass timeout"}, report.Undecided,
			[]string{"error min_run_score: run score 0.000 is below min_run_score 0.900; too many answers are missing to say",
				"error max_unscored: 1 of 2 trials without an answer: share 0.500 is above max_unscored 0.000"}},
		{"without any answer nothing is failed", func(g *config.Gate) { g.MinRunScore, g.MaxUnscored.Level = at(0.9), config.Off },
			[]string{"s/a pass timeout"}, report.Undecided,
			[]string{"error min_run_score: run score 0.000 is below min_run_score 0.900; no answer came"}},
		{"a base without answers is said, and decides nothing", nil, []string{"s/a timeout pass", "s/b pass pass"}, report.Passed,
			[]string{"warn max_unscored: 1 case is not compared: too few answers came before"}},
		{"a must-pass case without an answer is undecided", func(g *config.Gate) { g.MaxUnscored.Level = config.Off }, []string{"s/a pass crash must"}, report.Undecided,
			[]string{"error must_pass: must-pass case s/a has no answer: crash"}},
		{"a must-pass case that fails is failed beside an outage", nil, []string{"s/a pass,pass fail,timeout must", "s/b pass,pass timeout,timeout"}, report.Failed,
			[]string{"error must_pass: must-pass case s/a failed: fail",
				"error max_regressions: 1 regression, max_regressions is 0",
				"error max_unscored: 3 of 4 trials without an answer: share 0.750 is above max_unscored 0.000"}},
		{"a removed case that mostly passed hides as much as one that always did", func(g *config.Gate) { g.OnRemoved = config.Err },
			[]string{"s/a pass pass", "s/b pass,pass,fail -", "s/c pass,fail -"}, report.Failed,
			[]string{"error on_removed: 2 cases were removed, 1 of them passed before: s/b"}},
		{"a broken rule that no answer can mend is failed beside an outage", func(g *config.Gate) { g.OnRemoved = config.Err },
			[]string{"s/a pass timeout", "s/b pass -"}, report.Failed,
			[]string{"error on_removed: 1 case that passed before was removed: s/b",
				"error max_unscored: 1 of 1 trial without an answer: share 1.000 is above max_unscored 0.000"}},
	})
}

func TestDecideMustPass(t *testing.T) {
	check(t, []gateCase{
		{"one wrong answer fails, whatever it failed before", nil, []string{"s/a fail fail must"}, report.Failed,
			[]string{"error must_pass: must-pass case s/a failed: fail"}},
		{"one wrong trial of many fails", nil, []string{"s/a pass,pass,pass pass,pass,refusal must"}, report.Failed,
			[]string{"error must_pass: must-pass case s/a failed: refusal"}},
		{"a new one that fails fails", nil, []string{"s/a - policy_violation must"}, report.Failed,
			[]string{"error must_pass: must-pass case s/a failed: policy_violation"}},
		{"each one is named", nil, []string{"s/a - fail must", "t/b - fail must"}, report.Failed,
			[]string{"error must_pass: must-pass case s/a failed: fail", "error must_pass: must-pass case t/b failed: fail"}},
		{"one that passes is silent", nil, []string{"s/a pass pass must"}, report.Passed, nil},
	})
}

func TestDecideChangesOfMustPassCases(t *testing.T) {
	warned := func(g *config.Gate) { g.OnMustPassChange = config.Warn }
	silent := func(g *config.Gate) { g.OnMustPassChange = config.Off }
	check(t, []gateCase{
		{"a removed one fails", nil, []string{"s/a pass - must", "s/b pass pass"}, report.Failed,
			[]string{"error on_must_pass_change: must-pass case s/a was removed", "warn on_removed: 1 case that passed before was removed: s/a"}},
		{"so does one that failed before", nil, []string{"s/a fail - must", "s/b pass pass"}, report.Failed,
			[]string{"error on_must_pass_change: must-pass case s/a was removed", "warn on_removed: 1 case was removed"}},
		{"it may only warn", warned, []string{"s/a pass - must", "s/b pass pass"}, report.Passed,
			[]string{"warn on_must_pass_change: must-pass case s/a was removed", "warn on_removed: 1 case that passed before was removed: s/a"}},
		{"it may be silent", func(g *config.Gate) { silent(g); g.OnRemoved = config.Off }, []string{"s/a pass - must", "s/b pass pass"}, report.Passed, nil},
		{"one that was released fails", nil, []string{"s/a pass pass must-base"}, report.Failed,
			[]string{"error on_must_pass_change: must-pass case s/a is no longer must_pass",
				"warn on_redefined: 1 redefined case was not judged by the old expectation: s/a"}},
		{"one that was released and fails is a regression too", nil, []string{"s/a pass fail must-base old:fail"}, report.Failed,
			[]string{"error on_must_pass_change: must-pass case s/a is no longer must_pass, and does not pass",
				"error max_regressions: 1 regression, max_regressions is 0"}},
		{"one of another input fails, whatever its answer", nil, []string{"s/a pass pass must input old:pass"}, report.Failed,
			[]string{"error on_must_pass_change: must-pass case s/a has another input"}},
		{"it is told by on_redefined too where that is stricter", func(g *config.Gate) { warned(g); g.OnRedefined = config.Err }, []string{"s/a pass pass must input old:pass"}, report.Failed,
			[]string{"error on_redefined: 1 case that passed before asks something else now: s/a", "warn on_must_pass_change: must-pass case s/a has another input"}},
		{"and by it alone where its own rule is off", func(g *config.Gate) { silent(g); g.OnRedefined = config.Warn }, []string{"s/a pass pass must input old:pass"}, report.Passed,
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
			[]string{"error on_must_pass_change: must-pass case s/a has another input", "error must_pass: must-pass case s/a has no answer: timeout",
				"error max_unscored: 1 of 1 trial without an answer: share 1.000 is above max_unscored 0.000"}},
	})
}

// Whatever becomes of a case and whatever the levels are: marked as must-pass, on either side or on both, it passes no gate that it failed.
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
			g := auto()
			g.OnMustPassChange, g.OnRedefined, g.OnExpectationRemoved, g.OnRemoved, g.OnPolicyChange = level(1), level(3), level(9), level(27), level(27)
			for _, kind := range []string{"", " recorded"} {
				scene := "s/a " + line + kind
				_, plain, _, _ := settle(t, g, []string{scene, "s/b pass pass"}, "s/a pass/fail")
				marks := []string{"must", "must-head"}
				if strings.Contains(line, "old:") || strings.HasSuffix(line, " -") {
					marks = append(marks, "must-base") // which redefines a case, as what is compared with it is
				}
				for _, mark := range marks {
					if _, marked, why, _ := settle(t, g, []string{scene + " " + mark, "s/b pass pass"}, "s/a pass/fail"); rank[marked] < rank[plain] {
						t.Errorf("%s, on_must_pass_change %s, on_redefined %s, on_expectation_removed %s, on_removed and on_policy_change %s: %s, and %s with %s: %q",
							scene, level(1), level(3), level(9), level(27), plain, marked, mark, why)
					}
				}
			}
		}
	}
}

func TestARedefinedCaseThatMeetsNeitherExpectationIsARegression(t *testing.T) {
	regression := []string{"error max_regressions: 1 regression, max_regressions is 0"}
	check(t, []gateCase{
		{"it fails, and enters no delta", func(g *config.Gate) { g.MaxDrop = at(0) }, []string{"s/a pass fail old:fail"}, report.Failed, regression},
		{"another failure is none either", nil, []string{"s/a pass refusal old:wrong_format"}, report.Failed, regression},
		{"one that failed on the base has not regressed, and hides nothing", nil, []string{"s/a fail fail old:fail"}, report.Passed, nil},
		{"nor does one that nobody held to the old expectation", nil, []string{"s/a fail fail redefined"}, report.Passed, nil},
		{"one that passes a new expectation does", nil, []string{"s/a fail pass old:fail"}, report.Passed,
			[]string{"warn on_redefined: 1 redefined case would have failed by the old expectation: s/a"}},
		{"where that blocks, a worse answer unblocks nothing", func(g *config.Gate) { g.OnRedefined = config.Err }, []string{"s/a fail fail old:fail"}, report.Failed,
			[]string{"error on_redefined: 1 redefined case would have failed by the old expectation: s/a"}},
		{"one without an answer has not", func(g *config.Gate) { g.MaxUnscored.Level = config.Off }, []string{"s/a pass timeout redefined"}, report.Passed, nil},
		{"the majority of its answers counts", nil, []string{"s/a pass,pass,pass fail,fail,pass old:fail"}, report.Failed, regression},
		{"a minority does not", nil, []string{"s/a pass,pass,pass fail,pass,pass old:fail"}, report.Passed,
			[]string{"warn on_redefined: 1 redefined case would have failed by the old expectation: s/a"}},
	})
}

// A redefined case that regressed is left to max_regressions only where that fails the gate. Otherwise a worse answer, which makes a
// redefined case a regression, would take the case out of on_redefined and pass a gate that failed before.
func TestARegressionThatFailsNothingStaysRedefined(t *testing.T) {
	redefinedErr := func(regressions config.Rule) func(*config.Gate) {
		return func(g *config.Gate) { g.OnRedefined, g.MaxRegressions = config.Err, regressions }
	}
	off := config.Rule{Level: config.Off}
	hidden := "error on_redefined: 1 redefined case would have failed by the old expectation: s/a"
	check(t, []gateCase{
		{"where regressions are not limited", redefinedErr(off), []string{"s/a pass fail old:fail"}, report.Failed, []string{hidden}},
		{"where as many are allowed", redefinedErr(at(1)), []string{"s/a pass fail old:fail"}, report.Failed, []string{hidden}},
		{"where they only warn", redefinedErr(warnAt(0)), []string{"s/a pass fail old:fail"}, report.Failed,
			[]string{hidden, "warn max_regressions: 1 regression, max_regressions is 0"}},
		{"as it was with the better answer", redefinedErr(off), []string{"s/a pass pass old:fail"}, report.Failed, []string{hidden}},
		{"every case of them", redefinedErr(at(2)), []string{"s/a pass fail old:fail", "s/b pass refusal old:fail"}, report.Failed,
			[]string{"error on_redefined: 2 redefined cases would have failed by the old expectation: s/a, s/b"}},
		{"and where they fail the gate it is said once", redefinedErr(at(0)), []string{"s/a pass fail old:fail", "s/b pass pass old:fail"}, report.Failed,
			[]string{"error max_regressions: 1 regression, max_regressions is 0",
				"error on_redefined: 1 redefined case would have failed by the old expectation: s/b"}},
	})
}

func TestDecideHiddenRegressions(t *testing.T) {
	removedErr := func(g *config.Gate) { g.OnRemoved = config.Err }
	redefinedErr := func(g *config.Gate) { g.OnRedefined = config.Err }
	check(t, []gateCase{
		{"a removed case that passed is named", nil, []string{"s/a pass -", "s/b pass pass"}, report.Passed,
			[]string{"warn on_removed: 1 case that passed before was removed: s/a"}},
		{"a removed failing case is said too", nil, []string{"s/a fail -", "s/b pass pass"}, report.Passed,
			[]string{"warn on_removed: 1 case was removed"}},
		{"and fails nothing: what failed before hides nothing", removedErr, []string{"s/a fail -", "s/b pass pass"}, report.Passed,
			[]string{"warn on_removed: 1 case was removed"}},
		{"removing may fail", removedErr, []string{"s/a pass -", "s/c fail -", "s/b pass pass"}, report.Failed,
			[]string{"error on_removed: 2 cases were removed, 1 of them passed before: s/a"}},
		{"removing a whole suite is removing its cases", removedErr, []string{"gone/a pass -", "s/b pass pass"}, report.Failed,
			[]string{"error on_removed: 1 case that passed before was removed: gone/a"}},
		{"removing everything is not nothing in scope", removedErr, []string{"s/a pass -"}, report.Failed,
			[]string{"error on_removed: 1 case that passed before was removed: s/a"}},
		{"passing the new and failing the old expectation is named", nil, []string{"s/a pass pass old:fail"}, report.Passed,
			[]string{"warn on_redefined: 1 redefined case would have failed by the old expectation: s/a"}},
		{"and may fail", redefinedErr, []string{"s/a pass pass old:refusal"}, report.Failed,
			[]string{"error on_redefined: 1 redefined case would have failed by the old expectation: s/a"}},
		{"a redefined case that meets both is silent", redefinedErr, []string{"s/a pass pass old:pass"}, report.Passed, nil},
		{"one that meets the old and fails the new is no hidden regression", redefinedErr, []string{"s/a pass fail old:pass"}, report.Passed, nil},
		{"one that was not judged by the old is said", redefinedErr, []string{"s/a pass pass redefined"}, report.Failed,
			[]string{"error on_redefined: 1 redefined case was not judged by the old expectation: s/a"}},
		{"another question in place of one that was answered right is said", nil, []string{"s/a pass pass input old:pass", "s/b pass pass input old:pass"}, report.Passed,
			[]string{"warn on_redefined: 2 cases that passed before ask something else now: s/a, s/b"}},
		{"and may fail, as the case's removal may", redefinedErr, []string{"s/a pass pass input old:pass"}, report.Failed,
			[]string{"error on_redefined: 1 case that passed before asks something else now: s/a"}},
		{"another question in place of one that was answered wrong hides nothing", redefinedErr, []string{"s/a fail pass input old:pass"}, report.Passed, nil},
		{"a redefined case that fails on the base too is no regression", func(g *config.Gate) { g.OnRedefined = config.Off }, []string{"s/a fail fail old:fail"}, report.Passed, nil},
		{"a case that is held to nothing any more fails", nil, []string{"s/a pass pass old:pass unverified-head", "s/b fail pass old:pass unverified-head"}, report.Failed,
			[]string{"error on_expectation_removed: 2 cases lost the whole expectation, so that any answer passes: s/a, s/b"}},
		{"or warns, where the base says so, and hides nothing else", func(g *config.Gate) { g.OnExpectationRemoved, g.OnRedefined = config.Warn, config.Err },
			[]string{"s/a pass pass old:fail unverified-head"}, report.Failed,
			[]string{"error on_redefined: 1 redefined case would have failed by the old expectation: s/a", "warn on_expectation_removed: 1 case lost the whole expectation, so that any answer passes: s/a"}},
		{"one that was held to nothing before lost nothing", nil, []string{"s/a pass pass old:pass unverified"}, report.Passed, nil},
		{"nor did one whose expectation is as it was", nil, []string{"s/a pass pass unverified-head"}, report.Passed, nil},
		{"nor one that the base has no answer to", func(g *config.Gate) { g.MaxUnscored.Level = config.Off }, []string{"s/a timeout pass old:pass unverified-head"}, report.Passed, nil},
		{"many names are cut", nil, []string{"s/a pass -", "s/b pass -", "s/c pass -", "s/d pass -", "s/e pass -", "s/f pass -", "s/g pass -",
			"s/h pass -", "s/i pass -", "s/j pass -", "s/k pass -", "s/l pass -"}, report.Passed,
			[]string{"warn on_removed: 12 cases that passed before were removed: s/a, s/b, s/c, s/d, s/e, s/f, s/g, s/h, s/i, s/j and 2 more"}},
	})
}

func TestHowOftenTheModelWasAskedIsTrueOfEachCase(t *testing.T) {
	s := &scene{}
	s.read(t, "s/often pass pass recorded", "s/twice pass pass recorded") // of twice, three answers did not come
	for id, asked := range map[string]int{"often": 5, "twice": 2} {
		for i := range asked {
			r := result("s", id, 2+i, "fail")
			r.Look = report.LookVerify
			if err := s.head.Add(r, report.Ref{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	in := compare.Input{Head: s.head.Side(), Base: s.base.Side(), BaseState: report.BaseCompared}
	in.Comparison = compare.Sides(in.Base, in.Head)
	_, reasons := compare.Decide(auto(), in)
	if diff := cmp.Diff([]string{"warn verify: the model no longer says what is recorded, asked 2 to 5 times: s/often, s/twice"}, brief(reasons)); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
}

func TestWhatTheRunDidAboutRecordingsIsSaid(t *testing.T) {
	s := &scene{}
	s.read(t, "s/asked pass pass stale", "s/kept pass pass recorded stale", "s/gone pass pass recorded", "s/wavers pass pass recorded")
	for _, id := range []string{"gone", "wavers"} {
		for i := range 5 {
			r := result("s", id, 2+i, "fail")
			if id == "wavers" && i == 4 {
				r = result("s", id, 2+i, "pass")
			}
			r.Look = report.LookVerify
			if err := s.head.Add(r, report.Ref{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	policy := auto()
	in := compare.Input{Head: s.head.Side(), Base: s.base.Side(), BaseState: report.BaseCompared, Patched: 1,
		Verified: compare.Verified{Wanted: 3, Answered: 2, Why: "why"}}
	c, err := compare.Settle(policy, in, in.Base, compare.Asker{})
	if err != nil {
		t.Fatal(err)
	}
	in.Comparison = c
	verdict, reasons := compare.Decide(policy, in)
	want := []string{
		"warn stale_recording: 1 case was asked live, what is recorded being no answer to what is asked: s/asked; the new answers are in recordings.patch, to be committed",
		"warn stale_recording: 1 recording is stale, and counted as it is: s/kept",
		"warn verify: 2 of 3 recorded cases could be verified: why",
		"warn verify: the model no longer says what is recorded, asked 5 times: s/gone",
	}
	if diff := cmp.Diff(want, brief(reasons)); verdict != report.Passed || diff != "" {
		t.Errorf("verdict %s; reasons (-want +got):\n%s", verdict, diff)
	}
}
