package gate_test

import (
	"testing"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

// recordedRun returns the run of a scene whose flips were not rerun.
func recordedRun(t *testing.T, g config.Gate, lines ...string) gate.Run {
	t.Helper()
	base, head := comparetest.Sides(t, lines...)
	in := gate.Run{Head: head, Base: base, BaseState: report.BaseCompared}
	var err error
	if in.Comparison, err = settled(g, in, base, comparetest.Caller{}); err != nil {
		t.Fatal(err)
	}
	return in
}

func TestDrawsThatFlippedDecideNothing(t *testing.T) {
	const message = "error: 2 answers flipped; one answer each cannot tell chance from a change"
	lines := comparetest.CaseLines("x", "pass fail drawn", 2)
	for _, c := range []struct {
		rule    string
		gate    config.Gate
		verdict report.Verdict
		want    []string
	}{
		{"more than may regress", comparetest.GateWithoutReruns(), report.Undecided, []string{message}},
		{"as many as may regress", with(config.MaxRegressions, comparetest.ErrorAt(2)), report.Passed, nil},
		{"max_regressions warns", with(config.MaxRegressions, warn), report.Passed,
			[]string{"warn" + message[len("error"):]}},
		{"max_regressions is off", with(config.MaxRegressions, off), report.Passed, nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			in := recordedRun(t, c.gate, lines...)
			says(t, gate.UnsettledFlips, c.gate, in, c.want...)
			if verdict, _ := gate.Decide(c.gate, in); verdict != c.verdict {
				t.Errorf("verdict %s, want %s", verdict, c.verdict)
			}
		})
	}
}

func TestABarThatDrawsMiss(t *testing.T) {
	bar := config.Setting{Value: 0.8, Level: config.Err}
	alone := func(kind string) []string { return comparetest.CaseLines("x", kind, 10) }
	lines := append(comparetest.CaseLines("a", "pass pass drawn", 7), comparetest.CaseLines("x", "pass fail drawn", 3)...)
	named := bar
	named.Set = true
	for _, c := range []struct {
		rule    string
		bar     config.Setting
		mode    string
		lines   []string
		verdict report.Verdict
		level   string
	}{
		{"nobody named it", bar, config.ModeAuto, lines, report.Undecided, "warn"},
		{"the configuration names it", named, config.ModeAuto, lines, report.Failed, "error"},
		{"each draw counts as it is", bar, config.ModeStrict, lines, report.Failed, "error"},
		{"noise does not explain it", bar, config.ModeAuto, alone("pass fail drawn"), report.Failed, "error"},
		{"the answers were written by hand", bar, config.ModeAuto, alone("pass fail recorded"), report.Failed, "error"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			g := with(config.MinRunScore, c.bar)
			g.Mode = c.mode
			in := recordedRun(t, g, c.lines...)
			if level := levelOf(t, gate.RunScore, g, in); level != c.level {
				t.Errorf("level %q, want %q", level, c.level)
			}
			if verdict, reasons := gate.Decide(g, in); verdict != c.verdict {
				t.Errorf("verdict %s, want %s: %v", verdict, c.verdict, comparetest.ReasonLines(reasons))
			}
		})
	}
}
