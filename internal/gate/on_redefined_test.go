package gate_test

import (
	"fmt"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

func TestARedefinedCaseThatMeetsNeitherExpectationIsARegression(t *testing.T) {
	regression := []string{"error max_regressions: 1 regression, max_regressions is 0"}
	check(t, []gateCase{
		{"it fails, and enters no delta", func(g *config.Gate) { g.Settings[config.MaxDrop] = comparetest.ErrorAt(0) }, []string{"s/a pass fail old:fail"}, report.Failed, regression},
		{"another failure is none either", nil, []string{"s/a pass refusal old:wrong_format"}, report.Failed, regression},
		{"one that failed on the base has not regressed, and hides nothing", nil, []string{"s/a fail fail old:fail"}, report.Passed, nil},
		{"nor does one that nobody held to the old expectation", nil, []string{"s/a fail fail redefined"}, report.Passed, nil},
		{"one that passes a new expectation does", nil, []string{"s/a fail pass old:fail"}, report.Passed,
			[]string{"warn on_redefined: 1 redefined case would have failed by the old expectation: s/a"}},
		{"where that blocks, a worse answer unblocks nothing", func(g *config.Gate) { g.Settings[config.OnRedefined].Level = config.Err }, []string{"s/a fail fail old:fail"}, report.Failed,
			[]string{"error on_redefined: 1 redefined case would have failed by the old expectation: s/a"}},
		{"one without an answer has not", func(g *config.Gate) { g.Settings[config.MaxUnscored].Level = config.Off }, []string{"s/a pass timeout redefined"}, report.Passed, nil},
		{"the majority of its answers counts", nil, []string{"s/a pass,pass,pass fail,fail,pass old:fail"}, report.Failed, regression},
		{"a minority does not", nil, []string{"s/a pass,pass,pass fail,pass,pass old:fail"}, report.Passed,
			[]string{"warn on_redefined: 1 redefined case would have failed by the old expectation: s/a"}},
	})
}

func TestARegressionThatFailsNothingStaysRedefined(t *testing.T) {
	redefinedErr := func(regressions config.Setting) func(*config.Gate) {
		return func(g *config.Gate) {
			g.Settings[config.OnRedefined].Level, g.Settings[config.MaxRegressions] = config.Err, regressions
		}
	}
	off := config.Setting{Level: config.Off}
	hidden := "error on_redefined: 1 redefined case would have failed by the old expectation: s/a"
	check(t, []gateCase{
		{"where regressions are not limited", redefinedErr(off), []string{"s/a pass fail old:fail"}, report.Failed, []string{hidden}},
		{"where as many are allowed", redefinedErr(comparetest.ErrorAt(1)), []string{"s/a pass fail old:fail"}, report.Failed, []string{hidden}},
		{"where they only warn", redefinedErr(comparetest.WarnAt(0)), []string{"s/a pass fail old:fail"}, report.Failed,
			[]string{hidden, "warn max_regressions: 1 regression, max_regressions is 0"}},
		{"as it was with the better answer", redefinedErr(off), []string{"s/a pass pass old:fail"}, report.Failed, []string{hidden}},
		{"every case of them", redefinedErr(comparetest.ErrorAt(2)), []string{"s/a pass fail old:fail", "s/b pass refusal old:fail"}, report.Failed,
			[]string{"error on_redefined: 2 redefined cases would have failed by the old expectation: s/a, s/b"}},
		{"and where they fail the gate it is said once", redefinedErr(comparetest.ErrorAt(0)), []string{"s/a pass fail old:fail", "s/b pass pass old:fail"}, report.Failed,
			[]string{"error max_regressions: 1 regression, max_regressions is 0",
				"error on_redefined: 1 redefined case would have failed by the old expectation: s/b"}},
	})
}

func TestDecideHiddenRegressions(t *testing.T) {
	removedErr := func(g *config.Gate) { g.Settings[config.OnRemoved].Level = config.Err }
	redefinedErr := func(g *config.Gate) { g.Settings[config.OnRedefined].Level = config.Err }
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
		{"a redefined case that fails on the base too is no regression", func(g *config.Gate) { g.Settings[config.OnRedefined].Level = config.Off }, []string{"s/a fail fail old:fail"}, report.Passed, nil},
		{"a case that is held to nothing any more fails", nil, []string{"s/a pass pass old:pass unverified-head", "s/b fail pass old:pass unverified-head"}, report.Failed,
			[]string{"error on_expectation_removed: 2 cases accept unrelated answers, by a changed expectation: s/a, s/b"}},
		{"or warns, where the base says so, and hides nothing else", func(g *config.Gate) {
			g.Settings[config.OnExpectationRemoved].Level, g.Settings[config.OnRedefined].Level = config.Warn, config.Err
		},
			[]string{"s/a pass pass old:fail unverified-head"}, report.Failed,
			[]string{"error on_redefined: 1 redefined case would have failed by the old expectation: s/a", "warn on_expectation_removed: 1 case accepts unrelated answers, by a changed expectation: s/a"}},
		{"one that was held to nothing before lost nothing", nil, []string{"s/a pass pass old:pass unverified"}, report.Passed, nil},
		{"nor did one whose expectation is as it was", nil, []string{"s/a pass pass unverified-head"}, report.Passed, nil},
		{"nor one that the base has no answer to", func(g *config.Gate) { g.Settings[config.MaxUnscored].Level = config.Off }, []string{"s/a timeout pass old:pass unverified-head"}, report.Passed, nil},
		{"one name more than are listed is named too", nil, []string{"s/a pass -", "s/b pass -", "s/c pass -", "s/d pass -", "s/e pass -", "s/f pass -", "s/g pass -",
			"s/h pass -", "s/i pass -", "s/j pass -", "s/k pass -"}, report.Passed,
			[]string{"warn on_removed: 11 cases that passed before were removed: s/a, s/b, s/c, s/d, s/e, s/f, s/g, s/h, s/i, s/j, s/k"}},
		{"many names are cut", nil, []string{"s/a pass -", "s/b pass -", "s/c pass -", "s/d pass -", "s/e pass -", "s/f pass -", "s/g pass -",
			"s/h pass -", "s/i pass -", "s/j pass -", "s/k pass -", "s/l pass -"}, report.Passed,
			[]string{"warn on_removed: 12 cases that passed before were removed: s/a, s/b, s/c, s/d, s/e, s/f, s/g, s/h, s/i, s/j and 2 more"}},
	})
}

func TestTheTitleOfRedefinedCasesSaysWhatTheOldExpectationFails(t *testing.T) {
	failed, passed := classify.Fail, classify.Pass
	for _, c := range []struct {
		kind   report.Kind
		change report.Status
		under  *classify.Category
		want   string
	}{
		{report.KindMayHide, report.Redefined, &failed, "redefined cases fail the old expectation"},
		{report.KindMayHide, report.Redefined, &passed, "passing cases redefined"},
		{report.KindMayHide, report.Redefined, nil, "passing cases redefined"},
		{report.KindMayHide, report.Removed, &failed, "passing cases redefined"},
		{report.KindRedefined, report.Redefined, &failed, "passing cases redefined"},
	} {
		head := &report.Outcome{UnderBase: c.under}
		rep := &report.Report{Changes: []report.Change{{Kind: c.kind, Change: c.change, Head: head}}}
		if got := gate.Redefined.Title(gate.TitleInput{Report: rep}); got != c.want {
			t.Errorf("%s, %s: title %q, want %q", c.kind, c.change, got, c.want)
		}
	}
}

func TestAReasonNamesItsCasesIfTheyAreNotTooMany(t *testing.T) {
	for n, want := range map[int]int{2: 2, 50: 50, 51: 0} {
		var lines []string
		for i := range n {
			lines = append(lines, fmt.Sprintf("s/c%d pass -", i))
		}
		_, reasons := gate.Decide(comparetest.GateWithoutReruns(), runOf(t, lines...))
		if len(reasons) != 1 || len(reasons[0].Cases) != want {
			t.Errorf("%d removed cases: %d reasons that name %v, want %d names", n, len(reasons), reasons, want)
		}
	}
}
