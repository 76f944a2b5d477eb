package gate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

// runsOf returns another runner's results: by id, the runs on each side, as "1" for passed, "0" for failed and "-" for
// no answer. "!" before an id means that the case must pass, and "~" that its expectation changed.
func runsOf(t *testing.T, cases map[string][2]string, order ...string) gate.Run {
	t.Helper()
	var sides [2]report.Builder
	for _, id := range order {
		for side, runs := range cases[id] {
			for i, r := range runs {
				one := comparetest.Result("s", id, i+1, map[rune]string{'1': "pass", '0': "fail", '-': "error"}[r])
				one.Runner, one.Replayed, one.MustPass = "jsonl", false, id[0] == '!'
				if id[0] == '~' && side == 1 {
					one.ExpectationKey = "another"
				}
				if err := sides[side].Add(one, report.Ref{}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	in := gate.Run{Base: sides[0].Side(), Head: sides[1].Side(), BaseState: report.BaseCompared}
	var err error
	if in.Comparison, err = compare.Begin(comparetest.NoisyGate(), compare.Sides{Base: in.Base, Head: in.Head}).Comparison(); err != nil {
		t.Fatal(err)
	}
	return in
}

func TestFlipsThatRunsDoNotProveAreNamed(t *testing.T) {
	one := runsOf(t, map[string][2]string{"a": {"1", "0"}, "b": {"1", "1"}, "c": {"0", "1"}}, "a", "b", "c")
	says(t, gate.UnprovenFlips, comparetest.GateWithoutReruns(), one,
		"warn: 1 of 3 cases flipped; one run a side cannot tell noise from a change, 6 runs would: s/a")
	says(t, gate.UnprovenFlips, with(config.OnInconclusive, off), one)
	says(t, gate.Regressions, comparetest.GateWithoutReruns(), one)
	says(t, gate.ConfirmIncomplete, comparetest.GateWithoutReruns(), one)
	many := runsOf(t, map[string][2]string{"a": {"11111111", "11000000"}, "b": {"1", "1"}}, "a", "b")
	says(t, gate.UnprovenFlips, comparetest.GateWithoutReruns(), many, "warn: 1 of 2 cases flipped; 8 runs a side cannot tell noise from a change, 10 runs would: s/a")
	two := runsOf(t, map[string][2]string{"a": {"11111111", "11000000"}, "b": {"11111111", "11110000"}}, "a", "b")
	says(t, gate.UnprovenFlips, comparetest.GateWithoutReruns(), two, "warn: 2 of 2 cases flipped; 8 runs a side cannot tell noise from a change, 16 runs would: s/a, s/b")
	little := runsOf(t, map[string][2]string{"a": {strings.Repeat("1", 51) + strings.Repeat("0", 50), strings.Repeat("1", 50) + strings.Repeat("0", 51)}}, "a")
	says(t, gate.UnprovenFlips, comparetest.GateWithoutReruns(), little, "warn: 1 of 1 case flipped; 101 runs a side cannot tell noise from a change, more than 1000 runs would: s/a")
	proven := runsOf(t, map[string][2]string{"a": {"11111111", "00000000"}, "b": {"11", "11"}}, "a", "b")
	says(t, gate.UnprovenFlips, comparetest.GateWithoutReruns(), proven)
	says(t, gate.Regressions, comparetest.GateWithoutReruns(), proven, "error: 1 regression confirmed by the runs of both sides, max_regressions is 0")
	apart := runsOf(t, map[string][2]string{"a": {"1111111111", "000000"}}, "a")
	says(t, gate.Regressions, comparetest.GateWithoutReruns(), apart, "error: 1 regression confirmed by the runs of both sides, max_regressions is 0")
}

func TestAFlipBesideAProvenDropIsNoWarning(t *testing.T) {
	one := runsOf(t, map[string][2]string{"a": {"111111", "000000"}, "b": {"111111", "111111"}, "c": {"111111", "111111"}, "d": {"111111", "111111"}, "e": {"111111", "111111"}}, "a", "b", "c", "d", "e")
	blocking, warning := config.Default().Gate.Settings[config.MaxDrop], config.Setting{Value: 0.02, Level: config.Warn}
	says(t, gate.Drop, with(config.MaxDrop, blocking), one, "error: score fell by 20.0 points, 1 case worse, none better: 1 in 924 if nothing changed")
	says(t, gate.UnprovenFlips, with(config.MaxDrop, blocking), one)
	says(t, gate.UnprovenFlips, with(config.MaxDrop, warning), one, "warn: 1 of 5 cases flipped; 6 runs a side cannot tell noise from a change, 7 runs would: s/a")
}

// TestFewerRunsThanTheBaseHasLeaveAFlipUndecided checks that a change cannot turn a proven regression into a warning by
// running cases less often.
func TestFewerRunsThanTheBaseHasLeaveAFlipUndecided(t *testing.T) {
	const flipped = "warn: 1 of 2 cases flipped; %s cannot tell noise from a change, 6 runs would: s/a"
	few := "error: too few runs are here of a case that flipped, and the base has enough to prove it: s/a"
	fewer := runsOf(t, map[string][2]string{"a": {"11111111", "0"}, "b": {"11111111", "1"}, "gone": {"11111111", ""}}, "a", "b", "gone")
	says(t, gate.UnprovenFlips, comparetest.GateWithoutReruns(), fewer, few, fmt.Sprintf(flipped, "8 runs before and one run now"))
	says(t, gate.UnprovenFlips, with(config.OnInconclusive, off), fewer)
	lost := runsOf(t, map[string][2]string{"a": {"11111111", "0-------"}, "b": {"11111111", "11111111"}}, "a", "b")
	says(t, gate.UnprovenFlips, comparetest.GateWithoutReruns(), lost, few, fmt.Sprintf(flipped, "8 runs before and one run now"))
	neither := runsOf(t, map[string][2]string{"a": {"111", "0"}, "b": {"111", "1"}}, "a", "b")
	says(t, gate.UnprovenFlips, comparetest.GateWithoutReruns(), neither, fmt.Sprintf(flipped, "3 runs before and one run now"))
}

// TestAnotherExpectationOfAnotherRunnerExcusesNoFailure checks that a failure counts although its assertion was edited.
func TestAnotherExpectationOfAnotherRunnerExcusesNoFailure(t *testing.T) {
	says(t, gate.Regressions, comparetest.GateWithoutReruns(), runsOf(t, map[string][2]string{"~a": {"11111111", "00000000"}, "b": {"11", "11"}}, "~a", "b"),
		"error: 1 regression confirmed by the runs of both sides, max_regressions is 0")
	once := runsOf(t, map[string][2]string{"~a": {"1", "0"}, "b": {"1", "1"}}, "~a", "b")
	says(t, gate.UnprovenFlips, comparetest.GateWithoutReruns(), once, "warn: 1 of 2 cases flipped; one run a side cannot tell noise from a change, 6 runs would: s/~a")
	says(t, gate.Redefined, comparetest.GateWithoutReruns(), once, "warn: 1 redefined case was not judged by the old expectation: s/~a")
	passes := runsOf(t, map[string][2]string{"~a": {"1", "1"}, "b": {"1", "1"}}, "~a", "b")
	says(t, gate.UnprovenFlips, comparetest.GateWithoutReruns(), passes)
	says(t, gate.Redefined, comparetest.GateWithoutReruns(), passes, "warn: 1 redefined case was not judged by the old expectation: s/~a")
	as := runsOf(t, map[string][2]string{"~a": {"00000000", "00000000"}, "b": {"1", "1"}}, "~a", "b")
	says(t, gate.Regressions, comparetest.GateWithoutReruns(), as)
}

func TestACaseWithSpacesIsNamedAsOne(t *testing.T) {
	says(t, gate.UnprovenFlips, comparetest.GateWithoutReruns(), runsOf(t, map[string][2]string{"a b": {"1", "0"}, "c` d": {"1", "0"}}, "a b", "c` d"),
		"warn: 2 of 2 cases flipped; one run a side cannot tell noise from a change, 6 runs would: `s/a b`, s/c` d")
}

func TestAMustPassCaseOfAnotherRunner(t *testing.T) {
	says(t, gate.MustPass, comparetest.GateWithoutReruns(), runsOf(t, map[string][2]string{"!a": {"111", "000"}}, "!a"),
		"error: must-pass case s/!a failed: fail, which too few runs prove; 5 runs a side can")
	says(t, gate.MustPass, comparetest.GateWithoutReruns(), runsOf(t, map[string][2]string{"!a": {"111", "110"}}, "!a"),
		"warn: must-pass case s/!a failed in 1 of 3 runs, and passed in the others")
	says(t, gate.MustPass, comparetest.GateWithoutReruns(), runsOf(t, map[string][2]string{"!a": {"000", "000"}}, "!a"),
		"error: must-pass case s/!a failed: fail, as before")
	says(t, gate.MustPass, comparetest.GateWithoutReruns(), runsOf(t, map[string][2]string{"!a": {"11111111", "00000000"}}, "!a"),
		"error: must-pass case s/!a failed: fail in 8 of 8 runs (0 of 8 before)")
}

func TestARunWithoutAnAnswerIsNoRun(t *testing.T) {
	one := runsOf(t, map[string][2]string{"a": {"111", "1--"}, "b": {"1", "1"}}, "a", "b")
	says(t, gate.ConfirmIncomplete, comparetest.GateWithoutReruns(), one)
	says(t, gate.UnprovenFlips, comparetest.GateWithoutReruns(), one)
	none := runsOf(t, map[string][2]string{"a": {"111", "---"}, "b": {"1", "1"}}, "a", "b")
	says(t, gate.ConfirmIncomplete, comparetest.GateWithoutReruns(), none, "error: 1 case has no answer now and had some before: no run of the head brought one")
	says(t, gate.UnprovenFlips, comparetest.GateWithoutReruns(), none)
	both := runsOf(t, map[string][2]string{"a": {"---", "---"}, "b": {"1", "1"}}, "a", "b")
	says(t, gate.ConfirmIncomplete, comparetest.GateWithoutReruns(), both)
}

func TestTheTitleCountsTheFlips(t *testing.T) {
	for want, s := range map[string]*report.Statistics{
		"0 of 0 cases flipped, which is not proven": nil,
		"1 of 1 case flipped, which is not proven":  {Noise: &report.Noise{Repeats: &report.RepeatsTest{Flipped: 1, Compared: 1}}},
		"2 of 3 cases flipped, which is not proven": {Noise: &report.Noise{Repeats: &report.RepeatsTest{Flipped: 2, Compared: 3}}},
	} {
		if got := gate.UnprovenFlips.Title(gate.TitleInput{Report: &report.Report{Statistics: s}}); got != want {
			t.Errorf("title %q, want %q", got, want)
		}
	}
	noRuns := &report.Report{Statistics: &report.Statistics{Noise: &report.Noise{}}}
	if got := gate.UnprovenFlips.Title(gate.TitleInput{Report: noRuns}); got != "0 of 0 cases flipped, which is not proven" {
		t.Errorf("title %q without runs", got)
	}
}

func TestTheTitleSaysHowFarTheScoreFell(t *testing.T) {
	fell, rose := -0.7, 0.1
	drop := func(suiteID string) []report.Reason {
		return []report.Reason{{Code: gate.PossibleDrop.Code, SuiteID: suiteID}}
	}
	for _, c := range []struct {
		report report.Report
		want   string
	}{
		{report.Report{Delta: &fell, Reasons: drop("")}, "the score fell by 70.0 points, perhaps by chance"},
		{report.Report{Delta: &fell, Reasons: drop("s")}, "a drop is suspected, not proven"},
		{report.Report{Delta: &rose, Reasons: drop("")}, "a drop is suspected, not proven"},
		{report.Report{Reasons: drop("")}, "a drop is suspected, not proven"},
	} {
		if got := gate.PossibleDrop.Title(gate.TitleInput{Report: &c.report}); got != c.want {
			t.Errorf("title %q, want %q", got, c.want)
		}
	}
}
