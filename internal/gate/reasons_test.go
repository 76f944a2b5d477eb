package gate_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
)

// TestReasons judges runs of every kind by gates of every kind, and compares the verdicts and reasons with
// testdata/reasons.txt.
func TestReasons(t *testing.T) {
	many := append(comparetest.CaseLines("right", "pass pass", 60), comparetest.CaseLines("fell", "pass fail", 55)...)
	several := "s/%s pass,pass,pass %s"
	runs := []struct {
		name  string
		lines []string
		set   func(*gate.Run)
	}{
		{"nothing changed", []string{"s/a pass pass", "s/b fail fail"}, nil},
		{"flips", []string{"s/a pass fail", "s/b fail pass", "s/c pass refusal", "s/d pass wrong_format", "t/e pass pass"}, nil},
		{"more flips than a reason lists", many, nil},
		{"must pass", []string{"s/a pass fail must", "s/b fail fail must", "s/c - fail must", "s/d pass timeout must", "s/e pass - must", "s/f pass pass must-base", "s/g pass pass must-head", "s/h pass,pass,fail pass,fail,fail must"}, nil},
		{"must pass, once of two", []string{"s/a pass,pass pass,fail must", "s/b pass,pass fail,timeout must"}, nil},
		{"removed", []string{"s/a pass -", "s/b fail -", "s/c - pass", "u/d pass -"}, nil},
		{"redefined", []string{"s/a pass pass old:fail", "s/b pass pass redefined", "s/c pass pass input", "s/d fail fail input", "s/e pass fail old:fail", "s/f fail pass old:pass"}, nil},
		{"lost on the head", []string{"s/a pass timeout", "s/b pass pass", "s/c pass error"}, nil},
		{"lost on the base", []string{"s/a timeout pass", "s/b pass pass", "s/c error fail"}, nil},
		{"lost on both", []string{"s/a timeout timeout", "s/b pass pass"}, nil},
		{"rejected and crashed", []string{"s/a pass rejected", "s/b pass crash", "s/c pass tool", "s/d pass pass"}, nil},
		{"out of budget", []string{"s/a pass unasked-budget", "s/b pass pass", "s/c unasked-budget unasked-budget"}, nil},
		{"canceled", []string{"s/a pass unasked-cancelled", "s/b pass pass"}, nil},
		{"cut, repaired and stating", []string{"s/a pass pass cut-head forbids", "s/b pass pass cut-base", "s/c pass pass repaired-head", "s/d pass pass repaired-base", "s/e pass pass states-head", "s/f pass fail cut-head"}, nil},
		{"recordings", []string{"s/a pass pass unverified", "s/b pass pass stale", "s/c pass pass kept", "s/d pass fail recorded", "s/e pass pass recorded"}, nil},
		{"stale recordings, of which no answer came", []string{"s/a pass pass stale", "s/b pass pass stale"}, nil},
		{"stale recordings, of which one answer came", []string{"s/a pass pass stale", "s/b pass pass stale"}, func(r *gate.Run) { r.PatchedCases = 1 }},
		{"stale recordings, of which all came", []string{"s/a pass pass stale", "s/b pass pass stale"}, func(r *gate.Run) { r.PatchedCases = 2 }},
		{"one draw a side", []string{"s/a pass fail drawn", "s/b pass fail drawn", "s/c pass pass drawn"}, nil},
		{"several draws", []string{fmt.Sprintf(several, "a", "fail,fail,fail drawn"), fmt.Sprintf(several, "b", "pass,fail,pass drawn"), fmt.Sprintf(several, "c", "pass,pass,pass drawn")}, nil},
		{"few cases of many", []string{"s/a pass pass"}, func(r *gate.Run) { r.CaseCount = 40 }},
		{"what stands beside the answers", []string{"s/a pass pass"}, func(r *gate.Run) {
			r.PolicyChanges = []config.Change{{Key: "policies.p", Base: "a", Head: "b"}}
			r.BypassedPrompts, r.UntestedPrompts = []string{"prompts/old.md"}, []string{"prompts/new.md", "prompts/other.md"}
			r.Leaks = []gate.Leak{{Variable: "hint", Suite: "s", Cases: 3, Checked: 4}}
			r.BaseFaults = []gate.FaultyFile{{Path: "suites/a.yaml", Line: 3, Message: "it is no suite", FixedByHead: true}, {Path: "suites/b.yaml", Message: "it is no suite"},
				{Path: "suites/c.yaml", Message: "it is a link", Elsewhere: true}}
			r.Verified = gate.Verified{Wanted: 3, Why: "KEY is not set"}
			r.FailedControl = "a wrong answer was called right"
			r.PatchedCases = 2
			r.Drifted = []report.DriftedCase{{SuiteID: "s", CaseID: "a", RightBefore: 9, AskedBefore: 9, Right: 0, Asked: 8, Since: "2026-11-01T10:00:00Z", New: true}}
		}},
		{"no base", []string{"s/a - pass", "s/b - fail"}, func(r *gate.Run) {
			r.Base, r.BaseState, r.Comparison = nil, report.BaseMissing, comparetest.Compare(nil, r.Head)
		}},
		{"a first run", []string{"s/a - pass", "s/b - fail"}, func(r *gate.Run) {
			r.Base, r.BaseState, r.Comparison = nil, report.BaseFirst, comparetest.Compare(nil, r.Head)
		}},
	}
	all := func(level config.Level, set bool) config.Gate {
		g := comparetest.GateWithoutReruns()
		for _, k := range config.Keys() {
			g.Settings[k] = config.Setting{Value: config.Default().Gate.Setting(k).Value, Level: level, Set: set}
		}
		return g
	}
	tight := all(config.Err, true)
	for k, value := range map[config.Key]float64{config.MinRunScore: 1, config.MaxDrop: 0.01, config.MaxUnscored: 0, config.MinCases: 2, config.MaxUnverified: 0} {
		tight.Settings[k].Value = value
	}
	gates := []struct {
		name string
		gate config.Gate
	}{{"default", config.Default().Gate}, {"default for a fork", config.Default().Gate.ForHead(true)}, {"each flip counts", comparetest.GateWithoutReruns()}, {"all warn", all(config.Warn, true)}, {"all off", all(config.Off, true)}, {"tight", tight}}
	var out strings.Builder
	for _, r := range runs {
		for _, g := range gates {
			run := runOf(t, r.lines...)
			if r.set != nil {
				r.set(&run)
			}
			fmt.Fprintf(&out, "%s, %s: ", r.name, g.name)
			writeDecision(&out, g.gate, run)
		}
	}
	golden(t, "testdata/reasons.txt", out.String())
}

// writeDecision writes the verdict of a run, and each reason with its title and the names that it is about.
func writeDecision(out *strings.Builder, g config.Gate, run gate.Run) {
	verdict, reasons := gate.Decide(g, run)
	fmt.Fprintln(out, verdict)
	for _, reason := range reasons {
		rule, title := gate.RuleFor(reason.Code), ""
		if rule.Title != nil {
			title = rule.Title(gate.TitleInput{Count: 1, Report: &report.Report{Reasons: reasons}})
		}
		fmt.Fprintf(out, "  %s %s (%s): %s", reason.Level, reason.Code, title, reason.Message)
		for _, about := range []string{reason.SuiteID, reason.CaseID, reason.Path, strings.Join(reason.Cases, " ")} {
			if about != "" {
				fmt.Fprintf(out, " · %s", about)
			}
		}
		fmt.Fprintln(out)
	}
}

// golden compares a text with a file, or writes the file if the flag update is set.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("the reasons differ from %s (-want +got):\n%s\nif it is meant: go test ./internal/gate -run Reasons -update", path, diff)
	}
}

// TestReasonsOfReruns judges runs with reruns, and compares the verdicts and reasons with testdata/reruns.txt.
func TestReasonsOfReruns(t *testing.T) {
	beside := comparetest.CaseLines("b", "pass pass", 30)
	runs := []struct {
		name    string
		lines   []string
		answers []string
	}{
		{"a flip, confirmed", []string{"s/a pass fail"}, []string{"s/a pass/fail"}},
		{"a flip, cleared", []string{"s/a pass fail"}, []string{"s/a pass/pass"}},
		{"a flip that stays open", []string{"s/a pass fail"}, []string{"s/a pass/fail pass/pass fail/fail"}},
		{"a flip, and answers are lost", []string{"s/a pass fail"}, []string{"s/a pass/timeout"}},
		{"no answer, and none again", []string{"s/a pass timeout"}, []string{"s/a pass/timeout"}},
		{"no answer, and right ones again", []string{"s/a pass timeout"}, []string{"s/a pass/pass"}},
		{"no answer, and wrong ones again", []string{"s/a pass timeout"}, []string{"s/a pass/fail"}},
		{"must pass, confirmed", []string{"s/a pass fail must"}, []string{"s/a pass/fail"}},
		{"must pass, cleared", []string{"s/a pass fail must"}, []string{"s/a pass/pass"}},
		{"must pass, cleared once", []string{"s/a pass fail must"}, []string{"s/a pass/pass fail/fail"}},
		{"must pass, and answers are lost", []string{"s/a pass fail must"}, []string{"s/a pass/timeout"}},
		{"must pass, no answer and right ones again", []string{"s/a pass timeout must"}, []string{"s/a pass/pass"}},
		{"must pass, no answer and one right one again", []string{"s/a pass timeout must"}, []string{"s/a pass/pass pass/timeout"}},
		{"must pass, no answer and wrong ones again", []string{"s/a pass timeout must"}, []string{"s/a pass/fail"}},
		{"must pass, no answer and none again", []string{"s/a pass timeout must"}, []string{"s/a pass/timeout"}},
		{"must pass, wrong before", []string{"s/a fail fail must"}, []string{"s/a fail/fail"}},
		{"must pass, wrong half the time before", []string{"s/a pass,fail fail,fail must"}, []string{"s/a pass/fail"}},
		{"must pass, redefined", []string{"s/a pass fail must old:fail"}, []string{"s/a pass/fail"}},
		{"redefined", []string{"s/a pass fail old:fail", "s/b pass timeout redefined", "s/c timeout fail redefined", "s/d fail timeout redefined", "s/e fail,timeout fail redefined"},
			[]string{"s/a pass/fail", "s/b pass/pass", "s/c pass/fail", "s/d fail/fail", "s/e fail/fail"}},
		{"several flips", []string{"s/a pass fail", "s/c pass fail", "t/d pass refusal", "t/e fail pass"},
			[]string{"s/a pass/fail", "s/c pass/pass", "t/d pass/refusal", "t/e fail/pass"}},
		{"a recorded flip, and a confirmed one", []string{"s/a pass fail recorded", "s/c pass fail"}, []string{"s/c pass/fail"}},
		{"one suite fell, another rose", slices.Concat(comparetest.CaseLines("a", "pass fail", 12), []string{"s/z fail pass", "t/a fail pass", "t/b fail pass", "t/c pass pass"}), comparetest.RerunLines("a", "pass/pass", 12)},
		{"the suite of few cases fell", []string{"s/z fail pass", "t/a pass fail", "t/b pass fail", "t/c pass fail", "t/d pass fail", "t/e pass fail", "t/f pass fail", "t/g pass fail", "t/h pass fail"},
			[]string{"t/a pass/pass", "t/b pass/pass", "t/c pass/pass", "t/d pass/pass", "t/e pass/pass", "t/f pass/pass", "t/g pass/pass", "t/h pass/pass"}},
		{"a recorded case beside", []string{"s/a pass fail recorded", "s/c pass fail", "s/d pass timeout recorded"}, []string{"s/c pass/pass"}},
	}
	gates := []struct {
		name string
		gate config.Gate
	}{{"default", config.Default().Gate}, {"without a threshold", comparetest.GateWithReruns()}, {"noisy", comparetest.NoisyGate()}}
	var out strings.Builder
	for _, r := range runs {
		for _, g := range gates {
			p := comparetest.NewRerunner(t, slices.Concat(beside, r.lines), append(comparetest.RerunLines("b", "pass/pass", 30), r.answers...)...)
			in := gate.Run{Head: p.Head.Side(), Base: p.Base.Side(), BaseState: report.BaseCompared}
			var err error
			if in.Comparison, err = settled(g.gate, in, in.Base, comparetest.Caller{Rerun: p.Rerun}); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&out, "%s, %s, %d asked again: ", r.name, g.name, p.Reruns)
			writeDecision(&out, g.gate, in)
		}
	}
	golden(t, "testdata/reruns.txt", out.String())
}
