package compare_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

func TestNoiseIsAPropertyOfACase(t *testing.T) {
	for _, c := range []struct {
		rule, mode, line string
		noisy            bool
	}{
		{"a recorded case is strict", config.ModeAuto, "s/x pass pass recorded", false},
		{"one recorded several times too", config.ModeAuto, "s/x pass,pass pass,pass drawn", false},
		{"a live one is noisy", config.ModeAuto, "s/x pass pass", true},
		{"one that is live on the head alone too", config.ModeAuto, "s/x pass pass recorded-base", true},
		{"and on the base alone", config.ModeAuto, "s/x pass pass recorded-head", true},
		{"a gate without a mode is auto", "", "s/x pass pass", true},
		{"the gate may call live ones strict", config.ModeStrict, "s/x pass pass", false},
		{"and several recorded answers noisy", config.ModeNoisy, "s/x pass,pass pass,pass recorded", true},
		{"but not a single one: there is nothing to tell its noise by", config.ModeNoisy, "s/x pass pass recorded", false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			g := comparetest.GateWithReruns()
			g.Mode = c.mode
			got, _, _, _ := settle(t, g, []string{c.line, "t/beside pass pass recorded"})
			if got.Changes[0].Noisy != c.noisy {
				t.Errorf("noisy %v, want %v", got.Changes[0].Noisy, c.noisy)
			}
			if got.Changes[1].Noisy {
				t.Error("the recorded case beside it is noisy")
			}
		})
	}
}

func TestStrictStatuses(t *testing.T) {
	for _, c := range []struct {
		trials string
		want   report.Status
	}{
		{"pass,pass,pass fail,fail,pass", report.Regressed},
		{"pass,pass,fail pass,fail,fail", report.Regressed},
		{"pass,pass,pass,pass pass,pass,fail,fail", report.Regressed}, // a tie is no majority
		{"pass,pass,pass pass,pass,fail", report.StillPassing},
		{"pass,fail,fail fail,fail,fail", report.StillFailing},
		{"fail,fail,pass pass,pass,fail", report.Fixed},
		{"pass,pass,pass timeout,timeout,pass", report.Errored},
	} {
		for _, mark := range []string{"recorded", "drawn"} {
			t.Run("the majority decides, and nothing is flaky: "+c.trials+" "+mark, func(t *testing.T) {
				got, _, _, _ := settle(t, comparetest.GateWithReruns(), []string{"s/x " + c.trials + " " + mark})
				if s := got.Changes[0].Change; s != c.want {
					t.Errorf("status %s, want %s", s, c.want)
				}
			})
		}
	}
}

func TestDecideMixed(t *testing.T) {
	named := func(v float64) func(*config.Gate) {
		return func(g *config.Gate) { g.Settings[config.MaxDrop] = comparetest.ErrorAt(v) }
	}
	noRegressions := func(g *config.Gate) { g.Settings[config.MaxRegressions].Level = config.Off }
	live := func(more ...string) []string { return append(comparetest.CaseLines("a", "pass pass", 9), more...) }
	for _, c := range []struct {
		rule    string
		gate    func(*config.Gate)
		scene   []string
		answers []string
		verdict report.Verdict
		reasons []string
	}{
		{"a recorded flip beside a live suite fails, and nobody is asked", nil, live("t/x pass fail recorded"), nil, report.Failed,
			[]string{"error max_regressions: 1 regression, max_regressions is 0"}},
		{"it stays failed where a live flip cannot be settled", nil, live("t/x pass fail recorded", "s/y pass fail"), []string{"s/y timeout/fail"}, report.Failed,
			[]string{"error max_regressions: 1 regression, max_regressions is 0",
				"error confirm_incomplete: 1 case flipped and could not be rerun often enough to confirm or clear the regression"}},
		{"the words tell what fresh runs confirmed", nil, live("t/x pass fail recorded", "s/y pass fail"), []string{"s/y pass/fail"}, report.Failed,
			[]string{"error max_regressions: 2 regressions, 1 of them confirmed by fresh runs, max_regressions is 0"}},
		{"recorded flips are in no test of the live ones", noRegressions, append(comparetest.CaseLines("a", "pass pass", 5), comparetest.WithMark(comparetest.CaseLines("b", "pass fail", 8), "recorded")...), nil,
			report.Passed, nil},
		{"a must-pass case that is recorded fails at once", nil, live("t/x pass fail recorded must"), nil, report.Failed,
			[]string{"error must_pass: must-pass case t/x failed: fail", "error max_regressions: 1 regression, max_regressions is 0"}},
		{"a recorded answer that is missing is one too many", nil, live("t/x pass pass recorded", "t/y pass error recorded"), nil, report.Undecided,
			[]string{"error max_unscored: 1 of 2 strict trials without a score: share 0.500 is above max_unscored 0.000"}},
		{"a live one in twenty is not", nil, append(comparetest.CaseLines("a", "pass pass", 19), "s/x pass timeout", "t/y pass pass recorded"), []string{"s/x pass/pass"}, report.Passed, nil},
		{"two are", nil, append(comparetest.CaseLines("a", "pass pass", 18), "s/x pass timeout", "s/z pass timeout", "t/y pass pass recorded"), []string{"s/x pass/pass", "s/z pass/pass"}, report.Undecided,
			[]string{"error max_unscored: 2 of 20 noisy trials without a score: share 0.100 is above max_unscored 0.050"}},
		{"a share that is named holds for both", func(g *config.Gate) { g.Settings[config.MaxUnscored] = comparetest.ErrorAt(0.5) }, live("t/x pass pass recorded", "t/y pass error recorded"), nil,
			report.Passed, nil},

		{"single recorded answers are judged flip by flip alone", noRegressions, []string{"s/x pass fail recorded", "s/y pass pass recorded"}, nil, report.Passed, nil},
		{"unless a drop is named", func(g *config.Gate) { noRegressions(g); named(0.1)(g) }, []string{"s/x pass fail recorded", "s/y pass pass recorded"}, nil, report.Failed,
			[]string{"error max_drop: run score fell by 0.500 over 2 common cases, max_drop is 0.100",
				"error max_drop: suite s: score fell by 0.500, max_drop is 0.100"}},
		{"answers written by hand fall as far as they fall", nil, []string{"s/x pass,pass,pass pass,pass,fail recorded"}, nil, report.Failed,
			[]string{"error max_drop: run score fell by 0.333 over 1 common case, max_drop is 0.020",
				"error max_drop: suite s: score fell by 0.333, max_drop is 0.020"}},
		{"draws of a model fall by chance", nil, append(comparetest.WithMark(comparetest.CaseLines("a", "pass,pass,pass pass,pass,pass", 20), "drawn"), "s/x pass,pass,pass pass,pass,fail drawn"), nil,
			report.Passed, nil},
		{"not so often", nil, append(comparetest.WithMark(comparetest.CaseLines("a", "pass,pass,pass pass,pass,fail", 10), "drawn"), comparetest.WithMark(comparetest.CaseLines("b", "pass,pass,pass pass,pass,pass", 10), "drawn")...), nil,
			report.Failed, []string{"error max_drop: recorded answers: score fell by 16.7 points, 10 cases worse, none better: 1 in 1,024 if nothing changed"}},
		{"in between it is suspicious", nil, append(comparetest.WithMark(comparetest.CaseLines("a", "pass,pass,pass pass,pass,fail", 5), "drawn"), comparetest.WithMark(comparetest.CaseLines("b", "pass,pass,pass pass,pass,pass", 10), "drawn")...), nil,
			report.Passed, []string{"warn on_inconclusive: recorded answers: score fell by 11.1 points, 5 cases worse, none better: 1 in 32 if nothing changed: a possible drop, not confirmed (a drop blocks the merge from 1 in 100 on)"}},
		{"a fall of single draws is suspected, too", nil, append(comparetest.WithMark(comparetest.CaseLines("a", "pass fail", 5), "drawn"), comparetest.WithMark(comparetest.CaseLines("b", "pass pass", 10), "drawn")...), nil,
			report.Undecided, []string{"error unsettled_flips: 5 answers flipped; one answer each cannot tell chance from a change",
				"warn on_inconclusive: recorded answers: score fell by 33.3 points, 5 cases worse, none better: 1 in 32 if nothing changed: a possible drop, not confirmed (a drop blocks the merge from 1 in 100 on)"}},
		{"a majority that fell needs no test", nil, append(comparetest.WithMark(comparetest.CaseLines("a", "pass,pass,pass pass,pass,pass", 20), "drawn"), "s/x pass,pass,pass pass,fail,fail drawn"), nil, report.Failed,
			[]string{"error max_regressions: 1 regression, max_regressions is 0"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			g := comparetest.GateWithReruns()
			if c.gate != nil {
				c.gate(&g)
			}
			_, verdict, reasons, p := settle(t, g, c.scene, c.answers...)
			if verdict != c.verdict {
				t.Errorf("verdict %s, want %s", verdict, c.verdict)
			}
			if diff := cmp.Diff(c.reasons, reasons); diff != "" {
				t.Errorf("reasons (-want +got):\n%s", diff)
			}
			if len(c.answers) == 0 && p.Reruns > 0 {
				t.Errorf("%d rounds were asked", p.Reruns)
			}
		})
	}
}

// What is noisy is the same whatever stands beside it.
func TestRecordedCasesBesideLiveOnesChangeNoFigureOfTheirs(t *testing.T) {
	lines := append(comparetest.CaseLines("a", "pass fail", 3), comparetest.CaseLines("b", "pass pass", 20)...)
	answers := comparetest.RerunLines("a", "pass/pass", 3)
	alone, _, _, _ := settle(t, comparetest.GateWithReruns(), lines, answers...)
	for n := range 12 {
		lines = append(lines, fmt.Sprintf("s/r%02d pass fail recorded", n), fmt.Sprintf("t/r%02d fail pass recorded", n))
	}
	beside, verdict, _, _ := settle(t, comparetest.GateWithReruns(), lines, answers...)
	if diff := cmp.Diff(alone.NoiseTest, beside.NoiseTest); diff != "" {
		t.Errorf("the looks at the live cases (-alone +beside recorded ones):\n%s", diff)
	}
	if verdict != report.Failed || beside.Counts[report.Regressed] != 12 {
		t.Errorf("verdict %s with %d regressed; want the 12 recorded ones", verdict, beside.Counts[report.Regressed])
	}
}
