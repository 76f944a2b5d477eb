package gate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

func TestDecideUndecided(t *testing.T) {
	bar := func(v float64) func(*config.Gate) {
		return func(g *config.Gate) { g.Settings[config.MinRunScore] = comparetest.ErrorAt(v) }
	}
	check(t, []gateCase{
		{"one missing answer is not a pass", nil, []string{"s/a pass pass", "s/b pass timeout"}, report.Undecided,
			[]string{"error max_unscored: 1 of 2 trials without a score: share 0.500 is above max_unscored 0.000"}},
		{"a share within the limit passes", func(g *config.Gate) { g.Settings[config.MaxUnscored] = comparetest.ErrorAt(0.5) }, []string{"s/a pass pass", "s/b pass error"}, report.Passed, nil},
		{"a limit that only warns passes", func(g *config.Gate) { g.Settings[config.MaxUnscored] = comparetest.WarnAt(0) }, []string{"s/a pass pass", "s/b pass error"}, report.Passed,
			[]string{"warn max_unscored: 1 of 2 trials without a score: share 0.500 is above max_unscored 0.000"}},
		{"a bar missed only for want of answers is undecided", func(g *config.Gate) {
			g.Settings[config.MinRunScore], g.Settings[config.MaxUnscored] = comparetest.ErrorAt(0.9), comparetest.ErrorAt(0.5)
		},
			[]string{"s/a pass pass", "s/b pass timeout"}, report.Undecided,
			[]string{"error min_run_score: with missing answers as wrong, run score 0.500 is below min_run_score 0.900; over the scored answers it is 1.000"}},
		{"a bar missed by the answers that came is failed", func(g *config.Gate) {
			g.Settings[config.MinRunScore], g.Settings[config.MaxUnscored] = comparetest.ErrorAt(0.9), comparetest.ErrorAt(0.5)
		},
			[]string{"s/a fail fail", "s/b pass timeout"}, report.Failed,
			[]string{"error min_run_score: run score 0.000 is below min_run_score 0.900"}},
		{"missed by both but with too many missing it is undecided", bar(0.9), []string{"s/a fail fail", "s/b pass timeout"}, report.Undecided,
			[]string{"error min_run_score: with missing answers as wrong, run score 0.000 is below min_run_score 0.900; too few answers have a score to say",
				"error max_unscored: 1 of 2 trials without a score: share 0.500 is above max_unscored 0.000"}},
		{"without any answer nothing is failed", func(g *config.Gate) {
			g.Settings[config.MinRunScore], g.Settings[config.MaxUnscored].Level = comparetest.ErrorAt(0.9), config.Off
		},
			[]string{"s/a pass timeout"}, report.Undecided,
			[]string{"error min_run_score: with missing answers as wrong, run score 0.000 is below min_run_score 0.900; no answer has a score"}},
		{"a base without answers is said, and decides nothing", nil, []string{"s/a timeout pass", "s/b pass pass"}, report.Passed,
			[]string{"warn max_unscored: 1 case is not compared: too few answers came before"}},
		{"a run of another runner that is wrong, and has none before to compare with, is undecided", nil, []string{"s/a pass pass repeated", "s/b timeout fail repeated"}, report.Undecided,
			[]string{"error max_unscored: 1 of 2 cases have no score on one side: share 0.500 is above max_unscored 0.000",
				"warn max_unscored: 1 case is not compared: too few answers came before"}},
		{"a must-pass case without an answer is undecided", func(g *config.Gate) { g.Settings[config.MaxUnscored].Level = config.Off }, []string{"s/a pass crash must"}, report.Undecided,
			[]string{"error must_pass: must-pass case s/a has no score: crash"}},
		{"a must-pass case that fails is failed beside an outage", nil, []string{"s/a pass,pass fail,timeout must", "s/b pass,pass timeout,timeout"}, report.Failed,
			[]string{"error must_pass: must-pass case s/a failed: fail",
				"error max_regressions: 1 regression, max_regressions is 0",
				"error max_unscored: 3 of 4 trials without a score: share 0.750 is above max_unscored 0.000"}},
		{"a removed case that mostly passed hides as much as one that always did", func(g *config.Gate) { g.Settings[config.OnRemoved].Level = config.Err },
			[]string{"s/a pass pass", "s/b pass,pass,fail -", "s/c pass,fail -"}, report.Failed,
			[]string{"error on_removed: 2 cases were removed, 1 of them passed before: s/b"}},
		{"a broken rule that no answer can mend is failed beside an outage", func(g *config.Gate) { g.Settings[config.OnRemoved].Level = config.Err },
			[]string{"s/a pass timeout", "s/b pass -"}, report.Failed,
			[]string{"error on_removed: 1 case that passed before was removed: s/b",
				"error max_unscored: 1 of 1 trial without a score: share 1.000 is above max_unscored 0.000"}},
	})
}

func TestAnswersThatAreMissingAreCountedByWhatNoiseTheyHave(t *testing.T) {
	g := comparetest.NoisyGate()
	g.Mode = config.ModeAuto
	g.Settings[config.MaxUnscored] = comparetest.ErrorAt(0.5)
	lines := []string{"s/a pass timeout", "s/b pass pass", "s/c pass timeout recorded", "s/d pass timeout recorded", "s/e pass pass recorded"}
	_, reasons := settle(t, g, lines, "s/a pass/pass", "s/b pass/pass")
	want := []string{"error max_unscored: 2 of 3 strict trials without a score: share 0.667 is above max_unscored 0.500"}
	if !cmp.Equal(reasons, want) {
		t.Errorf("reasons %q, want %q", reasons, want)
	}
}

func TestOnlyTheCasesThatAreJudgedSayWhichAnswersAreMissing(t *testing.T) {
	g := comparetest.NoisyGate()
	g.Mode, g.Quarantine = config.ModeAuto, []config.Quarantine{{ID: "s/q"}}
	live := []string{"s/a pass timeout", "s/b pass pass"}
	again := []string{"s/a pass/pass", "s/b pass/pass"}
	const missing = "1 of 2 trials without a score: share 0.500 is above max_unscored 0.050"
	for _, c := range []struct {
		rule string
		more []string
		want []string
	}{
		{"cases of a live model alone", nil, []string{"error: " + missing}},
		{"beside a removed case", []string{"s/gone pass - recorded"}, []string{"error: " + missing}},
		{"beside a recorded case in quarantine", []string{"s/q pass timeout recorded"}, []string{"error: " + missing}},
		{"new cases lift nothing", comparetest.CaseLines("n", "- pass", 38),
			[]string{"error: 1 of 2 cases have no score on one side: share 0.500 is above max_unscored 0.050",
				"error: 1 of 2 trials over the base's 2 cases without a score: share 0.500 is above max_unscored 0.050"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			says(t, gate.Unscored, g, settledRun(t, g, append(c.more, live...), again...), c.want...)
		})
	}
	g.Settings[config.MaxUnscored] = comparetest.WarnAt(0.05)
	says(t, gate.Unscored, g, settledRun(t, g, live, again...), "warn: "+missing)
}
