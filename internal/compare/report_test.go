package compare_test

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

var update = flag.Bool("update", false, "write testdata/reports.json")

// TestReports fills a report from each scene and compares it, field by field, with testdata/reports.json. What changes
// there is what readers of report.json see.
func TestReports(t *testing.T) {
	everything := []string{
		"s/fell pass fail", "s/fixed fail pass", "s/right pass pass", "s/words pass pass other", "s/wrong fail fail", "s/new - pass",
		"s/new-wrong - wrong_format", "s/gone pass -", "s/gone-wrong fail -", "s/lost pass timeout", "s/lost-before timeout pass", "s/rejected pass rejected",
		"s/edited pass pass old:fail", "s/edited-fairly pass pass redefined", "s/worse pass fail old:fail", "s/asks-else pass pass input", "s/asks-else-wrong fail fail input",
		"s/must pass fail must", "s/must-once pass pass must-base", "s/cut pass pass cut-head forbids", "s/cut-before pass pass cut-base",
		"s/repaired pass pass repaired-head", "s/states pass pass states-head", "s/unverified pass pass unverified", "s/stale pass pass stale",
		"s/kept pass pass kept", "s/by-hand pass fail recorded", "s/drawn pass fail drawn", "s/flaky pass fail", "s/flaky-gone pass -",
		"t/fell pass refusal", "t/right pass pass", "u/gone pass -",
	}
	several := []string{
		"s/fell pass,pass,pass fail,fail,fail drawn", "s/mixed pass,fail,pass fail,pass,fail drawn", "s/lost pass,timeout,pass pass,pass,pass drawn",
		"s/broken pass,pass,pass fail,fail,fail", "s/right pass,pass,pass pass,pass,pass drawn", "s/one pass fail drawn",
	}
	type written struct {
		Scene    string
		Found    map[string]any
		Drops    []compare.Delta
		AtBase   []compare.Delta
		Measured *report.MeasuredNoise
	}
	var all []written
	for _, c := range []struct {
		scene   string
		lines   []string
		measure bool
		set     func(*config.Gate)
	}{
		{"one of everything, each flip counts", everything, false, func(g *config.Gate) { g.Mode = config.ModeStrict }},
		{"one of everything", everything, false, func(*config.Gate) {}},
		{"several draws", several, true, func(*config.Gate) {}},
		{"runs of another runner, of which most are missing", []string{"s/run pass,timeout,timeout pass,fail,timeout repeated"}, false, func(g *config.Gate) { g.Mode = config.ModeAuto }},
		{"several draws of a noisy model", several, true, func(g *config.Gate) { g.Mode, g.Confirm, g.Alpha = config.ModeNoisy, 8, 0.01 }},
	} {
		gate := comparetest.GateWithoutReruns()
		gate.Quarantine = []config.Quarantine{{ID: "s/flaky", Reason: "flaky", Expires: "2026-12-31"}, {ID: "s/flaky-gone", Reason: "flaky", Expires: "2026-12-31"}, {ID: "s/broken", Reason: "flaky", Expires: "2026-12-31"}}
		c.set(&gate)
		base, head := comparetest.Sides(t, c.lines...)
		for i, side := range []*report.Side{base, head} {
			bar := 0.5
			side.Suites[0].Weight, side.Suites[0].MinScore, side.Suites[0].Target = 2+float64(i), &bar, "fast"
		}
		found, err := compare.Begin(gate, compare.Sides{Head: head, Base: base}).Comparison()
		if err != nil {
			t.Fatalf("%s: %v", c.scene, err)
		}
		rep := &report.Report{Run: report.Run{BaseState: report.BaseCompared}}
		found.Fill(rep, base, head)
		w := written{Scene: c.scene, Found: fields(t, rep), Drops: found.LiteralDeltas(gate), AtBase: found.LiteralDeltasAtBase(gate)}
		if c.measure {
			w.Measured = compare.MeasureNoise(base, head, 0)
		}
		all = append(all, w)
	}
	text, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("testdata/reports.json", append(text, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/reports.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(text)+"\n"); diff != "" {
		t.Errorf("the reports differ (-want +got):\n%s", diff)
	}
}

// fields are those of a report that say something.
func fields(t *testing.T, rep *report.Report) (out map[string]any) {
	t.Helper()
	text, err := json.Marshal(rep)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	delete(out, "gate")
	for name, value := range out {
		if value == nil || value == "" || value == 0.0 || value == false {
			delete(out, name)
		}
	}
	return out
}
